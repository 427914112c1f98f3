import fc from 'fast-check'
import { type Sent, sent, WRONG_TYPES } from './malformed.ts'

/** A form with a file, spoilt. It may still be read where the damage is in the file alone. */
export function malformedForms(right: Buffer, type: string): fc.Arbitrary<Sent> {
  const position = fc.nat(right.length - 1)
  const headers = { 'content-type': type }
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? ''
  const replaced = (from: string, to: string) =>
    Buffer.from(right.toString('latin1').replace(from, to), 'latin1')
  return fc.oneof(
    position.map((at) => sent('cut off', right.subarray(0, at), headers)),
    fc
      .tuple(position, fc.uint8Array({ minLength: 1, maxLength: 50 }))
      .map(([at, noise]) =>
        sent('noise in it', Buffer.concat([right.subarray(0, at), noise, right.subarray(at)]), headers),
      ),
    fc
      .constantFrom(
        ...[`--${boundary}`, '\r\n\r\n', 'form-data', 'name="file"', 'filename=', 'image/', '\r\n'].flatMap(
          (from) =>
            ['', 'x'.repeat(20_000), 'name="__proto__"', '\0', '../../x'].map((to) => [from, to] as const),
        ),
      )
      .map(([from, to]) => sent(`${to.slice(0, 9)} for ${from}`, replaced(from, to), headers)),
    fc.uint8Array({ maxLength: 500 }).map((noise) => sent('noise', Buffer.from(noise), headers)),
    fc
      .constantFrom(...WRONG_TYPES, 'application/json')
      .map((wrong) => sent('a wrong content type', right, { 'content-type': wrong })),
  )
}
