import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesOfHex,
  consistencyRanges,
  hexOf,
  inclusionRanges,
  type LeafRange,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle-tree.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

/** The leaves that RFC 6962's own tests use. */
const KNOWN = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leavesOf = (texts: readonly string[]): Promise<Uint8Array[]> =>
  Promise.all(texts.map(async (text) => leafHash(sha256, bytesOfHex(text))))

/** `count` leaves that differ. */
const someLeaves = (count: number): Promise<Uint8Array[]> =>
  Promise.all(Array.from({ length: count }, async (_, i) => leafHash(sha256, Uint8Array.of(i, i >> 8))))

const hashesOf = (leaves: readonly Uint8Array[], ranges: readonly LeafRange[]): Promise<Uint8Array[]> =>
  Promise.all(ranges.map(({ from, to }) => rootOf(sha256, leaves.slice(from, to))))

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, i) => (i === (bit >> 3) % bytes.length ? byte ^ (1 << (bit & 7)) : byte))

describe('a tree', () => {
  it('has the roots that RFC 6962 gives its leaves', async () => {
    const leaves = await leavesOf(KNOWN)
    const roots = await Promise.all(ROOTS.map((_, i) => rootOf(sha256, leaves.slice(0, i + 1))))
    expect(roots.map(hexOf)).toEqual(ROOTS)
    expect(hexOf(await rootOf(sha256, []))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })

  it('has the path that RFC 6962 gives the first of eight leaves', async () => {
    const path = await hashesOf(await leavesOf(KNOWN), inclusionRanges(0, 8))
    expect(path.map(hexOf)).toEqual([
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ])
  })

  it('shows each leaf to be in it, and no other and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, at, bit) => {
        const leaves = await someLeaves(size)
        const index = at % size
        const root = await rootOf(sha256, leaves)
        const leaf = leaves[index] as Uint8Array
        const place = { index, size, path: await hashesOf(leaves, inclusionRanges(index, size)) }
        expect(await verifyInclusion(sha256, leaf, place, root)).toBe(true)
        expect(await verifyInclusion(sha256, flipped(leaf, bit), place, root)).toBe(false)
        expect(await verifyInclusion(sha256, leaf, place, flipped(root, bit))).toBe(false)
        for (const other of [index - 1, index + 1, size])
          expect(await verifyInclusion(sha256, leaf, { ...place, index: other }, root)).toBe(false)
        for (const n of place.path.keys()) {
          const path = place.path.map((hash, i) => (i === n ? flipped(hash, bit) : hash))
          expect(await verifyInclusion(sha256, leaf, { ...place, path }, root)).toBe(false)
        }
        const longer = { ...place, path: [...place.path, leaf] }
        expect(await verifyInclusion(sha256, leaf, longer, root)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  it('shows that it begins with an older one, and with no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), async (size, at, bit) => {
        const leaves = await someLeaves(size)
        const before = 1 + (at % size)
        const old = { size: before, root: await rootOf(sha256, leaves.slice(0, before)) }
        const now = { size, root: await rootOf(sha256, leaves) }
        const path = await hashesOf(leaves, consistencyRanges(before, size))
        expect(await verifyConsistency(sha256, old, now, path)).toBe(true)
        expect(await verifyConsistency(sha256, { ...old, root: flipped(old.root, bit) }, now, path)).toBe(
          false,
        )
        expect(await verifyConsistency(sha256, old, { ...now, root: flipped(now.root, bit) }, path)).toBe(
          false,
        )
        for (const n of path.keys()) {
          const wrong = path.map((hash, i) => (i === n ? flipped(hash, bit) : hash))
          expect(await verifyConsistency(sha256, old, now, wrong)).toBe(false)
        }
        expect(await verifyConsistency(sha256, now, { ...old, size: size - 1 }, path)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})
