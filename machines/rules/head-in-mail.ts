import { is } from 'superstruct'
import { SealHead } from '../contracts/entities/seals.ts'

/**
 * The head that a mail of the daily head holds: of the mail as a file, encoded as mails are, or of its text as it was copied, out of
 * lines or out of a table. Undefined: it holds none that is whole.
 */
export function headInMail(text: string): SealHead | undefined {
  for (const readable of [text, ...decodedParts(text)]) {
    const head = headIn(readable)
    if (head !== undefined) return head
  }
  return undefined
}

/** Whether a text is meant to be such a mail: its head may have been changed so that it is none any more. */
export const looksLikeHeadMail = (text: string): boolean =>
  [text, ...decodedParts(text)].some((readable) => /Entries\b/.test(readable) && /Signature\b/.test(readable))

/** A name, and what stands after it: on its line, in the next cell, or on the next line. */
const after = (text: string, name: string, value: string): string | undefined =>
  new RegExp(`(?:^|[\\s>|])${name}:?[\\s>|]*(${value})(?=$|[\\s<|])`).exec(text)?.[1]

function headIn(text: string): SealHead | undefined {
  const [size, at] = [
    after(text, 'Entries', '\\d{1,16}'),
    /Signed:?[^\n]*\n?[^\n]*\((\d{1,16})\)/.exec(text)?.[1],
  ]
  const head = {
    size: Number(size),
    root: after(text, 'Root', '[0-9a-f]{64}'),
    at: Number(at),
    keyId: after(text, 'Key', '[0-9a-f]{16}'),
    signature: after(text, 'Signature', '[A-Za-z0-9+/]{86}=='),
  }
  return size !== undefined && at !== undefined && is(head, SealHead) ? head : undefined
}

/** What stands in the parts of a mail, by the two ways in which mails are encoded (RFC 2045 §6.7, §6.8). */
function* decodedParts(text: string): Generator<string> {
  if (/^Content-Transfer-Encoding: *quoted-printable/im.test(text))
    yield text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (!/^Content-Transfer-Encoding: *base64/im.test(text)) return
  for (const [block] of text.matchAll(/(?:^[A-Za-z0-9+/]{20,76}={0,2}\r?\n)+/gm)) {
    const letters = block.replaceAll(/\s/g, '')
    // padded at its end alone, as atob wants it
    if (letters.length % 4 === 0 && !/=[^=]/.test(letters)) yield atob(letters)
  }
}
