import { hash } from 'node:crypto'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { type Checksum, sumOfChunk } from '../checksums.ts'
import { clueOf } from './clue.ts'
import { HASH_BYTES, type ReadTile, rootOfHashes } from './tiles.ts'

/** Entries taken on as leaves in one go: some milliseconds. */
export const LEAVES_AT_ONCE = 4096

/** How far the tree is. `past`: entries that were there before the tree began; what was deleted of them by then is not in it. */
export type TreeSize = { size: number; past: number }

/**
 * Chunks that are checked together: those of one day, one place (a window or job of compaction) and a block of devices. Devices are
 * in blocks so that a change of one need not have the whole fleet's read again.
 */
export type GroupKey = { day: number; place: string; block: number }
/** `change`: grows with each change of any group; `root`: over `leafOfChunk` of its `chunks` by device, hex; `clue`: see `clueOf` */
export type ChunkGroup = GroupKey & { change: number; chunks: number; root: string; clue: string }

export const DEVICES_A_BLOCK = 4096
/** @param device its number @returns the number of the block */
export const blockOf = (device: number): number => Math.floor(device / DEVICES_A_BLOCK)

/** `isStated`: no change of it is left to be said; `faults`: devices whose chunk is not what its checksum was made of */
export type GroupAsIs = ChunkGroup & { isStated: boolean; faults: number[] }

/** What compaction did since it was last said: batches of (fromSeq, toSeq] became chunks, and these groups are others. */
export type Compacted = { fromSeq: number; toSeq: number; batches: string; groups: ChunkGroup[] }

/** Most of each that one fact says; of groups so few that no turn takes longer than some tens of milliseconds. */
export const MOST_STATED = { entries: 65_536, groups: 4 }

/** An entry of the record, hashed anew from what its row says; `what`: type of a fact, or undefined of a batch. */
export type HashedEntry = { seq: number; sum: Uint8Array; what: string | undefined }

/** The tree over the one sequence, its signed heads, and what is said of chunks. All reject with StoreUnavailable. */
export type SealStore = {
  /** takes entries on as leaves, some at a time; whether there are more */
  extend(): Promise<boolean>
  size(): Promise<TreeSize>
  tile: ReadTile
  /** newest first, with at most `size` entries where given, at most `limit` */
  heads(options?: { size?: number; limit?: number }): Promise<SealHead[]>
  /**
   * Keeps a head, unless it is of fewer entries than the last one, or of as many. Those older than two days are thinned to one an
   * hour. `term`: in which this node leads; whoever leads no more by then keeps none. @returns whether it is kept
   */
  keepHead(head: SealHead, term: number): Promise<boolean>
  /** from now on, and after a restart too, batches stay until a fact says that they were some */
  holdBatches(): Promise<void>
  /** what compaction did that no fact says yet; undefined: nothing */
  compacted(): Promise<Compacted | undefined>
  /** notes that a fact says it */
  noteStated(stated: Compacted): Promise<void>
  /** entries with after < seq ≤ upTo that have rows that can be read, hashed anew, in order */
  entries(after: number, upTo: number): Promise<HashedEntry[]>
  /** canonical JSON of a fact, of which its leaf is made; undefined: there is no fact of this number that can be read */
  factText(seq: number): Promise<string | undefined>
  /** the groups that chunks are in */
  groups(): Promise<GroupKey[]>
  /** a group as its rows are, hashed anew */
  group(key: GroupKey): Promise<GroupAsIs>
}

/** Heads older than this are thinned to one an hour, ms. */
export const HEADS_KEPT_MS = 2 * 86_400_000
export const HOUR_MS = 3_600_000

/** What stands for a chunk: whose it is, and its SHA-256. */
export function leafOfChunk(device: number, sum: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(1 + 4 + sum.length)
  bytes[0] = 0
  bytes.writeUInt32BE(device, 1)
  bytes.set(sum, 5)
  return hash('sha256', bytes, 'buffer')
}

export type ChunkToHash = { device: number; sum: Checksum; bytes: Uint8Array | undefined }

/** A group of these chunks, in order of their devices. `bytes` are hashed where they are given, else the checksum counts. */
export function chunkGroupOf(
  { day, place, block }: GroupKey,
  change: number,
  chunks: readonly ChunkToHash[],
): ChunkGroup {
  const leaves = new Uint8Array(chunks.length * HASH_BYTES)
  for (const [i, { device, sum, bytes }] of chunks.entries())
    leaves.set(leafOfChunk(device, bytes ? sumOfChunk(bytes) : (sum ?? NO_SUM)), i * HASH_BYTES)
  const devices = chunks.map(({ device }) => device)
  const root = Buffer.from(rootOfHashes(leaves)).toString('hex')
  return { day, place, block, change, chunks: chunks.length, root, clue: clueOf(devices, leaves) }
}

/** Devices whose bytes and checksum do not belong together. */
export const faultsOf = (chunks: readonly ChunkToHash[]): number[] =>
  chunks.flatMap(({ device, sum, bytes }) =>
    bytes && sum && Buffer.compare(sumOfChunk(bytes), sum) !== 0 ? [device] : [],
  )

const NO_SUM = new Uint8Array(HASH_BYTES)

/** Which of the entries with from < seq ≤ to are batches, a bit each, the first the highest of the first byte; base64. */
export function bitsOf(from: number, to: number, seqs: readonly number[]): string {
  const bits = new Uint8Array(Math.ceil((to - from) / 8))
  for (const seq of seqs) {
    const at = seq - from - 1
    bits[at >> 3] = (bits[at >> 3] as number) | (128 >> (at & 7))
  }
  return Buffer.from(bits).toString('base64')
}

/** What `bitsOf` wrote, ascending. @param from the entry before that of the first bit */
export function seqsOfBits(from: number, bits: string): number[] {
  const seqs: number[] = []
  for (const [i, byte] of Buffer.from(bits, 'base64').entries())
    for (let bit = 0; bit < 8; bit++) if (byte & (128 >> bit)) seqs.push(from + 1 + i * 8 + bit)
  return seqs
}

/** Leaves for the entries after `size` up to `upTo`; `instead` stands where there is none. */
export function leavesInOrder(
  size: number,
  upTo: number,
  found: Iterable<{ seq: number; sum: Uint8Array }>,
  instead: Uint8Array,
): Uint8Array[] {
  const leaves = Array.from({ length: upTo - size }, () => instead)
  for (const { seq, sum } of found) if (seq <= upTo) leaves[seq - size - 1] = sum
  return leaves
}
