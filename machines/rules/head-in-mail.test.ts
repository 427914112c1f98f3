import { describe, expect, test } from 'vitest'
import { headInMail, looksLikeHeadMail } from './head-in-mail.ts'

const head = {
  size: 48_211,
  root: '0123456789abcdef'.repeat(4),
  at: 1_781_478_000_000,
  keyId: 'fedcba9876543210',
  signature: `${'Ab+/'.repeat(21)}Qw==`,
}
const lines = [
  `Entries: ${head.size}`,
  `Root: ${head.root}`,
  `Signed: 14-06-2026 23:00 (UTC) (${head.at})`,
  `Key: ${head.keyId}`,
  `Signature: ${head.signature}`,
]
const text = `This is the signed head.\n\n${lines.join('\n')}\n\nCompare it:\nhttps://portal.example/verify\n`
/** As mail programs break lines (RFC 2045 §6.7). */
const quoted = (whole: string): string =>
  whole
    .replaceAll('=', '=3D')
    .split('\n')
    .map((line) => line.replaceAll(/(.{60}(?<!=.?))(?=.)/g, '$1=\r\n'))
    .join('\r\n')
const base64 = (whole: string): string => btoa(whole).replaceAll(/(.{76})/g, '$1\r\n')
const part = (encoding: string, body: string): string =>
  `MIME-Version: 1.0\r\n\r\n--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--b--\r\n`

describe('the head in a mail', () => {
  test.each([
    ['as it was written', text],
    ['answered to', text.replaceAll(/^/gm, '> ')],
    ['with other ends of lines', text.replaceAll('\n', '\r\n')],
    ['copied out of its table', text.replaceAll(': ', '\t')],
    ['copied a cell a line', text.replaceAll(/^(Entries|Root|Signed|Key|Signature): /gm, '$1\n')],
    ['as a file, quoted-printable', part('quoted-printable', quoted(text))],
    ['as a file, base64', part('base64', base64(text))],
  ])('is read %s', (_, given) => {
    expect(headInMail(given)).toEqual(head)
  })

  test.each(lines.map((line) => [line.split(':')[0] ?? '', line]))(
    'without %s is none, and looks like one',
    (name, line) => {
      const given = text.replace(line, `${name}: ?`)
      expect(headInMail(given)).toBeUndefined()
      expect(looksLikeHeadMail(given)).toBe(true)
    },
  )

  test('is not in other texts', () => {
    expect(headInMail('A report')).toBeUndefined()
    expect(looksLikeHeadMail('Entries of the report')).toBe(false)
  })
})
