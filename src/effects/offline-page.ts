import type { SealKey, SealKeys } from '#machines/contracts/entities/seals.ts'
import { download } from './download.ts'

/** Made with the build (tools/build/offline-page.ts). */
const ADDRESS = '/verify-offline.html'
const NO_KEYS = '<script type="application/json" id="frostline-keys"></script>'

/** Saves the page that verifies without a network, with these keys in it. @throws Error in words, where it does not come */
export async function saveOfflinePage(keys: readonly SealKey[]): Promise<void> {
  const answer = await fetch(ADDRESS)
  const page = answer.ok ? await answer.text() : ''
  if (!page.includes(NO_KEYS)) throw new Error('The page could not be loaded. Try again in a moment.')
  download('frostline-verify.html', new Blob([withKeys(page, keys)], { type: 'text/html' }))
}

/** The page with keys in it, as data that no browser takes for a script. */
export function withKeys(page: string, keys: readonly SealKey[]): string {
  const file: SealKeys = { is: 'frostline-seal-keys', keys: [...keys] }
  const text = JSON.stringify(file).replaceAll('<', '\\u003c')
  return page.replace(NO_KEYS, () => NO_KEYS.replace('></', () => `>${text}</`))
}
