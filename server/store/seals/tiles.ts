import { hash } from 'node:crypto'
import { type LeafRange, leavesLeft, nodeBytes } from '#machines/rules/merkle-tree.ts'

/**
 * The tree over the record, as it is stored. A tile of level 0 is 256 leaves; one of level n is the roots of 256 whole tiles of the
 * level below. The last tile of a level may be shorter. What lies between is calculated: it costs less than to keep it.
 */
export const TILE = 256
const LEVEL_BITS = 8
export const HASH_BYTES = 32

/** `tile`: counted from 0 in its level; `bytes`: its hashes, one behind the other */
export type Tile = { level: number; tile: number; bytes: Uint8Array }
/** Undefined: there is none. */
export type ReadTile = (
  level: number,
  tile: number,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>

/** Leaf of an entry of which nothing was there any more when the tree began: SHA-256 of 0x00 alone. */
export const NOTHING_LEFT: Uint8Array = hash('sha256', Uint8Array.of(0), 'buffer')

/** A part of the tree is missing or cannot be read: which, and what helps. Until then nothing is signed. */
export class TreeUnreadable extends Error {
  constructor(part: string) {
    super(
      `${part}: restore-days writes what can be read into a new file, and begins the tree anew where it has to; with a database, its backup has it`,
    )
    this.name = 'TreeUnreadable'
  }
}

/** A tile that should be there is not, or is too short. */
export class TileMissing extends TreeUnreadable {
  constructor(level: number, tile: number) {
    super(`tile ${tile} of level ${level} of the tree is missing or too short`)
    this.name = 'TileMissing'
  }
}

/** The row that says how far the tree is. @param why SQLite's words, where it is there and cannot be read */
export const noTreeRow = (why = 'it is missing'): TreeUnreadable =>
  new TreeUnreadable(`how far the tree over the record is cannot be read (table seal_tree: ${why})`)

/**
 * The tiles that are new or longer when leaves are put behind the `size` that there are.
 * @param last the bytes there are of the last tile of a level, asked for where it is not full
 */
export function tilesWith(
  size: number,
  leaves: readonly Uint8Array[],
  last: (level: number) => Uint8Array,
): Tile[] {
  const changed: Tile[] = []
  let added = leaves
  for (let level = 0, count = size; added.length > 0; level++, count = Math.floor(count / TILE)) {
    const whole: Uint8Array[] = []
    const before = count % TILE
    let bytes = before === 0 ? new Uint8Array(0) : last(level).subarray(0, before * HASH_BYTES)
    if (bytes.length < before * HASH_BYTES) throw new TileMissing(level, Math.floor(count / TILE))
    for (let tile = Math.floor(count / TILE), from = 0; from < added.length; tile++) {
      const some = added.slice(from, from + TILE - bytes.length / HASH_BYTES)
      bytes = joined(bytes, some)
      from += some.length
      changed.push({ level, tile, bytes })
      if (bytes.length === TILE * HASH_BYTES) whole.push(rootOfHashes(bytes))
      bytes = new Uint8Array(0)
    }
    added = whole
  }
  return changed
}

function joined(bytes: Uint8Array, hashes: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(bytes.length + hashes.length * HASH_BYTES)
  all.set(bytes)
  for (const [i, each] of hashes.entries()) all.set(each, bytes.length + i * HASH_BYTES)
  return all
}

const hashOfNode = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  hash('sha256', nodeBytes(left, right), 'buffer')

/** The root over hashes that stand one behind the other, as RFC 9162 has it; over none: SHA-256 of nothing. */
export function rootOfHashes(bytes: Uint8Array): Uint8Array {
  const count = bytes.length / HASH_BYTES
  if (count === 0) return hash('sha256', bytes, 'buffer')
  if (count === 1) return bytes.slice()
  const middle = leavesLeft(count) * HASH_BYTES
  return hashOfNode(rootOfHashes(bytes.subarray(0, middle)), rootOfHashes(bytes.subarray(middle)))
}

/**
 * The root over some leaves that are there: a whole tree from 0 on, or what paths of it are made of.
 * @throws TileMissing
 */
export async function rootOfRange(read: ReadTile, { from, to }: LeafRange): Promise<Uint8Array> {
  const count = to - from
  const height = Math.log2(count)
  if (count > 1 && !(Number.isInteger(height) && from % count === 0)) {
    const middle = from + leavesLeft(count)
    return hashOfNode(
      await rootOfRange(read, { from, to: middle }),
      await rootOfRange(read, { from: middle, to }),
    )
  }
  const level = Math.floor(height / LEVEL_BITS)
  const first = from / TILE ** level
  const hashes = 2 ** (height % LEVEL_BITS)
  const tile = Math.floor(first / TILE)
  const bytes = await read(level, tile)
  const start = (first % TILE) * HASH_BYTES
  const end = start + hashes * HASH_BYTES
  if (bytes === undefined || bytes.length < end) throw new TileMissing(level, tile)
  return rootOfHashes(bytes.subarray(start, end))
}

/** Reads each tile once. */
export function readOnce(read: ReadTile): ReadTile {
  const kept = new Map<string, ReturnType<ReadTile>>()
  return (level, tile) => {
    const name = `${level} ${tile}`
    if (!kept.has(name)) kept.set(name, read(level, tile))
    return kept.get(name)
  }
}
