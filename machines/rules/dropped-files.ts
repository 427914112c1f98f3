import { ContractError, decode } from '../contracts/decode.ts'
import {
  ConsistencyProof,
  Seal,
  SealedFact,
  SealHead,
  type SealKey,
  SealKeys,
} from '../contracts/entities/seals.ts'
import { headInMail, looksLikeHeadMail } from './head-in-mail.ts'
import { bytesOfHex, hexOf, verifyConsistency } from './merkle-tree.ts'
import {
  base64Of,
  bytesOfBase64,
  endorsedKeys,
  isSignedBy,
  type SealAnswer,
  type SealCrypto,
  verifySeal,
} from './verify-seal.ts'

/** A file as somebody gave it. */
export type GivenFile = { name: string; bytes: Uint8Array }

/**
 * What there is to say of one given file. `no-seal`, `no-file`: its other half was not given; `unreadable`: it is none of ours, or
 * was changed so that it is none any more; `same-log`, `other-log`: whether the record of a later head begins with that of an earlier;
 * `head`: one that was signed, and nothing to hold it against; `unknown-head-key`: it is not known by whom.
 */
export type FileResult = { name: string } & (
  | SealAnswer
  | { is: 'no-seal' }
  | { is: 'no-file'; sealed: string[] }
  | { is: 'unreadable'; why: string }
  | { is: 'same-log'; before: number; after: SealHead }
  | { is: 'other-log'; why: string }
  | { is: 'head'; head: SealHead }
  | { is: 'unknown-head-key'; keyId: string }
)

type Read =
  | { is: 'seal'; name: string; seal: Seal; fact: SealedFact }
  | { is: 'keys'; name: string; keys: readonly SealKey[] }
  | { is: 'head'; name: string; head: SealHead }
  | { is: 'proof'; name: string; proof: ConsistencyProof }
  | { is: 'unreadable'; name: string; why: string }
  | { is: 'file'; name: string; bytes: Uint8Array }

/**
 * What there is to say of each of some files: reports with their seals, and two heads with the proof that they are of one record.
 * @param known keys whoever asks trusts; those in a file of keys among the given ones are trusted too
 */
export async function verifyFiles(
  crypto: SealCrypto,
  given: readonly GivenFile[],
  known: readonly SealKey[],
): Promise<{ results: FileResult[]; keys: SealKey[] }> {
  const read = given.map(readFile)
  const keys = withoutRepeats([...known, ...read.flatMap((one) => (one.is === 'keys' ? one.keys : []))])
  const seals = read.filter((one) => one.is === 'seal')
  const isOnlyFile = read.filter(({ is }) => is === 'file').length === 1
  const results: FileResult[] = []
  const used = new Set<(typeof seals)[number]>()
  for (const one of read) {
    if (one.is === 'unreadable') results.push(one)
    if (one.is !== 'file') continue
    const digest = { sha256: hexOf(await crypto.sha256(one.bytes)), bytes: one.bytes.length }
    const seal = sealOf(one.name, digest.sha256, seals, isOnlyFile)
    if (seal === undefined) results.push({ name: one.name, is: 'no-seal' })
    else {
      used.add(seal)
      const others = seals.filter((other) => other !== seal).map((other) => other.seal)
      results.push({ name: one.name, ...(await strictly(crypto, digest, seal, keys, others)) })
    }
  }
  for (const seal of seals)
    if (!used.has(seal))
      results.push({
        name: seal.name,
        is: 'no-file',
        sealed: seal.fact.data.files.map(({ fileName }) => fileName),
      })
  results.push(...(await logsOf(crypto, read, keys)))
  return { results, keys }
}

/** A seal without any leeway: what of it the answer does not rest on must be whole too. */
async function strictly(
  crypto: SealCrypto,
  digest: { sha256: string; bytes: number },
  { seal }: { seal: Seal },
  keys: readonly SealKey[],
  others: readonly Seal[],
): Promise<SealAnswer> {
  const answer = await verifySeal(crypto, digest, seal, keys, others)
  if (answer.is !== 'genuine' && answer.is !== 'superseded') return answer
  const trusted = await endorsedKeys(crypto, keys, seal.keys)
  const other = seal.keys.find((key) => !isSameKey(trusted.get(key.keyId), key))
  const why =
    other !== undefined
      ? `The key ${other.keyId} in the seal is not the one that is known here.`
      : seal.supersededBy !== undefined && answer.is === 'genuine'
        ? 'The seal names a later version that is not in the record that was signed.'
        : undefined
  if (why === undefined) return answer
  const step = other === undefined ? ('newest' as const) : ('key' as const)
  return {
    is: 'changed',
    why,
    steps: [...answer.steps.filter((one) => one.step !== step), { step, holds: false, says: why }],
  }
}

function isSameKey(known: SealKey | undefined, key: SealKey): boolean {
  const [a, b] = [known?.endorsement, key.endorsement]
  return (
    known?.publicKey === key.publicKey &&
    known.at === key.at &&
    a?.previous === b?.previous &&
    a?.byPrevious === b?.byPrevious &&
    a?.byNew === b?.byNew
  )
}

/** The seal a file belongs to: that which names its bytes, else its name; of one file and one seal these two. */
function sealOf<S extends { name: string; fact: SealedFact }>(
  name: string,
  sha256: string,
  seals: readonly S[],
  isOnlyFile: boolean,
): S | undefined {
  const names = (test: (file: SealedFact['data']['files'][number]) => boolean) =>
    seals.find(({ fact }) => fact.data.files.some(test))
  return (
    names((file) => file.sha256 === sha256) ??
    names(({ fileName }) => fileName === baseName(name)) ??
    (isOnlyFile && seals.length === 1 ? seals[0] : undefined)
  )
}

const baseName = (name: string): string => name.split('/').at(-1) ?? name

/** Of an earlier head and a proof: whether the record of today begins with what it was then. */
async function logsOf(
  crypto: SealCrypto,
  read: readonly Read[],
  keys: readonly SealKey[],
): Promise<FileResult[]> {
  const heads = read.filter((one) => one.is === 'head')
  const proofs = read.filter((one) => one.is === 'proof')
  const results: FileResult[] = []
  for (const { name, proof } of proofs) {
    const before = heads.find(({ head }) => head.size === proof.size)
    const why = await whyOtherLog(
      crypto,
      proof,
      before?.head,
      heads.map(({ head }) => head),
      keys,
    )
    results.push(
      why === undefined
        ? { name, is: 'same-log', before: proof.size, after: proof.to }
        : { name, is: 'other-log', why },
    )
  }
  for (const { name, head } of heads) {
    const isHeldAgainst = proofs.some(({ proof }) => [proof.size, proof.to.size].includes(head.size))
    if (!isHeldAgainst) results.push({ name, ...(await aloneOf(crypto, head, keys)) })
  }
  return results
}

/** What there is to say of a head by itself. */
async function aloneOf(crypto: SealCrypto, head: SealHead, keys: readonly SealKey[]) {
  const key = keys.find(({ keyId }) => keyId === head.keyId)
  if (key === undefined) return { is: 'unknown-head-key' as const, keyId: head.keyId }
  if (await isSignedBy(crypto, head, key)) return { is: 'head' as const, head }
  return { is: 'other-log' as const, why: notSigned(head) }
}

const notSigned = ({ size }: SealHead): string =>
  `The head of ${size} entries was not signed by its key: it was changed.`

async function whyOtherLog(
  crypto: SealCrypto,
  { size, root, to, path }: ConsistencyProof,
  before: SealHead | undefined,
  heads: readonly SealHead[],
  keys: readonly SealKey[],
): Promise<string | undefined> {
  if (before === undefined) return `The earlier head, of ${size} entries, is not among what was given.`
  if (before.root !== root) return 'The earlier head has another root than the proof says.'
  const after = heads.find((head) => head.size === to.size)
  if (after !== undefined && after !== before && JSON.stringify(after) !== JSON.stringify(to))
    return 'The later head is another than the proof says.'
  for (const head of [before, to]) {
    const key = keys.find(({ keyId }) => keyId === head.keyId)
    if (key === undefined) return `The key ${head.keyId} is not known here.`
    if (!(await isSignedBy(crypto, head, key))) return notSigned(head)
  }
  const isOne = await verifyConsistency(
    crypto.sha256,
    { size, root: bytesOfHex(root) },
    { size: to.size, root: bytesOfHex(to.root) },
    path.map(bytesOfHex),
  )
  return isOne
    ? undefined
    : 'The later record does not begin with the earlier: something in it was changed or left out.'
}

function readFile({ name, bytes }: GivenFile): Read {
  if (/\.(txt|eml)$/i.test(name)) return readMail(name, bytes)
  if (!/\.json$/i.test(name)) return { is: 'file', name, bytes }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return readJson(name, text)
  } catch (error) {
    const why = error instanceof ContractError ? error.message : 'It is not JSON any more.'
    return { is: 'unreadable', name, why }
  }
}

/** The mail of a daily head, as a file or its text; another text is a file like any. */
function readMail(name: string, bytes: Uint8Array): Read {
  const text = bytes.length > MOST_OF_MAIL ? '' : new TextDecoder().decode(bytes)
  const head = headInMail(text)
  if (head !== undefined) return { is: 'head', name, head }
  if (!looksLikeHeadMail(text)) return { is: 'file', name, bytes }
  return {
    is: 'unreadable',
    name,
    why: 'It looks like the mail of a daily head, but one of its five lines (entries, root, signed, key, signature) is missing or was changed.',
  }
}

/** Bytes: what is larger is no mail of ours. */
const MOST_OF_MAIL = 1_000_000

/** @throws SyntaxError, ContractError */
function readJson(name: string, text: string): Read {
  const value: unknown = JSON.parse(text)
  const has = (field: string): boolean => typeof value === 'object' && value !== null && field in value
  if (has('keys') && !has('fact'))
    return { is: 'keys', name, keys: decode(value, SealKeys, 'file of keys').keys }
  if (has('to') && has('path')) return { is: 'proof', name, proof: decode(value, ConsistencyProof, 'proof') }
  if (has('root') && has('signature')) return { is: 'head', name, head: decode(value, SealHead, 'head') }
  const seal = decode(value, Seal, 'seal')
  const fact = decode(JSON.parse(seal.fact), SealedFact, 'the sealed entry')
  // so that it can be read further on
  if (seal.supersededBy) decode(JSON.parse(seal.supersededBy.fact), SealedFact, 'the later version')
  const why = looseIn(text, value)
  return why === undefined ? { is: 'seal', name, seal, fact } : { is: 'unreadable', name, why }
}

const NAMES = new Set(
  ['is', 'v', 'fact', 'index', 'path', 'head', 'supersededBy', 'keys']
    .concat(['size', 'root', 'at', 'keyId', 'signature'])
    .concat(['publicKey', 'endorsement', 'previous', 'byPrevious', 'byNew']),
)
const SIGNATURES = ['signature', 'publicKey', 'byPrevious', 'byNew']

/** Where a seal could be written otherwise and mean the same: nobody but who changed it did. */
function looseIn(text: string, value: unknown): string | undefined {
  if (JSON.stringify(value) !== text) return 'It is not written as Frostline writes seals.'
  let why: string | undefined
  JSON.parse(text, (field, one: unknown) => {
    if (field !== '' && !/^\d+$/.test(field) && !NAMES.has(field)) why = `A seal has no field ${field}.`
    if (SIGNATURES.includes(field) && typeof one === 'string' && base64Of(bytesOfBase64(one)) !== one)
      why = `${field} is not written as Frostline writes it.`
    return one
  })
  return why
}

const withoutRepeats = (keys: readonly SealKey[]): SealKey[] => [
  ...new Map(keys.map((key) => [`${key.keyId} ${key.publicKey}`, key])).values(),
]
