import {
  headText,
  rotationText,
  type Seal,
  type SealHead,
  type SealKey,
} from '../contracts/entities/seals.ts'
import { consistencyRanges, hexOf, inclusionRanges, leafHash, rootOf } from '../rules/merkle-tree.ts'
import { base64Of } from '../rules/verify-seal.ts'

type Signer = { key: SealKey; secret: CryptoKey }
type Report = { reportId: string; fileName: string; bytes: Uint8Array; version?: number; firstId?: string }

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const MADE = Date.UTC(2026, 5, 14, 23, 20)

/** A small record with reports in it, its keys and seals, as a server makes them. `subtle`: WebCrypto, in a browser or Node. */
export function sealedRecord(subtle: SubtleCrypto) {
  const sha256 = async (bytes: Uint8Array) =>
    new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource))
  const signed = async ({ secret }: Signer, text: string) =>
    base64Of(new Uint8Array(await subtle.sign('Ed25519', secret, utf8(text) as BufferSource)))

  async function signer(at = 1, before?: Signer): Promise<Signer> {
    const pair = (await subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
    const raw = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
    const key = { keyId: hexOf(await sha256(raw)).slice(0, 16), publicKey: base64Of(raw), at }
    const made: Signer = { key: { ...key, endorsement: null }, secret: pair.privateKey }
    if (before === undefined) return made
    const text = rotationText(at, before.key.keyId, key)
    const endorsement = {
      previous: before.key.keyId,
      byPrevious: await signed(before, text),
      byNew: await signed(made, text),
    }
    return { ...made, key: { ...made.key, endorsement } }
  }

  /** The entry of a finished report as the record has it, number `seq`. */
  async function entryOf(
    { reportId, fileName, bytes, version, firstId }: Report,
    seq: number,
  ): Promise<string> {
    const file = { bytes: bytes.length, contentType: 'application/pdf', fileName }
    const data = {
      files: [{ ...file, sha256: hexOf(await sha256(bytes)) }],
      ...(firstId !== undefined && { firstId }),
      ...{ reportId, timeZone: 'Asia/Karachi', title: 'Temperature Report' },
      ...(version !== undefined && { version }),
    }
    const at = MADE + seq
    const whole = { at, companyId: 'c1', data, recordedAt: at, seq, stream: 'reports-c1' }
    return JSON.stringify({ ...whole, type: 'report.completed', v: 1, version: seq })
  }

  const leavesOf = (entries: readonly string[]) =>
    Promise.all(entries.map(async (text) => leafHash(sha256, utf8(text))))
  const pathOf = async (leaves: readonly Uint8Array[], index: number): Promise<string[]> =>
    Promise.all(
      inclusionRanges(index, leaves.length).map(async ({ from, to }) =>
        hexOf(await rootOf(sha256, leaves.slice(from, to))),
      ),
    )

  async function headOf(entries: readonly string[], by: Signer): Promise<SealHead> {
    const root = hexOf(await rootOf(sha256, await leavesOf(entries)))
    const head = { size: entries.length, root, at: MADE + 60_000, keyId: by.key.keyId }
    return { ...head, signature: await signed(by, headText(head)) }
  }

  async function sealOf(
    entries: readonly string[],
    index: number,
    by: Signer,
    { keys = [by.key], newer }: { keys?: SealKey[]; newer?: number } = {},
  ): Promise<Seal> {
    const leaves = await leavesOf(entries)
    const placed = async (at: number) => ({
      fact: entries[at] as string,
      index: at,
      path: await pathOf(leaves, at),
    })
    return {
      ...{ is: 'frostline-seal', v: 1 },
      ...(await placed(index)),
      head: await headOf(entries, by),
      ...(newer !== undefined && { supersededBy: await placed(newer) }),
      keys,
    }
  }

  async function proofOf(entries: readonly string[], size: number, by: Signer) {
    const leaves = await leavesOf(entries)
    const path = await Promise.all(
      consistencyRanges(size, entries.length).map(async ({ from, to }) =>
        hexOf(await rootOf(sha256, leaves.slice(from, to))),
      ),
    )
    const root = hexOf(await rootOf(sha256, leaves.slice(0, size)))
    return { size, root, to: await headOf(entries, by), path }
  }

  return { signer, entryOf, headOf, sealOf, proofOf }
}
