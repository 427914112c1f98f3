import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { withoutSum, withSum } from './checkpoint-sum.ts'

const STATE = { shape: 1, place: Uint8Array.of(1, 2, 3), newest: Float64Array.of(4.5, 6) }
const read = (bytes: Uint8Array | undefined) => bytes && deserialize(bytes)

test('a state comes back whole, of an earlier release too, and earlier releases read it', () => {
  const saved = withSum(serialize(STATE))
  expect(read(withoutSum(saved))).toEqual(STATE)
  expect(read(withoutSum(serialize(STATE)))).toEqual(STATE)
  expect(read(saved)).toEqual(STATE)
  expect(withoutSum(withSum(new Uint8Array(0)))).toEqual(new Uint8Array(0))
})

test('whichever bit is another, nothing else is answered than what was saved', () => {
  const saved = withSum(serialize(STATE))
  let refused = 0
  for (let bit = 0; bit < saved.length * 8; bit++) {
    const flipped = Uint8Array.from(saved)
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    const bytes = withoutSum(flipped)
    if (bytes === undefined) refused++
    else expect(read(bytes)).toEqual(STATE)
  }
  expect(refused).toBeGreaterThan(serialize(STATE).length * 8)
})
