import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeScenario, loadScenario } from './load-scenario.ts'
import { imeiOf, ordinalOf, registrationOf } from './roster.ts'

const demo = await loadScenario(fileURLToPath(import.meta.resolve('#fixtures/scenarios/demo.json')))
const sumOfLuhn = (imei: string) =>
  [...imei].reduce((sum, ch, i) => {
    const digit = Number(ch) * (i % 2 === 1 ? 2 : 1)
    return sum + (digit > 9 ? digit - 9 : digit)
  }, 0)

describe('the roster', () => {
  test('tells by an IMEI which device of its fleet it is', () => {
    for (const ordinal of [1, 2, 8, 61_903, 999_999, 1_000_000])
      expect(ordinalOf(imeiOf('35630704', ordinal))).toBe(ordinal)
  })

  test('has exactly as many devices as asked for, each with an IMEI of its own', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), (size) => {
        const { devices } = registrationOf(demo, demo.seed, size)
        expect(devices).toHaveLength(size)
        expect(new Set(devices.map((device) => device.imei)).size).toBe(size)
        expect(devices.every((device, i) => device.index === i && sumOfLuhn(device.imei) % 10 === 0)).toBe(
          true,
        )
      }),
      { numRuns: 20 },
    )
  })

  test('a device of a small world is the same in a large one', () => {
    const large = new Map(
      registrationOf(demo, demo.seed, 4000).devices.map((device) => [device.imei, device]),
    )
    for (const { index, ...device } of registrationOf(demo, demo.seed, 150).devices)
      expect(large.get(device.imei)).toMatchObject(device)
  })
})

describe('a scenario that refers to nothing', () => {
  const { corridorFiles: _, placeFiles: __, ...shape } = { ...demo, corridorFiles: [], placeFiles: [] }
  const broken = (change: (scenario: typeof shape) => void) => {
    const copy = structuredClone(shape)
    change(copy)
    return () => decodeScenario(copy)
  }

  test.each<[string, (scenario: typeof shape) => unknown, string]>([
    [
      'a fleet without its group',
      (s) => Object.assign(s.fleets[3]!, { groupId: 'nowhere' }),
      'fleets.3.groupId',
    ],
    [
      'a way to nowhere',
      (s) => s.fleets[0]!.destinations.splice(1, 1, 'atlantis'),
      'fleets.0.destinations.1',
    ],
    ['a corridor past its end', (s) => s.corridors[0]!.places.push(['lahore', 9999]), 'corridors.0.places'],
    [
      'an account in another company',
      (s) => Object.assign(s.users[0]!, { groupId: 'thar' }),
      'users.0.groupId',
    ],
    [
      'a fault of no fleet',
      (s) => Object.assign(s.scriptedFaults[0]!, { fleet: 'x' }),
      'scriptedFaults.0.fleet',
    ],
    ['a wrong type', (s) => Object.assign(s.fleets[0]!, { count: 'many' }), 'fleets.0.count'],
  ])('%s is refused with its path', (_name, change, path) => {
    expect(broken(change)).toThrow(expect.objectContaining({ path: expect.stringContaining(path) }))
  })
})
