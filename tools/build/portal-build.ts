import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { endsWithUs } from './ends-with-us.ts'

const root = resolve(import.meta.dirname, '../..')
const stampName = '.stamp'

/** Everything the built portal is made of; a change in any of it makes the build stale. */
const inputs = [
  'index.html',
  'vite.config.ts',
  'tools/build/offline-page.ts',
  'tools/build/precompress.ts',
  'tools/build/without-summaries.ts',
  'tools/build/without-webgpu.ts',
  'package-lock.json',
  'src',
  'machines',
  'public',
]

/** Tests and generated prose lie among the sources and never reach the bundle. */
const isInput = (name: string): boolean => !/\.(test\.tsx?|paths\.txt|md)$/.test(name)

/**
 * One number for the content of all build inputs under a folder.
 * @param from the folder that holds them, the repository by default
 */
export function hashInputs(from: string = root): string {
  const hash = createHash('sha256')
  for (const input of inputs) {
    if (!existsSync(join(from, input))) continue
    for (const file of filesIn(from, input)) {
      hash.update(`${file}\0`)
      hash.update(readFileSync(join(from, file)))
    }
  }
  return hash.digest('hex')
}

/** Whether dist/ is missing or was built from other inputs than those on disk. */
export function isPortalStale(from: string = root): boolean {
  const stamp = join(from, 'dist', stampName)
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hashInputs(from)
}

/**
 * Builds the portal beside dist/ and puts it in place at once when it is whole, so that a server which runs
 * meanwhile shows either the old one or the new one. Runs in a process of its own, for the caller to go on.
 * @returns the running build and its end; the end rejects when the build fails, and dist/ stays as it was
 */
export function buildPortal(): { process: ChildProcess; done: Promise<void> } {
  const staging = join(root, '.cache', `portal-${process.pid}`)
  const hash = hashInputs()
  mkdirSync(join(root, '.cache'), { recursive: true })
  const vite = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--outDir', staging, '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const letGo = vite.pid === undefined ? () => {} : endsWithUs(vite.pid, 'SIGTERM', staging)
  const done = new Promise<void>((built, failed) => {
    vite.on('error', failed)
    vite.on('exit', (code, signal) => {
      letGo()
      if (code === 0) {
        writeFileSync(join(staging, stampName), hash)
        putInPlace(staging)
        built()
      } else {
        rmSync(staging, { recursive: true, force: true })
        failed(new Error(`The portal could not be built (vite ended with ${signal ?? code})`))
      }
    })
  })
  return { process: vite, done }
}

function putInPlace(staging: string): void {
  const dist = join(root, 'dist')
  const retired = `${staging}-retired`
  if (existsSync(dist)) renameSync(dist, retired)
  renameSync(staging, dist)
  rmSync(retired, { recursive: true, force: true })
}

function filesIn(from: string, input: string): string[] {
  if (statSync(join(from, input)).isFile()) return [input]
  return readdirSync(join(from, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isInput(entry.name))
    .map((entry) => relative(from, join(entry.parentPath, entry.name)))
    .sort()
}
