import { is } from 'superstruct'
import { SealHead, type SealKey } from '#machines/contracts/entities/seals.ts'
import { hexOf } from '#machines/rules/merkle-tree.ts'
import { isSignedBy } from '#machines/rules/verify-seal.ts'
import { deviceBetween } from '../../store/seals/clue.ts'
import type { GroupAsIs, SealStore, TreeSize } from '../../store/seals/seal-store.ts'
import {
  HASH_BYTES,
  NOTHING_LEFT,
  readOnce,
  rootOfHashes,
  rootOfRange,
  TILE,
  TreeUnreadable,
} from '../../store/seals/tiles.ts'
import { type EventLog, StoreUnavailable } from '../../store/store.ts'
import { begunAnewAfter, keysOf, NODE_CRYPTO, unvouched } from './keys.ts'
import { nameOfGroup, type StatedGroup, type Statements, statementsOf } from './statements.ts'

/** What of a record does not fit what was signed: where, and why. */
export type LogFinding = { part: 'key' | 'head' | 'tree' | 'entry' | 'chunks'; key: string; reason: string }

/** `done` of `of` entries are looked at; `found` since the last step */
export type VerifyStep = { done: number; of: number; found: LogFinding[] }

/** What does not fit, in a line. */
export const findingWords = ({ part, key, reason }: LogFinding): string => `${part} ${key}: ${reason}`

export type SealedRecord = {
  seals: Pick<SealStore, 'size' | 'tile' | 'heads' | 'entries' | 'groups' | 'group'>
  log: Pick<EventLog, 'readFacts'>
}

/** A head that somebody kept elsewhere, e.g. out of a mail. */
export type GivenHead = { size: number; root: string }

/**
 * Holds the whole record against its tree, and the tree against its signed heads, some at a time: keys and heads first, then each
 * entry, then the chunks that batches became. Of a record that is written to it sees what was there when it came by.
 */
export async function* verifyLog(
  record: SealedRecord,
  given: readonly GivenHead[] = [],
): AsyncGenerator<VerifyStep> {
  const { seals, log } = record
  const keys = keysOf(log)
  yield { done: 0, of: 0, found: await wrongKeys(keys) }
  let tree: TreeSize
  try {
    tree = await seals.size()
  } catch (error) {
    yield { done: 0, of: 0, found: [unreadable(error, 'tree', 'all')] }
    return
  }
  const { size, past } = tree
  const anewAfter = begunAnewAfter(log, past)
  if (anewAfter !== undefined) yield { done: 0, of: size, found: [begunAnew(anewAfter)] }
  yield { done: 0, of: size, found: await wrongHeads(seals, keys, { size, anewAfter, given }) }
  const statements = statementsOf(log)
  for (let tile = 0; tile * TILE < size; tile++) {
    const upTo = Math.min(size, (tile + 1) * TILE)
    const found = await wrongTile(record, statements, { tile, upTo, past }).catch((error: unknown) => [
      unreadable(error, 'tree', `0/${tile}`),
    ])
    yield { done: upTo, of: size, found }
  }
  yield* wrongChunks(seals, statements, size)
}

/** A part that cannot be read is named, and the others are looked at. @throws StoreUnavailable as it came */
function unreadable(error: unknown, part: LogFinding['part'], key: string): LogFinding {
  if (error instanceof StoreUnavailable) throw error
  const { message } =
    error instanceof TreeUnreadable ? error : new TreeUnreadable(`it cannot be read (${error})`)
  return { part, key, reason: message }
}

const begunAnew = (after: number): LogFinding => ({
  part: 'tree',
  key: `from ${after + 1}`,
  reason: `it was begun anew there, as the one before could not be read: the ${after} entries before are in it as they were found, and heads that were given out by then cannot be held against it, only against a backup of then; whoever verifies has to be told`,
})

async function wrongKeys(keys: readonly SealKey[]): Promise<LogFinding[]> {
  return (await unvouched(keys)).map(({ keyId, at }) => ({
    part: 'key',
    key: keyId,
    reason: `no key before it vouches for it: it signs since ${iso(at)}, and whoever verifies has to be told`,
  }))
}

async function wrongHeads(
  { heads, tile }: SealedRecord['seals'],
  keys: readonly SealKey[],
  {
    size,
    anewAfter = 0,
    given,
  }: { size: number; anewAfter: number | undefined; given: readonly GivenHead[] },
): Promise<LogFinding[]> {
  const found: LogFinding[] = []
  const kept = await heads({ limit: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => {
    found.push(unreadable(error, 'head', 'all'))
    return undefined
  })
  if (kept?.length === 0 && size > 0)
    found.push({ part: 'head', key: 'all', reason: `none is kept, and the tree has ${size} entries` })
  const note = (head: GivenHead, reason: string): void => {
    found.push({ part: 'head', key: String(head.size), reason })
  }
  const read = readOnce(tile)
  const rootAt = async (at: number): Promise<string | undefined> => {
    if (at > size) return undefined
    return rootOfRange(read, { from: 0, to: at }).then(hexOf, () => undefined)
  }
  const oldestFirst = kept?.reverse() ?? []
  for (const head of oldestFirst) {
    const fault = await signatureFault(head, keys)
    if (fault !== undefined) note(head, fault)
  }
  // where the tree does not lead to a head, it does to none after it: the first of them says since when
  for (const head of oldestFirst) {
    const fault = treeFault(head, await rootAt(head.size), size)
    if (fault === undefined) continue
    note(head, `${fault}; heads after it are not looked at`)
    break
  }
  for (const head of given) {
    const fault =
      head.size <= anewAfter
        ? `it is of the tree before this one, which was begun anew after entry ${anewAfter}`
        : treeFault(head, await rootAt(head.size), size)
    if (fault !== undefined) note(head, `the one that was given: ${fault}`)
  }
  return found
}

async function signatureFault(head: SealHead, keys: readonly SealKey[]): Promise<string | undefined> {
  if (!is(head, SealHead)) return 'it is not written as heads are'
  const key = keys.find(({ keyId }) => keyId === head.keyId)
  if (key === undefined) return `it is signed by ${head.keyId}, which the record does not know`
  return (await isSignedBy(NODE_CRYPTO, head, key)) ? undefined : 'its signature does not hold'
}

function treeFault(head: GivenHead, root: string | undefined, size: number): string | undefined {
  if (head.size > size)
    return `it is of ${head.size} entries, and the tree has ${size}: the end of the record is gone`
  if (root === undefined) return 'parts of the tree are missing, so that it cannot be held against it'
  return root === head.root ? undefined : 'the tree does not lead to it: leaves were changed'
}

/** 256 entries: their leaves, what stands above them, and the rows they were made of. */
async function wrongTile(
  { seals }: SealedRecord,
  statements: Statements,
  { tile, upTo, past }: { tile: number; upTo: number; past: number },
): Promise<LogFinding[]> {
  const from = tile * TILE
  const leaves = (await seals.tile(0, tile)) ?? new Uint8Array(0)
  const entries = await seals.entries(from, upTo)
  // after the rows: a batch is deleted after a fact says that it was one
  await statements.readUpTo(upTo)
  const found = await wrongAbove(seals, tile, leaves, upTo)
  const rows = new Map(entries.map((entry) => [entry.seq, entry]))
  for (let seq = from + 1; seq <= upTo; seq++) {
    const start = (seq - from - 1) * HASH_BYTES
    const leaf = leaves.subarray(start, start + HASH_BYTES)
    if (leaf.length < HASH_BYTES) continue
    const row = rows.get(seq)
    const isEmpty = Buffer.compare(leaf, NOTHING_LEFT) === 0
    if (row === undefined) {
      if (!(isEmpty && seq <= past) && !statements.isBatch(seq))
        found.push({
          part: 'entry',
          key: String(seq),
          reason: 'it is gone, and no fact says that it was a batch',
        })
    } else if (Buffer.compare(leaf, row.sum) !== 0) {
      const what = row.what === undefined ? 'the batch of readings' : `the fact ${row.what}`
      found.push({
        part: 'entry',
        key: String(seq),
        reason: `${what} is not what was taken on into the tree`,
      })
    }
  }
  return found
}

/** Whether a whole tile is as the level above it says, and so on upwards. */
async function wrongAbove(
  seals: SealedRecord['seals'],
  tile: number,
  leaves: Uint8Array,
  upTo: number,
): Promise<LogFinding[]> {
  const expected = (upTo - tile * TILE) * HASH_BYTES
  if (leaves.length < expected)
    return [
      {
        part: 'tree',
        key: `0/${tile}`,
        reason: `${expected - leaves.length} bytes of its leaves are missing`,
      },
    ]
  const found: LogFinding[] = []
  let [bytes, number] = [leaves, tile]
  for (let level = 0; bytes.length === TILE * HASH_BYTES; level++) {
    const above = (await seals.tile(level + 1, Math.floor(number / TILE))) ?? new Uint8Array(0)
    const start = (number % TILE) * HASH_BYTES
    if (Buffer.compare(above.subarray(start, start + HASH_BYTES), rootOfHashes(bytes)) !== 0)
      found.push({
        part: 'tree',
        key: `${level}/${number}`,
        reason: 'it or what stands above it was changed',
      })
    // only with the last tile below it is one above looked at
    if (number % TILE !== TILE - 1) break
    number = Math.floor(number / TILE)
    bytes = above
  }
  return found
}

/** Chunks against the last word about each group; one that was changed a moment ago and is not said yet is left for the next time. */
async function* wrongChunks(
  seals: SealedRecord['seals'],
  statements: Statements,
  size: number,
): AsyncGenerator<VerifyStep> {
  await statements.readUpTo(Number.POSITIVE_INFINITY)
  const there = new Map((await seals.groups()).map((group) => [nameOfGroup(group), group]))
  for (const { name, group } of statements.groups()) if (!there.has(name)) there.set(name, group)
  for (const [name, key] of there) {
    let group: GroupAsIs
    try {
      group = await seals.group(key)
    } catch (error) {
      yield { done: size, of: size, found: [unreadable(error, 'chunks', name)] }
      continue
    }
    // what was said while this was read
    await statements.readUpTo(Number.POSITIVE_INFINITY)
    const found: LogFinding[] = []
    const note = (reason: string): void => {
      found.push({ part: 'chunks', key: name, reason })
    }
    for (const device of group.faults)
      note(`the chunk of device ${device} is not what its checksum was made of`)
    const stated = statements.of(name)
    if (group.isStated && stated === undefined && group.chunks > 0)
      note('no fact says that they were written')
    if (group.isStated && stated !== undefined && stated.change >= group.change && stated.root !== group.root)
      note(otherChunks(group, stated))
    yield { done: size, of: size, found }
  }
}

/** How chunks differ from those that were written; of one alone, whose it is. */
function otherChunks(group: GroupAsIs, stated: StatedGroup): string {
  const device = stated.clue === undefined ? undefined : deviceBetween(stated.clue, group.clue)
  if (group.chunks === stated.chunks)
    return device === undefined
      ? 'they are not those that were written'
      : `the chunk of device ${device} is not the one that was written`
  const counted = `${group.chunks} are there, and ${stated.chunks} were written`
  if (device === undefined) return counted
  return `${counted}: that of device ${device} ${group.chunks < stated.chunks ? 'is missing' : 'was none of them'}`
}

const iso = (at: number): string => new Date(at).toISOString()
