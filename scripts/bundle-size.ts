import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPortal, isPortalStale } from './portal-build.ts'

/** The part of Vite's manifest that says which file needs which. */
export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>

/** The page a visitor sees first: its own chunk, loaded lazily by the entry, belongs to what they wait for. */
const signInPage = /^src\/features\/access\//

/** Bytes of gzipped JavaScript that may cross the wire before a visitor can sign in. */
const signInBudget = 120_000

/**
 * The files a browser fetches to show the sign-in page: the entry, the page's chunk, and all they import statically.
 * @returns file names relative to the build, each once
 * @throws when the manifest has no entry
 */
export function filesBeforeSignIn(manifest: Manifest): string[] {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
  if (!entry) throw new Error('The build has no entry')
  const needed = new Set<string>()
  const follow = (key: string): void => {
    if (needed.has(key)) return
    needed.add(key)
    for (const imported of manifest[key]?.imports ?? []) follow(imported)
  }
  follow(entry)
  for (const key of [...needed].flatMap((key) => manifest[key]?.dynamicImports ?? [])) {
    if (signInPage.test(key)) follow(key)
  }
  return [...needed].map((key) => manifest[key]?.file ?? key).filter((file) => file.endsWith('.js'))
}

if (import.meta.main) {
  const dist = resolve(import.meta.dirname, '../dist')
  if (isPortalStale()) await buildPortal().done
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const sizes = filesBeforeSignIn(manifest).map(
    (file) => [file, gzipSync(readFileSync(join(dist, file))).length] as const,
  )
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  for (const [file, bytes] of sizes) console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${file}`)
  console.log(
    `${(total / 1000).toFixed(1).padStart(8)} kB  before sign-in, of ${signInBudget / 1000} kB allowed`,
  )
  if (total > signInBudget) process.exitCode = 1
}
