/**
 * The one way from text to markup or to a script's address (Trusted Types, W3C): the browser asks it wherever a library
 * writes `innerHTML` or starts a worker, and the server's content policy lets no other be made. Import it before anything else.
 */

/** As Chromium has it; the types of the DOM do not have it yet. */
type TrustedTypes = {
  createPolicy(
    name: 'default',
    rules: { createHTML(html: string): string; createScriptURL(url: string): string },
  ): unknown
}

/** Text and links to other pages, as the sources of a map are written. */
const TEXT_AND_LINKS =
  /^(?:[^<]|<a(?: (?:href="https?:\/\/[^"<>]*"|target="_blank"|rel="[a-z ]*"))*>|<\/a>)*$/

/** Markup that is more than text and links is shown as the text it is. */
export const markupOf = (html: string): string =>
  TEXT_AND_LINKS.test(html) ? html : html.replaceAll('<', '&lt;')

/**
 * @param origin of the page: workers are files of it
 * @throws for a script from elsewhere
 */
export function scriptUrlOf(url: string, origin: string): string {
  if (new URL(url, origin).origin === origin) return url
  throw new TypeError(`A script of another server is not run: ${url}`)
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: markupOf,
  createScriptURL: (url) => scriptUrlOf(url, location.origin),
})
