import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Imei } from '#machines/contracts/scalars.ts'
import { choice, isCutShort, pageAddress } from '../format/page-address.ts'
import { choiceOf, imeis, pickedBy } from './choices.ts'
import { createFleet } from './fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from './testing/make-fleet.ts'

const NUMBERS = Array.from({ length: 230 }, (_, no) => no)
const fleet = createFleet((call) => call())
fleet.load(
  snapshotOf(
    1,
    NUMBERS.map((no) => plainDevice(no)),
  ),
)
const ids = imeis(fleet)
const address = pageAddress({ devices: choice('devices', Imei) })
const written = (picked: 'all' | ReadonlySet<string>) => address.write({ devices: choiceOf(picked, ids) })
const read = (search: string) => pickedBy(address.read(search).devices, ids)
const first = (count: number) => new Set(NUMBERS.slice(0, count).map(imeiOf))

test('whatever is picked of a fleet is read from the address again, or said to be too much for it', () => {
  const some = fc.shuffledSubarray(NUMBERS).map((some) => new Set(some.map(imeiOf)))
  fc.assert(
    fc.property(fc.oneof(fc.constant('all' as const), some), (picked) => {
      const isTooMuch = picked !== 'all' && picked.size > 100 && picked.size < NUMBERS.length - 100
      const search = written(picked)
      expect(isCutShort(`/?${search}`)).toBe(isTooMuch)
      const isEach = picked !== 'all' && picked.size === NUMBERS.length
      expect(read(search)).toEqual(isTooMuch ? undefined : isEach ? 'all' : picked)
    }),
  )
})

test('where more than a hundred are picked, what is left out stands in the address', () => {
  expect(written(first(228))).toBe(`devices=~${imeiOf(228)},${imeiOf(229)}`)
  expect(written(first(115))).toBe('devices=~*')
})

test('who does not see what is left out sees all', () => {
  expect(read('devices=~356000000000000')).toBe('all')
  expect(read(`devices=~356000000000000,${imeiOf(229)}`)).toEqual(first(229))
  expect(read('devices=~')).toBe('all')
})
