import { spawnSync } from 'node:child_process'
import { installPackages } from '../build/debian.ts'

/** Debian's package of a program, where it has another name. */
const PACKAGE: Readonly<Record<string, string>> = {
  'mkfs.ext4': 'e2fsprogs',
  mount: 'mount',
  losetup: 'mount',
}

/**
 * Programs a fault cannot be made without, installed where that is possible.
 * @throws Error that names the one that cannot be had
 */
export function need(...programs: readonly string[]): void {
  for (const program of programs) if (!isThere(program)) install(PACKAGE[program] ?? program, program)
}

/** A file of a Debian package, installed where it is missing. */
export function needFile(path: string, packageName: string): void {
  if (spawnSync('test', ['-e', path]).status !== 0) install(packageName, path)
  if (spawnSync('test', ['-e', path]).status !== 0) throw new Error(`${path} is not in ${packageName}`)
}

/** @throws Error where this process is not root's */
export function needRoot(why: string): void {
  if (process.getuid?.() !== 0) throw new Error(`needs root ${why}`)
}

/**
 * Runs a program of the system.
 * @throws Error with what it said
 */
export function run(program: string, ...words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? `${stderr}${stdout}`.trim()}`)
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function install(packageName: string, wanted: string): void {
  const why = installPackages(packageName)
  if (why !== undefined) throw new Error(`${wanted} (Debian: ${packageName}) cannot be had: ${why}`)
}
