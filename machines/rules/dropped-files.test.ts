import { webcrypto } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Seal, SealHead, SealKey } from '../contracts/entities/seals.ts'
import { sealedRecord } from '../testing/sealed-report.ts'
import { type FileResult, type GivenFile, verifyFiles } from './dropped-files.ts'
import type { SealCrypto } from './verify-seal.ts'

const subtle = webcrypto.subtle as SubtleCrypto
const crypto: SealCrypto = {
  sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource)),
  verify: async (key, signature, signed) =>
    subtle.verify(
      'Ed25519',
      await subtle.importKey('raw', key as BufferSource, 'Ed25519', false, ['verify']),
      signature as BufferSource,
      signed as BufferSource,
    ),
}
const { signer, entryOf, headOf, sealOf, proofOf } = sealedRecord(subtle)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const json = (name: string, value: unknown): GivenFile => ({ name, bytes: utf8(JSON.stringify(value)) })

const FIRST: GivenFile = { name: 'Report.pdf', bytes: utf8('%PDF the first') }
const SECOND: GivenFile = { name: 'Report-version-2.pdf', bytes: utf8('%PDF the second') }
let keys: SealKey[]
let seals: { first: Seal; second: Seal; superseded: Seal }
let heads: { before: SealHead; after: SealHead; proof: Awaited<ReturnType<typeof proofOf>> }
beforeAll(async () => {
  const old = await signer(1)
  const by = await signer(2, old)
  keys = [old.key, by.key]
  const entries = await Promise.all([
    entryOf({ reportId: 'r0', fileName: 'Other.pdf', bytes: utf8('other') }, 1),
    entryOf({ reportId: 'r1', fileName: FIRST.name, bytes: FIRST.bytes }, 2),
    entryOf({ reportId: 'r2', fileName: 'More.pdf', bytes: utf8('more') }, 3),
    entryOf({ reportId: 'r3', fileName: SECOND.name, bytes: SECOND.bytes, version: 2, firstId: 'r1' }, 4),
  ])
  seals = {
    first: await sealOf(entries.slice(0, 3), 1, by, { keys }),
    second: await sealOf(entries, 3, by, { keys }),
    superseded: await sealOf(entries, 1, by, { keys, newer: 3 }),
  }
  heads = {
    before: await headOf(entries.slice(0, 3), by),
    after: await headOf(entries, by),
    proof: await proofOf(entries, 3, by),
  }
})
const of = async (given: GivenFile[], known = keys): Promise<FileResult[]> =>
  (await verifyFiles(crypto, given, known)).results
const sealFile = (seal: Seal, name = 'Report.pdf.seal.json') => json(name, seal)

describe('a report with its seal', () => {
  test('is genuine, whatever the file is called and in whatever folder it lies', async () => {
    expect(await of([FIRST, sealFile(seals.first)])).toMatchObject([
      { is: 'genuine', file: { reportId: 'r1', position: 2, version: 1, timeZone: 'Asia/Karachi' } },
    ])
    const renamed = { ...FIRST, name: 'stick/copy of it.pdf' }
    expect(await of([sealFile(seals.first), renamed])).toMatchObject([{ is: 'genuine' }])
  })

  test('is superseded by what its seal names, or by a version that lies beside it', async () => {
    expect(await of([FIRST, sealFile(seals.superseded)])).toMatchObject([
      { is: 'superseded', by: { version: 2 } },
    ])
    const both = [FIRST, sealFile(seals.first), SECOND, sealFile(seals.second, 'b.seal.json')]
    expect(await of(both)).toMatchObject([
      { name: FIRST.name, is: 'superseded', by: { version: 2 } },
      { name: SECOND.name, is: 'genuine' },
    ])
  })

  test('of a key that is not known says so, until a file of keys is given', async () => {
    const given = [FIRST, sealFile(seals.first)]
    expect(await of(given, [])).toMatchObject([{ is: 'unknown-key', keyId: keys[1]?.keyId }])
    const file = json('frostline-seal-keys.json', { is: 'frostline-seal-keys', keys })
    expect(await of([...given, file], [])).toMatchObject([{ is: 'genuine' }])
    // the older key vouches for the newer
    expect(await of(given, keys.slice(0, 1))).toMatchObject([{ is: 'genuine' }])
  })

  test('one without the other, and what is no seal, are named', async () => {
    expect(await of([FIRST])).toEqual([{ name: FIRST.name, is: 'no-seal' }])
    expect(await of([sealFile(seals.first)])).toMatchObject([{ is: 'no-file', sealed: [FIRST.name] }])
    expect(await of([json('a.json', { a: 1 })])).toMatchObject([{ name: 'a.json', is: 'unreadable' }])
  })
})

describe('any one changed byte', () => {
  const changed = ({ name, bytes }: GivenFile, at: number, by: number): GivenFile => {
    const other = bytes.slice()
    other[at % bytes.length] = ((other[at % bytes.length] as number) + by) % 256
    return { name, bytes: other }
  }
  const place = fc.nat(1_000_000)
  const difference = fc.integer({ min: 1, max: 255 })

  test('of a report is refused, and the report named', async () => {
    await fc.assert(
      fc.asyncProperty(place, difference, async (at, by) => {
        const [result] = await of([changed(FIRST, at, by), sealFile(seals.first)])
        expect(result).toMatchObject({ name: FIRST.name, is: 'changed' })
      }),
    )
  })

  test.each(['first', 'superseded'] as const)(
    'of a seal (%s) is refused, and it or its report named',
    async (which) => {
      const seal = sealFile(seals[which])
      await fc.assert(
        fc.asyncProperty(place, difference, async (at, by) => {
          const results = await of([FIRST, changed(seal, at, by)])
          const refusals = results.filter(({ is }) => ['changed', 'unreadable', 'unknown-key'].includes(is))
          expect(
            refusals.map(({ name }) => name).some((name) => [FIRST.name, seal.name].includes(name)),
          ).toBe(true)
          expect(results.some(({ is }) => is === 'genuine' || is === 'superseded')).toBe(false)
        }),
        { numRuns: 400 },
      )
    },
  )
})

describe('two heads', () => {
  const given = (): GivenFile[] => [
    json('yesterday.json', heads.before),
    json('today.json', heads.after),
    json('proof.json', heads.proof),
  ]

  test('are of one record where the proof says so', async () => {
    expect(await of(given())).toMatchObject([
      { name: 'proof.json', is: 'same-log', before: 3, after: { size: 4 } },
    ])
  })

  test('are not where the proof, a head or its signature was changed, or one is not there', async () => {
    const [before = FIRST, after = FIRST] = given()
    const path = [...heads.proof.path]
    path[0] = 'a'.repeat(64)
    for (const [files, why] of [
      [[before, after, json('proof.json', { ...heads.proof, path })], /does not begin with/],
      [[json('yesterday.json', { ...heads.before, root: 'b'.repeat(64) }), given()[2]], /another root/],
      [[json('yesterday.json', { ...heads.before, at: 7 }), given()[2]], /not signed/],
      [[given()[2]], /not among/],
    ] as [GivenFile[], RegExp][])
      expect(await of(files)).toMatchObject([{ is: 'other-log', why: expect.stringMatching(why) }])
    expect(await of(given(), [])).toMatchObject([
      { is: 'other-log', why: expect.stringMatching(/not known/) },
    ])
  })

  const mail = (head: SealHead): GivenFile => ({
    name: 'mail.txt',
    bytes: new TextEncoder().encode(
      `Entries: ${head.size}\nRoot: ${head.root}\nSigned: 14-06-2026 23:00 (UTC) (${head.at})\nKey: ${head.keyId}\nSignature: ${head.signature}\n`,
    ),
  })

  test('may be the one of a mail, which is one that was signed before it is held against the record', async () => {
    const [, , proof = FIRST] = given()
    expect(await of([mail(heads.before)])).toMatchObject([{ is: 'head', head: { size: 3 } }])
    expect(await of([mail(heads.before), proof])).toMatchObject([{ is: 'same-log', before: 3 }])
    expect(await of([mail(heads.before)], [])).toMatchObject([{ is: 'unknown-head-key' }])
  })

  test('of a mail of which any one digit is another is none that was signed', async () => {
    const { name, bytes } = mail(heads.before)
    const text = new TextDecoder().decode(bytes)
    const digits = [...text.matchAll(/[0-9a-fA-F](?![^(\n]*\()/g)].map(({ index }) => index)
    for (const index of digits) {
      const digit = text[index] === '7' ? '8' : '7'
      const changed = `${text.slice(0, index)}${digit}${text.slice(index + 1)}`
      const [result] = await of([{ name, bytes: new TextEncoder().encode(changed) }])
      expect(['other-log', 'unreadable', 'no-seal', 'unknown-head-key'], changed).toContain(result?.is)
    }
  })
})
