/**
 * The build of the portal a page is of: the name of its first file, which holds a hash of all the others. The server says its own
 * with each answer (protocol.ts). Undefined where it is not built: a developer's page.
 */
export function buildOf(page: Pick<Document, 'querySelector'>): string | undefined {
  const src = page.querySelector('script[type="module"][src]')?.getAttribute('src')
  return src == null ? undefined : /\/assets\/([^/]+)\.js$/.exec(src)?.[1]
}
