import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** What package-lock.json says of one package; only what is needed here. */
type Locked = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

export type Lock = { packages: Record<string, Locked> }

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openbsd', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/**
 * The packages for other platforms that a lock should hold and does not. A registry that mirrors only what was asked
 * for leaves them out, npm then locks without them, and `npm ci` refuses such a lock, here and elsewhere.
 * @returns entries to add, by their path in the lock: the version its user asks for, and the platform its name tells
 * @throws when a version is a range or a name tells no platform: such a package cannot be locked unseen
 */
export function missingPlatforms(lock: Lock): Record<string, Locked> {
  const missing: Record<string, Locked> = {}
  for (const [path, user] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(user.optionalDependencies ?? {})) {
      if (isLocked(lock, path, name)) continue
      missing[`node_modules/${name}`] = {
        version: exact(name, version),
        ...platformOf(name),
        ...(user.dev ? { dev: true } : {}),
        optional: true,
      }
    }
  }
  return missing
}

/** Looks where Node would: in the user's own node_modules, then in each above it. */
function isLocked(lock: Lock, user: string, name: string): boolean {
  for (let at = user; at; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${at}/node_modules/${name}`]) return true
  }
  return Boolean(lock.packages[`node_modules/${name}`])
}

function exact(name: string, version: string): string {
  if (/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return version
  throw new Error(`${name} is asked for as ${version}, which is no single version`)
}

function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/)
  const os = systems.find((system) => words.includes(system))
  // `arm-eabi`, `arm-musleabihf`: the processor is a word of its own there too
  const cpu = processors.find((processor) => words.includes(processor))
  if (!cpu || !(os || cpu === 'wasm32')) throw new Error(`${name} does not tell its platform`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { cpu: [cpu], ...(libc ? { libc: [libc] } : {}), ...(os ? { os: [os] } : {}) }
}

if (import.meta.main) {
  const file = resolve(import.meta.dirname, '../../package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  const missing = missingPlatforms(lock)
  const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} packages for other platforms added to the lock`)
}
