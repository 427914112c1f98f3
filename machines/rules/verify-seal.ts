import { decode } from '../contracts/decode.ts'
import {
  headText,
  rotationText,
  type Seal,
  SealedFact,
  type SealHead,
  type SealKey,
} from '../contracts/entities/seals.ts'
import { bytesOfHex, type Hash, hexOf, isSame, leafHash, rootByInclusion } from './merkle-tree.ts'

/** What verifying needs and each place has in its own way: WebCrypto in a browser, `node:crypto` on a server. */
export type SealCrypto = {
  sha256: Hash
  /** Ed25519; `publicKey`: 32 bytes, `signature`: 64 */
  verify(publicKey: Uint8Array, signature: Uint8Array, signed: Uint8Array): boolean | Promise<boolean>
}

/** The steps in their order: each holds only where those before it do, but for `key`, of which the answer tells apart. */
export type SealStepName = 'file' | 'fact' | 'path' | 'key' | 'signature' | 'newest'
/** `says`: why it holds or does not, as a sentence. */
export type SealStep = { step: SealStepName; holds: boolean; says: string }

/** A sealed file as its seal tells of it. */
export type SealedFile = {
  reportId: string
  fileName: string
  contentType: string
  bytes: number
  /** as people call the report; undefined of those made before it was noted */
  title: string | undefined
  /** when the report was finished, epoch ms, and the company's time zone */
  madeAt: number
  timeZone: string | undefined
  /** from 1 on */
  version: number
  /** the id that all versions of the report have in common */
  firstId: string
  /** its place in the record, counted from 1 */
  position: number
  head: SealHead
}

export type SealAnswer = { steps: SealStep[] } & (
  | { is: 'genuine'; file: SealedFile }
  | { is: 'superseded'; file: SealedFile; by: { reportId: string; version: number; madeAt: number } }
  | { is: 'changed'; why: string }
  | { is: 'unknown-key'; file: SealedFile; keyId: string }
)

/** A file as it lies there: SHA-256 of its bytes in hex, and how many there are. */
export type FileDigest = { sha256: string; bytes: number }

/**
 * Whether a file is what a server made and sealed.
 * @param known keys that whoever asks trusts; others are known where these endorse them, one after the other
 * @param others seals of other files that lie beside this one: a newer version among them supersedes it too
 * @throws ContractError where the sealed fact is none of a finished report
 */
export async function verifySeal(
  crypto: SealCrypto,
  file: FileDigest,
  seal: Seal,
  known: readonly SealKey[],
  others: readonly Seal[] = [],
): Promise<SealAnswer> {
  const steps: SealStep[] = []
  const check = (step: SealStepName, holds: boolean, yes: string, no: string): boolean => {
    steps.push({ step, holds, says: holds ? yes : no })
    return holds
  }
  const changed = (): SealAnswer => ({ is: 'changed', why: steps.at(-1)?.says ?? '', steps })
  const { head, index } = seal
  const fact = factOf(seal.fact)
  const { data, seq } = fact

  const made = data.files.find(({ sha256, bytes }) => sha256 === file.sha256 && bytes === file.bytes)
  if (!check('file', made !== undefined, IS_THE_FILE, notTheFile(file, fact)) || made === undefined)
    return changed()
  const placed = `The entry says that it is number ${seq}, and the seal stands for number ${index + 1}.`
  if (!check('fact', seq === index + 1, placed, placed)) return changed()
  const isInRecord = `The entry is in the record of ${head.size} entries that was signed.`
  if (!check('path', await isUnder(crypto, seal, head), isInRecord, NOT_IN_RECORD)) return changed()

  const sealed = sealedFile(fact, made, seal)
  const { keyId } = head
  const key = await trustedKey(crypto, seal, known)
  const isKnown = check(
    'key',
    key !== undefined,
    `The key ${keyId} is known here.`,
    `The key ${keyId} is not known here.`,
  )
  if (!isKnown || key === undefined) return { is: 'unknown-key', file: sealed, keyId, steps }
  if (!check('signature', await isSignedBy(crypto, head, key), IS_SIGNED, NOT_SIGNED)) return changed()

  const by = await newerVersion(crypto, fact, seal, known, others)
  check('newest', by === undefined, NONE_NEWER, `Version ${by?.version} of it was made later.`)
  return by ? { is: 'superseded', file: sealed, by, steps } : { is: 'genuine', file: sealed, steps }
}

const IS_THE_FILE = 'The file is one that the sealed entry names by its SHA-256.'
const NOT_IN_RECORD = 'The entry is not in the record that was signed: it or the seal was changed.'
const IS_SIGNED = 'The signature of the record holds.'
const NOT_SIGNED = 'The signature does not belong to this record.'
const NONE_NEWER = 'No later version of it is among what was given.'

/** Whether a head was signed by this key. */
export async function isSignedBy(
  { sha256, verify }: SealCrypto,
  head: SealHead,
  { keyId, publicKey }: Pick<SealKey, 'keyId' | 'publicKey'>,
): Promise<boolean> {
  const key = bytesOfBase64(publicKey)
  if (head.keyId !== keyId || (await keyIdOf(sha256, key)) !== keyId) return false
  return verify(key, bytesOfBase64(head.signature), utf8(headText(head)))
}

/** The id of a public key, which is made of the key itself. */
export const keyIdOf = async (sha256: Hash, publicKey: Uint8Array): Promise<string> =>
  hexOf(await sha256(publicKey)).slice(0, 16)

/** Keys that can be trusted where those of `known` are: these, and what they endorse of `offered`, which is oldest first. */
export async function endorsedKeys(
  crypto: SealCrypto,
  known: readonly SealKey[],
  offered: readonly SealKey[],
): Promise<Map<string, SealKey>> {
  const trusted = new Map(known.map((key) => [key.keyId, key]))
  for (const key of offered) {
    const before = key.endorsement && trusted.get(key.endorsement.previous)
    if (!trusted.has(key.keyId) && before && (await isEndorsed(crypto, key, before)))
      trusted.set(key.keyId, key)
  }
  return trusted
}

/** Whether `before` and the key itself both signed that it takes the other's place. */
export async function isEndorsed(
  { sha256, verify }: SealCrypto,
  key: SealKey,
  before: Pick<SealKey, 'keyId' | 'publicKey'>,
): Promise<boolean> {
  const { endorsement } = key
  if (endorsement === null || endorsement.previous !== before.keyId) return false
  const bytes = bytesOfBase64(key.publicKey)
  if ((await keyIdOf(sha256, bytes)) !== key.keyId) return false
  const signed = utf8(rotationText(key.at, before.keyId, key))
  return (
    (await verify(bytesOfBase64(before.publicKey), bytesOfBase64(endorsement.byPrevious), signed)) &&
    (await verify(bytes, bytesOfBase64(endorsement.byNew), signed))
  )
}

const trustedKey = async (
  crypto: SealCrypto,
  seal: Seal,
  known: readonly SealKey[],
): Promise<SealKey | undefined> => (await endorsedKeys(crypto, known, seal.keys)).get(seal.head.keyId)

type Placed = Pick<Seal, 'fact' | 'index' | 'path'>

/** Whether an entry is in the record of this head. */
async function isUnder(
  { sha256 }: SealCrypto,
  { fact, index, path }: Placed,
  head: SealHead,
): Promise<boolean> {
  const leaf = await leafHash(sha256, utf8(fact))
  const root = await rootByInclusion(sha256, leaf, { index, size: head.size, path: path.map(bytesOfHex) })
  return root !== undefined && isSame(root, bytesOfHex(head.root))
}

/** The newest version of the same report that is shown to be in a record signed by a known key. */
async function newerVersion(
  crypto: SealCrypto,
  fact: SealedFact,
  seal: Seal,
  known: readonly SealKey[],
  others: readonly Seal[],
): Promise<{ reportId: string; version: number; madeAt: number } | undefined> {
  const candidates = [
    ...(seal.supersededBy ? [{ placed: seal.supersededBy, of: seal }] : []),
    ...others.map((other) => ({ placed: other, of: other })),
  ]
  let newest: { reportId: string; version: number; madeAt: number } | undefined
  for (const { placed, of } of candidates) {
    const other = factOf(placed.fact)
    const version = other.data.version ?? 1
    if (firstIdOf(other) !== firstIdOf(fact) || version <= (newest?.version ?? fact.data.version ?? 1))
      continue
    const key = await trustedKey(crypto, of, known)
    if (key === undefined || !(await isSignedBy(crypto, of.head, key))) continue
    if (await isUnder(crypto, placed, of.head))
      newest = { reportId: other.data.reportId, version, madeAt: other.at }
  }
  return newest
}

const firstIdOf = ({ data }: SealedFact): string => data.firstId ?? data.reportId

function sealedFile(fact: SealedFact, made: SealedFact['data']['files'][number], seal: Seal): SealedFile {
  const { reportId, title, timeZone, version = 1 } = fact.data
  const { fileName, contentType, bytes } = made
  return {
    ...{ reportId, fileName, contentType, bytes, title, timeZone, version },
    ...{ madeAt: fact.at, firstId: firstIdOf(fact), position: fact.seq, head: seal.head },
  }
}

function notTheFile({ bytes }: FileDigest, { data }: SealedFact): string {
  const lengths = data.files
    .map(({ fileName, bytes: length }) => `${fileName} has ${length} bytes`)
    .join(', ')
  return `The file is none that was sealed: it has ${bytes} bytes, ${lengths}, and their SHA-256 are others.`
}

/** @throws ContractError */
function factOf(text: string): SealedFact {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    given = undefined
  }
  return decode(given, SealedFact, 'the sealed entry')
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** @throws DOMException where the text is no base64 */
export const bytesOfBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** For keys and signatures: each byte is an argument of one call, which takes some ten thousand. */
export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
