import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from 'playwright'

const PATIENCE_MS = 60_000
/** A page is looked at so often, and for three seconds in a row it has to be the same: some ask two seconds after they came. */
const LOOK_MS = 200
const LOOKS_STILL = 15

/** A place of the portal, and the name that must be read there where there is one. */
export type Place = { path: string; name: string | undefined }

/**
 * Goes from place to place in one window as its links lead, the first opened by its address, and says what a name did there
 * that text does not do.
 */
export async function harmOnTheWay(
  context: BrowserContext,
  address: string,
  places: readonly Place[],
): Promise<string[]> {
  const page = await context.newPage()
  const harm: string[] = []
  let at = ''
  const note = (what: string) => harm.push(`${at}: ${what}`)
  page.on('dialog', (dialog) => {
    note('a dialog opened')
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => note(`an exception: ${error.message}`))
  const requested = new Set<Request>()
  page.on('request', (request) => requested.add(request))
  page.on('requestfinished', (request) => requested.delete(request))
  page.on('requestfailed', (request) => requested.delete(request))
  await page.addInitScript(() => {
    const forbidden: string[] = []
    Object.assign(globalThis, { forbidden })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      forbidden.push(`${effectiveDirective} ${blockedURI}`),
    )
  })
  for (const { path, name } of places) {
    const isFirst = at === ''
    at = path
    try {
      if (isFirst) await page.goto(`${address}${path}`)
      else await page.evaluate((to) => history.pushState(null, '', to), path)
      await page.getByRole('main').getByRole('heading').first().waitFor({ timeout: PATIENCE_MS })
      await settled(page, requested)
      if (name !== undefined) {
        const text = await page.evaluate(() => document.body.textContent)
        if (!spaced(text).includes(spaced(name)))
          note(`${JSON.stringify(name)} is not shown as it was written`)
      }
      for (const each of await page.evaluate(whatRan)) note(each)
    } catch (error) {
      note(`it did not open: ${String(error).split('\n')[0]}`)
    }
  }
  await page.close()
  return harm
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Resolves when nothing is asked for and nothing more comes onto the page: lists come a while after their heading. */
async function settled(page: Page, requested: ReadonlySet<unknown>): Promise<void> {
  const look = () =>
    page.evaluate(() => ({
      elements: document.querySelectorAll('*').length,
      isBusy: document.querySelector('[aria-busy="true"]') !== null,
    }))
  let elements = -1
  for (let [still, began] = [0, performance.now()]; still < LOOKS_STILL; await pause(LOOK_MS)) {
    const now = await look()
    still = requested.size === 0 && !now.isBusy && now.elements === elements ? still + 1 : 0
    elements = now.elements
    if (performance.now() - began > PATIENCE_MS) throw new Error('it does not come to rest')
  }
}

/** In the page: what would not be there if every name were text. */
function whatRan(): string[] {
  const found: string[] = []
  const known = globalThis as unknown as { hostile?: unknown; forbidden: string[] }
  if (known.hostile !== undefined) found.push('a name was run')
  for (const each of known.forbidden.splice(0)) found.push(`the policy forbade ${each}`)
  const grown = 'img[src="x"], svg[onload], [onerror], [ontoggle], iframe, a[href^="javascript:"], math'
  // charts bring styles of their own
  for (const { textContent } of document.querySelectorAll('style'))
    if (textContent === 'body{display:none}') found.push('a name became <style>')
  for (const element of document.querySelectorAll(grown)) found.push(`a name became <${element.localName}>`)
  return found
}
