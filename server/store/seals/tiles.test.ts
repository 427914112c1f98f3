import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { consistencyRanges, hexOf, inclusionRanges, rootOf } from '#machines/rules/merkle-tree.ts'
import { HASH_BYTES, type ReadTile, rootOfRange, TileMissing, tilesWith } from './tiles.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')
const leafOf = (i: number): Uint8Array => sha256(Buffer.from(`leaf ${i}`))
const leavesTo = (size: number): Uint8Array[] => Array.from({ length: size }, (_, i) => leafOf(i))

/** A tree that grew by steps of these sizes. */
function grown(steps: readonly number[]) {
  const tiles = new Map<string, Uint8Array>()
  let size = 0
  for (const step of steps) {
    const leaves = Array.from({ length: step }, (_, i) => leafOf(size + i))
    const last = (level: number): Uint8Array =>
      tiles.get(`${level} ${Math.floor(size / 256 ** (level + 1))}`) as Uint8Array
    for (const { level, tile, bytes } of tilesWith(size, leaves, last)) tiles.set(`${level} ${tile}`, bytes)
    size += step
  }
  const read: ReadTile = (level, tile) => tiles.get(`${level} ${tile}`)
  return { size, read, tiles }
}

describe('tiles', () => {
  it('hold the tree that RFC 9162 has, however it grew', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (of, at) => {
        const { size, read } = grown(of)
        const leaves = leavesTo(size)
        const before = 1 + (at % size)
        expect(hexOf(await rootOfRange(read, { from: 0, to: size }))).toBe(
          hexOf(await rootOf(sha256, leaves)),
        )
        expect(hexOf(await rootOfRange(read, { from: 0, to: before }))).toBe(
          hexOf(await rootOf(sha256, leaves.slice(0, before))),
        )
        for (const range of [...inclusionRanges(before - 1, size), ...consistencyRanges(before, size)])
          expect(hexOf(await rootOfRange(read, range))).toBe(
            hexOf(await rootOf(sha256, leaves.slice(range.from, range.to))),
          )
      }),
      { numRuns: 25 },
    )
  })

  it('of 70,000 leaves are read a few at a time, in three levels, and take 33 bytes a leaf', async () => {
    const { read, tiles } = grown([70_000])
    const root = await rootOf(sha256, leavesTo(70_000))
    let requests = 0
    const counted: ReadTile = (level, tile) => {
      requests++
      return read(level, tile)
    }
    expect(hexOf(await rootOfRange(counted, { from: 0, to: 70_000 }))).toBe(hexOf(root))
    expect(requests).toBeLessThan(20)
    const bytes = Array.from(tiles.values(), ({ length }) => length).reduce((a, b) => a + b)
    expect(bytes / 70_000).toBeLessThan(33)
  })

  it('say which of them is missing', async () => {
    const { read, size } = grown([600])
    const without: ReadTile = (level, tile) => (level === 0 && tile === 2 ? undefined : read(level, tile))
    await expect(rootOfRange(without, { from: 0, to: size })).rejects.toThrow(TileMissing)
    const short = new Uint8Array(10 * HASH_BYTES)
    expect(() => tilesWith(600, [leafOf(600)], () => short)).toThrow('tile 2 of level 0')
  })
})
