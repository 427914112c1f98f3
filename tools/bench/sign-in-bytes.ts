import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright'
import { firstMarkers, newWindow, type SignedIn } from './browser.ts'
import { atMost, type Figure } from './figures.ts'

const dist = resolve(import.meta.dirname, '../../dist')

/** Gzipped JavaScript that crosses the wire before one can sign in, and until the first markers are drawn. */
export async function measureScripts(browser: Browser, url: string, signedIn: SignedIn): Promise<Figure[]> {
  const outside = await (await browser.newContext()).newPage()
  await outside.goto(`${url}/login`)
  await outside.getByRole('button', { name: 'Login' }).waitFor()
  const before = await scriptsUntil(outside, Number.POSITIVE_INFINITY)
  await outside.context().close()

  const inside = await (await newWindow(browser, signedIn)).newPage()
  await inside.goto(url)
  const until = await scriptsUntil(inside, await firstMarkers(inside))
  await inside.context().close()
  // The map's worker loads beside the page, not before it.
  const onPage = until.filter((path) => !/maplibre-gl-worker/.test(path))
  const ours = onPage.filter((path) => !/\/(maplibre|deck)-/.test(path))
  return [
    atMost('JavaScript before sign-in, gzip', gzipped(before) / 1000, 122, 'kB'),
    atMost('JavaScript until the first markers, gzip', gzipped(onPage) / 1000, 780, 'kB'),
    atMost('the same without MapLibre and deck.gl', gzipped(ours) / 1000, 254, 'kB'),
  ]
}

/** Files asked for before an instant, ms after the navigation began: all that compete for the wire with what is awaited. */
function scriptsUntil(page: Page, at: number): Promise<string[]> {
  return page.evaluate((latest) => {
    const requested = performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= latest)
    const scripts = requested.map(({ name }) => new URL(name).pathname).filter((path) => /\.m?js$/.test(path))
    return [...new Set(scripts)]
  }, at)
}

function gzipped(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length, 0)
}
