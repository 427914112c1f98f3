/**
 * A Merkle tree as in RFC 9162 §2.1, over leaves counted from 0. Nothing here hashes by itself: a browser and a server are each
 * given SHA-256 as they have it.
 */

/** SHA-256. */
export type Hash = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** Leaves from `from` up to, not including, `to`. */
export type LeafRange = { from: number; to: number }

/** What is hashed of an entry, and of two nodes: the first byte says which, so that one is never taken for the other. */
const LEAF = 0
const NODE = 1

/** Hash of a leaf: SHA-256 of 0x00 and its bytes. */
export const leafHash = (hash: Hash, bytes: Uint8Array): ReturnType<Hash> => hash(prefixed(LEAF, bytes))

/** Hash of two nodes: SHA-256 of 0x01, the left and the right one. */
export const nodeHash = (hash: Hash, left: Uint8Array, right: Uint8Array): ReturnType<Hash> =>
  hash(nodeBytes(left, right))

/** What is hashed of two nodes. */
export const nodeBytes = (left: Uint8Array, right: Uint8Array): Uint8Array => prefixed(NODE, left, right)

function prefixed(first: number, ...parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(1 + parts.reduce((sum, { length }) => sum + length, 0))
  bytes[0] = first
  let at = 1
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The largest power of two below `count`, which is 2 or more: how many leaves are left of a node over `count`. */
export function leavesLeft(count: number): number {
  let left = 1
  while (left * 2 < count) left *= 2
  return left
}

/** Subtrees whose hashes show that leaf `index` is in the tree of the first `size`; from the leaf up. Empty where there is none. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!(index >= 0 && index < size)) return []
  const found: LeafRange[] = []
  let { from, to }: LeafRange = { from: 0, to: size }
  while (to - from > 1) {
    const middle = from + leavesLeft(to - from)
    if (index < middle) {
      found.unshift({ from: middle, to })
      to = middle
    } else {
      found.unshift({ from, to: middle })
      from = middle
    }
  }
  return found
}

/** Subtrees whose hashes show that the tree of the first `size` begins with that of the first `before`. */
export function consistencyRanges(before: number, size: number): LeafRange[] {
  if (!(before > 0 && before < size)) return []
  const found: LeafRange[] = []
  let { from, to }: LeafRange = { from: 0, to: size }
  while (to !== before) {
    const middle = from + leavesLeft(to - from)
    if (before <= middle) {
      found.unshift({ from: middle, to })
      to = middle
    } else {
      found.unshift({ from, to: middle })
      from = middle
    }
  }
  return from === 0 ? found : [{ from, to }, ...found]
}

/** Hash of the empty tree's root is SHA-256 of nothing. */
export async function rootOf(hash: Hash, leaves: readonly Uint8Array[]): Promise<Uint8Array> {
  if (leaves.length === 0) return hash(new Uint8Array(0))
  if (leaves.length === 1) return leaves[0] as Uint8Array
  const left = leavesLeft(leaves.length)
  return nodeHash(hash, await rootOf(hash, leaves.slice(0, left)), await rootOf(hash, leaves.slice(left)))
}

/**
 * The root that a leaf and its path lead to (RFC 9162 §2.1.3.2); undefined: the path is not as long as one of this leaf is.
 * @param path hashes of `inclusionRanges`
 */
export async function rootByInclusion(
  hash: Hash,
  leaf: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly Uint8Array[] },
): Promise<Uint8Array | undefined> {
  const ranges = inclusionRanges(index, size)
  if (!(index >= 0 && index < size) || ranges.length !== path.length) return undefined
  let node = leaf
  for (const [i, beside] of path.entries())
    node =
      (ranges[i] as LeafRange).from > index
        ? await nodeHash(hash, node, beside)
        : await nodeHash(hash, beside, node)
  return node
}

/** Whether a leaf is in the tree of this root and size. */
export async function verifyInclusion(
  hash: Hash,
  leaf: Uint8Array,
  place: { index: number; size: number; path: readonly Uint8Array[] },
  root: Uint8Array,
): Promise<boolean> {
  const found = await rootByInclusion(hash, leaf, place)
  return found !== undefined && isSame(found, root)
}

/** A tree as two of its times saw it. */
export type TreeHead = { size: number; root: Uint8Array }

/**
 * Whether the tree of `after` begins with that of `before`, so that nothing of it was changed since (RFC 9162 §2.1.4.2).
 * @param path hashes of `consistencyRanges`
 */
export async function verifyConsistency(
  hash: Hash,
  before: TreeHead,
  after: TreeHead,
  path: readonly Uint8Array[],
): Promise<boolean> {
  if (before.size > after.size) return false
  if (before.size === after.size) return path.length === 0 && isSame(before.root, after.root)
  if (before.size === 0) return path.length === 0
  const ranges = consistencyRanges(before.size, after.size)
  if (path.length !== ranges.length) return false
  // where the first tree is one whole subtree of the second, its root stands for it
  const isWhole = ranges[0]?.from === before.size
  const hashes = isWhole ? [before.root, ...path] : [...path]
  const places = isWhole ? [{ from: 0, to: before.size }, ...ranges] : ranges
  let [old, whole] = [hashes[0] as Uint8Array, hashes[0] as Uint8Array]
  for (let i = 1; i < hashes.length; i++) {
    const beside = hashes[i] as Uint8Array
    if ((places[i] as LeafRange).from >= before.size) whole = await nodeHash(hash, whole, beside)
    else {
      old = await nodeHash(hash, beside, old)
      whole = await nodeHash(hash, beside, whole)
    }
  }
  return isSame(old, before.root) && isSame(whole, after.root)
}

/** Whether two hashes are the same. */
export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** Small letters, two a byte. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Two digits a byte. What is no hexadecimal digit gives other bytes and throws nothing: check the text first. */
export const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
