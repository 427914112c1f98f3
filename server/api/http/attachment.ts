/** RFC 6266: a plain name for all, and the exact one beside it. */
export function attachmentOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()-]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed()).replaceAll(/['()*]/g, escapeOf)}`
}
const escapeOf = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
