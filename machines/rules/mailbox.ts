/**
 * What all spellings of an address have in common: small letters, the domain as it is looked up. A name without an at sign is in
 * small letters as it is.
 */
export function mailboxOf(address: string): string {
  const text = address.trim().toLowerCase()
  const at = text.lastIndexOf('@') + 1
  if (at === 0 || IS_ASCII.test(text)) return text
  const host = `http://${text.slice(at)}`
  return text.slice(0, at).normalize('NFKC') + (URL.canParse(host) ? new URL(host).hostname : text.slice(at))
}

const IS_ASCII = /^[!-~]*$/
