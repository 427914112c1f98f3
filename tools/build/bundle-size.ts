import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPortal, isPortalStale } from './portal-build.ts'

/** The part of Vite's manifest that says which file needs which. */
export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>

/** Pages a visitor may see first: each is a chunk of its own, loaded lazily by the entry, and nobody waits for two. */
const firstPage = /^src\/features\/access\//

/** Bytes of gzipped JavaScript that may cross the wire before a visitor can use any of them. */
const budget = 122_000

/** What who is signed in needs until the devices are on the map. */
const untilMarkers = [
  'src/layout/shell.tsx',
  'src/actors/live.ts',
  'src/features/dashboard/dashboard.tsx',
  'src/features/dashboard/map/base-map.tsx',
]
/** The libraries that draw the map, each a file of its own (vite.config.ts). */
const mapLibrary = /\/(maplibre|deck)-/
/** Bytes of it, gzipped: of our own, and with the libraries of the map. */
const budgetUntilMarkers = { own: 254_000, all: 780_000 }

/**
 * The files a browser fetches to show each page before sign-in: the entry, the page's chunk, and all they import statically.
 * @returns file names relative to the build, each once, by the page's source
 * @throws when the manifest has no entry
 */
export function filesBeforeSignIn(manifest: Manifest): Map<string, string[]> {
  const entry = entryOf(manifest)
  const needed = withImports(manifest, [entry])
  const pages = [...needed]
    .flatMap((key) => manifest[key]?.dynamicImports ?? [])
    .filter((key) => firstPage.test(key))
  return new Map(pages.map((page) => [page, scriptsOf(manifest, [entry, page])]))
}

/**
 * The files a browser fetches for a visitor who is signed in until the devices are on the map.
 * @throws when the manifest has no entry, or a part is not lazily loaded any more
 */
export function filesUntilMarkers(manifest: Manifest): string[] {
  const missing = untilMarkers.filter((part) => manifest[part] === undefined)
  if (missing.length > 0) throw new Error(`The build has no file for ${missing.join(', ')}`)
  return scriptsOf(manifest, [entryOf(manifest), ...untilMarkers])
}

function entryOf(manifest: Manifest): string {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
  if (!entry) throw new Error('The build has no entry')
  return entry
}

const scriptsOf = (manifest: Manifest, keys: string[]): string[] =>
  [...withImports(manifest, keys)]
    .map((key) => manifest[key]?.file ?? key)
    .filter((file) => file.endsWith('.js'))

function withImports(manifest: Manifest, keys: string[]): Set<string> {
  const needed = new Set<string>()
  const follow = (key: string): void => {
    if (needed.has(key)) return
    needed.add(key)
    for (const imported of manifest[key]?.imports ?? []) follow(imported)
  }
  for (const key of keys) follow(key)
  return needed
}

if (import.meta.main) {
  const dist = resolve(import.meta.dirname, '../../dist')
  if (isPortalStale()) await buildPortal().done
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  const zipped = (files: string[]): number =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
  const sizes = [...filesBeforeSignIn(manifest)].map(([page, files]) => ({ page, bytes: zipped(files) }))
  for (const { page, bytes } of sizes) console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${page}`)
  const most = Math.max(...sizes.map(({ bytes }) => bytes))
  console.log(
    `${(most / 1000).toFixed(1).padStart(8)} kB  before sign-in at most, of ${budget / 1000} kB allowed`,
  )
  const files = filesUntilMarkers(manifest)
  const own = zipped(files.filter((file) => !mapLibrary.test(file)))
  const all = zipped(files)
  console.log(
    `${(own / 1000).toFixed(1).padStart(8)} kB  of our own until the first markers, of ${budgetUntilMarkers.own / 1000} kB allowed`,
  )
  console.log(
    `${(all / 1000).toFixed(1).padStart(8)} kB  with MapLibre and deck.gl, of ${budgetUntilMarkers.all / 1000} kB allowed`,
  )
  if (most > budget || own > budgetUntilMarkers.own || all > budgetUntilMarkers.all) process.exitCode = 1
}
