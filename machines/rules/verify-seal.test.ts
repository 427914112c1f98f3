import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  headText,
  rotationText,
  type Seal,
  type SealHead,
  type SealKey,
} from '../contracts/entities/seals.ts'
import { hexOf, inclusionRanges, leafHash, rootOf } from './merkle-tree.ts'
import { base64Of, type FileDigest, type SealCrypto, verifySeal } from './verify-seal.ts'

const crypto: SealCrypto = {
  sha256: (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  verify: (key, signature, signed) =>
    verify(
      null,
      signed,
      { key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') }, format: 'jwk' },
      signature,
    ),
}
/** As RFC 8785 writes a flat object of plain letters and whole numbers. */
const sorted = (flat: Record<string, unknown>): string => JSON.stringify(flat, Object.keys(flat).toSorted())

const utf8 = (text: string) => new TextEncoder().encode(text)

type Signer = { key: SealKey; secret: KeyObject }

async function signer(at = 1, before?: Signer): Promise<Signer> {
  const { publicKey, privateKey: secret } = generateKeyPairSync('ed25519')
  const raw = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url'))
  const key = { keyId: hexOf(await crypto.sha256(raw)).slice(0, 16), publicKey: base64Of(raw), at }
  const signed = before && utf8(rotationText(at, before.key.keyId, key))
  const endorsement = before &&
    signed && {
      previous: before.key.keyId,
      byPrevious: base64Of(sign(null, signed, before.secret)),
      byNew: base64Of(sign(null, signed, secret)),
    }
  return { key: { ...key, endorsement: endorsement ?? null }, secret }
}

const FILE = utf8('Temperature report')
const digestOf = (bytes: Uint8Array): FileDigest => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
})

/** The canonical text of a finished report, in the place `seq`. */
const factText = (seq: number, data: Record<string, unknown>): string =>
  JSON.stringify({
    at: 1_781_500_800_000 + seq,
    companyId: 'c1',
    data,
    recordedAt: 1_781_500_800_000 + seq,
    seq,
    stream: 'reports-c1',
    type: 'report.completed',
    v: 1,
    version: seq,
  })

const made = (reportId: string, content = FILE) => ({
  reportId,
  files: [{ fileName: `${reportId}.pdf`, contentType: 'application/pdf', ...digestOf(content) }],
})

/** The seal of entry `index` of a record of these entries, signed. */
async function sealOf(
  facts: readonly string[],
  index: number,
  { key, secret }: Signer,
  keys = [key],
): Promise<Seal> {
  const leaves = await Promise.all(facts.map(async (text) => leafHash(crypto.sha256, utf8(text))))
  const root = hexOf(await rootOf(crypto.sha256, leaves))
  const head = { size: facts.length, root, at: 1_781_500_900_000, keyId: key.keyId }
  const signature = base64Of(sign(null, utf8(headText(head)), secret))
  const path = await Promise.all(
    inclusionRanges(index, facts.length).map(async ({ from, to }) =>
      hexOf(await rootOf(crypto.sha256, leaves.slice(from, to))),
    ),
  )
  const fact = facts[index] as string
  return { is: 'frostline-seal', v: 1, fact, index, path, head: { ...head, signature }, keys: [...keys] }
}

const otherFacts = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, i) => factText(from + i, made(`other${from + i}`, utf8(`${i}`))))

describe('a sealed file', () => {
  it('is genuine: what it is, when it was made, where it stands', async () => {
    const one = await signer()
    const seal = await sealOf([...otherFacts(4), factText(5, made('r1'))], 4, one)
    const answer = await verifySeal(crypto, digestOf(FILE), seal, [one.key])
    expect(answer).toMatchObject({
      is: 'genuine',
      file: { reportId: 'r1', fileName: 'r1.pdf', position: 5, version: 1, madeAt: 1_781_500_800_005 },
    })
    expect(answer.steps.map(({ step, holds }) => [step, holds])).toEqual([
      ['file', true],
      ['fact', true],
      ['path', true],
      ['key', true],
      ['signature', true],
      ['newest', true],
    ])
  })

  it('is changed where one bit of it is another, and says so first', async () => {
    const one = await signer()
    const seal = await sealOf([...otherFacts(2), factText(3, made('r1'))], 2, one)
    await fc.assert(
      fc.asyncProperty(fc.nat(FILE.length - 1), fc.nat(7), async (at, bit) => {
        const changed = FILE.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte))
        const answer = await verifySeal(crypto, digestOf(changed), seal, [one.key])
        expect(answer).toMatchObject({ is: 'changed', steps: [{ step: 'file', holds: false }] })
      }),
    )
  })

  it('is not genuine where any letter of its seal is another', async () => {
    const one = await signer()
    const facts = [...otherFacts(6), factText(7, made('r1')), ...otherFacts(3, 8)]
    const seal = await sealOf(facts, 6, one)
    const { fact, path, head } = seal
    const other = (text: string, at: number): string => {
      const i = at % text.length
      return `${text.slice(0, i)}${text[i] === '0' ? '1' : '0'}${text.slice(i + 1)}`
    }
    const changes: ((at: number) => Seal)[] = [
      (at) => ({ ...seal, path: path.map((hash, i) => (i === at % path.length ? other(hash, at) : hash)) }),
      (at) => ({ ...seal, head: { ...head, root: other(head.root, at) } }),
      (at) => ({ ...seal, head: { ...head, at: head.at + 1 + at } }),
      (at) => ({ ...seal, head: { ...head, size: head.size + 1 + at } }),
      (at) => ({ ...seal, index: seal.index + 1 + at }),
      (at) => ({
        ...seal,
        head: { ...head, signature: other(head.signature.slice(0, 86), at).concat('==') },
      }),
      () => ({ ...seal, fact: fact.replace('"companyId":"c1"', '"companyId":"c2"') }),
    ]
    for (const change of changes)
      for (const at of [0, 1, 17, 63]) {
        const changed = change(at)
        const answer = await verifySeal(crypto, digestOf(FILE), changed, [one.key])
        expect(answer.is, JSON.stringify(changed)).toBe('changed')
        expect(answer.steps.at(-1)?.holds).toBe(false)
      }
  })

  it('is of a key that is not known, and of no other answer then', async () => {
    const [one, stranger] = [await signer(), await signer()]
    const seal = await sealOf([factText(1, made('r1'))], 0, stranger)
    const answer = await verifySeal(crypto, digestOf(FILE), seal, [one.key])
    expect(answer).toMatchObject({ is: 'unknown-key', keyId: stranger.key.keyId })
  })

  it('is not genuine where a stranger takes the name of a known key', async () => {
    const [one, stranger] = [await signer(), await signer()]
    const named = { key: { ...stranger.key, keyId: one.key.keyId }, secret: stranger.secret }
    const seal = await sealOf([factText(1, made('r1'))], 0, named)
    expect(await verifySeal(crypto, digestOf(FILE), seal, [one.key])).toMatchObject({ is: 'changed' })
    expect(await verifySeal(crypto, digestOf(FILE), seal, [named.key])).toMatchObject({ is: 'changed' })
  })

  it('is genuine by a key that a known one endorsed, and not by one that says so itself', async () => {
    const one = await signer()
    const two = await signer(2, one)
    const three = await signer(3, two)
    const facts = [factText(1, made('r1'))]
    const seal = await sealOf(facts, 0, three, [one.key, two.key, three.key])
    expect(await verifySeal(crypto, digestOf(FILE), seal, [one.key])).toMatchObject({ is: 'genuine' })
    const endorsed = two.key.endorsement as NonNullable<SealKey['endorsement']>
    const forged = { ...two.key, endorsement: { ...endorsed, byPrevious: endorsed.byNew } }
    const bad = await sealOf(facts, 0, three, [one.key, forged, three.key])
    expect(await verifySeal(crypto, digestOf(FILE), bad, [one.key])).toMatchObject({ is: 'unknown-key' })
  })

  it('is superseded by a later version, in its seal or in one beside it', async () => {
    const one = await signer()
    const second = { ...made('r2', utf8('second')), version: 2, firstId: 'r1' }
    const facts = [factText(1, made('r1')), ...otherFacts(2, 2), factText(4, second)]
    const first = await sealOf(facts, 0, one)
    const later = await sealOf(facts, 3, one)
    const by = { reportId: 'r2', version: 2 }
    const { fact, index, path } = later
    const known = { ...first, supersededBy: { fact, index, path } }
    expect(await verifySeal(crypto, digestOf(FILE), known, [one.key])).toMatchObject({ is: 'superseded', by })
    expect(await verifySeal(crypto, digestOf(FILE), first, [one.key], [later])).toMatchObject({
      is: 'superseded',
      by,
    })
    expect(await verifySeal(crypto, digestOf(utf8('second')), later, [one.key], [first])).toMatchObject({
      is: 'genuine',
    })
    // a version nobody made supersedes nothing
    const made2 = {
      ...known,
      supersededBy: { fact: fact.replace('"version":2', '"version":3'), index, path },
    }
    expect(await verifySeal(crypto, digestOf(FILE), made2, [one.key])).toMatchObject({ is: 'genuine' })
  })

  it('has heads whose signed text is the canonical one', () => {
    const head: Omit<SealHead, 'signature'> = { size: 3, root: 'ab'.repeat(32), at: 5, keyId: '01'.repeat(8) }
    expect(headText(head)).toBe(sorted({ is: 'frostline-head', ...head }))
    const key = { keyId: '02'.repeat(8), publicKey: 'x' }
    expect(rotationText(7, head.keyId, key)).toBe(
      sorted({ is: 'frostline-key-rotation', at: 7, previous: head.keyId, ...key }),
    )
  })
})
