import { hash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clueOf, deviceBetween } from './clue.ts'

const clue = (chunks: ReadonlyMap<number, number>): string =>
  clueOf(
    [...chunks.keys()],
    Buffer.concat([...chunks].map(([device, what]) => hash('sha256', `${device} ${what}`, 'buffer'))),
  )

/** Devices, and what each one's chunk is. */
const group = fc
  .uniqueArray(fc.nat(2 ** 26), { minLength: 2, maxLength: 60 })
  .map((devices) => new Map(devices.map((device) => [device, 1])))

test('of one chunk that was changed, is gone or is more the device is told', () => {
  fc.assert(
    fc.property(group, fc.nat(), (all, which) => {
      const device = [...all.keys()][which % all.size] as number
      const without = new Map([...all].filter(([each]) => each !== device))
      expect(deviceBetween(clue(all), clue(new Map([...all, [device, 2]])))).toBe(device)
      expect(deviceBetween(clue(all), clue(without))).toBe(device)
      expect(deviceBetween(clue(without), clue(all))).toBe(device)
    }),
  )
})

test('of none, and of several, none is told', () => {
  fc.assert(
    fc.property(group, (all) => {
      expect(deviceBetween(clue(all), clue(new Map(all)))).toBeUndefined()
      const [one, other] = [...all.keys()] as [number, number]
      expect(deviceBetween(clue(all), clue(new Map([...all, [one, 2], [other, 2]])))).toBeUndefined()
    }),
  )
})
