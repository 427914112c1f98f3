/** Letters a text message holds seven bits each of (GSM 03.38, the table without its extension, whose signs take two). */
const ALPHABET = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** What says the same in that alphabet. */
const INSTEAD: Readonly<Record<string, string>> = {
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '~': '-',
  '^': '',
  '|': '/',
  '\\': '/',
  '`': "'",
  '°': '',
  '€': 'EUR',
  '…': '...',
  '–': '-',
  '—': '-',
  '−': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '›': '>',
}

/** The same on one line in the GSM alphabet: a sign outside of it would halve what a message holds. */
export function inGsm7(text: string): string {
  let plain = ''
  for (const sign of text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')) plain += signOf(sign)
  return plain
}

function signOf(sign: string): string {
  if (ALPHABET.has(sign)) return sign
  const instead = INSTEAD[sign]
  if (instead !== undefined) return instead
  const bare = sign.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return bare !== '' && [...bare].every((each) => ALPHABET.has(each)) ? bare : '?'
}
