import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ContractError } from '#machines/contracts/decode.ts'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { decodeScenario } from './load-scenario.ts'
import { scriptedFaults } from './script.ts'
import { partsOf } from './sent.ts'
import { calm, demo, HOUR, MINUTE, messages, smallWorld } from './testing/demo.ts'
import { weatherOf } from './weather.ts'

/** Every name in the script, and wrong ones in its place. */
const scripted: Scenario = {
  ...demo,
  places: demo.places.map(({ sites: _, ...place }) => place),
  corridors: [
    {
      id: 'through-all',
      name: 'Through all towns',
      kind: 'highway',
      speed: 60,
      points: demo.places.map(({ lat, lng }) => [lat, lng]),
      places: demo.places.map(({ id }, i) => [id, i]),
    },
  ],
  weather: [{ fromMinutes: 0, toMinutes: 60, degrees: 5, places: ['lahore', 'multan'] }],
  scriptedFaults: [
    { fleet: 'indus-lahore-frozen-local', device: 4, fault: 'offline', afterMinutes: 0, forMinutes: 5 },
    { fleet: 'indus-lahore-frozen-local', share: 0.5, fault: 'offline', afterMinutes: 0, forMinutes: 5 },
    { imei: '356307181126482', fault: 'offline', afterMinutes: 0, forMinutes: 5 },
  ],
  events: [
    { do: 'company.suspend', companyId: 'indus', afterMinutes: 1 },
    { do: 'user.sign-out', userName: 'operatorindus', afterMinutes: 1 },
    {
      do: 'load.open',
      userName: 'operatorindus',
      afterMinutes: 1,
      fleet: 'indus-lahore-frozen-local',
      device: 4,
      reference: 'Lot 7',
      profileId: 'quick-frozen',
    },
  ],
  outcomes: [
    {
      expect: 'status',
      of: { fleet: 'indus-lahore-frozen-local', device: 4, groupId: 'indus', companyId: 'indus' },
      status: 'online',
      atMinutes: 1,
      atLeast: 1,
    },
    {
      expect: 'notifications',
      of: { imei: '352093024171000' },
      type: 'vehicleOffline',
      fromMinutes: 0,
      toMinutes: 1,
      times: 0,
    },
  ],
}
const NAMES = [
  ['weather', 0, 'places', 1],
  ['scriptedFaults', 0, 'fleet'],
  ['scriptedFaults', 0, 'device'],
  ['scriptedFaults', 1, 'fleet'],
  ['scriptedFaults', 2, 'imei'],
  ['events', 0, 'companyId'],
  ['events', 1, 'userName'],
  ['events', 2, 'fleet'],
  ['events', 2, 'device'],
  ['events', 2, 'profileId'],
  ['outcomes', 0, 'of', 'fleet'],
  ['outcomes', 0, 'of', 'device'],
  ['outcomes', 0, 'of', 'groupId'],
  ['outcomes', 0, 'of', 'companyId'],
  ['outcomes', 1, 'of', 'imei'],
  ['fleets', 0, 'thermal'],
  ['fleets', 3, 'home'],
  ['fleets', 1, 'destinations', 2],
  ['fleets', 2, 'groupId'],
  ['users', 1, 'companyId'],
  ['trackers', 2, 'groupId'],
  ['companies', 0, 'groups', 2, 'parentId'],
] as const

describe('a script', () => {
  test('in which any one name refers to nothing is refused with the path of that name', () => {
    decodeScenario(scripted)
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 99 }), (path, n) => {
        const broken = structuredClone(scripted)
        const holder = path
          .slice(0, -1)
          .reduce((at: unknown, name) => (at as Record<string, unknown>)[name], broken)
        const name = path.at(-1) as string
        const wrong =
          name === 'device' ? 1000 + n : name === 'imei' ? `99999999${1_000_000 + n}` : `nobody-${n}`
        ;(holder as Record<string, unknown>)[name] = wrong
        expect(refusalOf(broken)).toBe(path.join('.'))
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['an outcome of no kind', { outcomes: [{ expect: 'luck' }] }, 'outcomes.0.expect'],
    ['an event of no kind', { events: [{ do: 'nothing' }] }, 'events.0.do'],
    [
      'a fault of nobody',
      { scriptedFaults: [{ fault: 'offline', afterMinutes: 0, forMinutes: 1 }] },
      'scriptedFaults.0',
    ],
    [
      'a span that ends before it begins',
      { outcomes: [{ expect: 'violations', fromMinutes: 9, toMinutes: 3, atMost: 1 }] },
      'outcomes.0',
    ],
    ['a time zone there is not', { timeZone: 'Asia/Lahor' }, 'timeZone'],
    ['a destination that no road leads to', { corridors: [] }, 'fleets.0.destinations.0'],
    ['yards and no road to put them at', { corridors: [], places: demo.places }, 'corridors'],
  ])('with %s is refused where it is', (_, change, path) => {
    expect(refusalOf({ ...scripted, ...change })).toBe(path)
  })
})

function refusalOf(scenario: unknown): string | undefined {
  try {
    decodeScenario(scenario)
  } catch (error) {
    if (error instanceof ContractError) return error.path
    throw error
  }
  return undefined
}

describe('a fault on a share', () => {
  const faultsOf = (devices: number, share: number) =>
    scriptedFaults(
      {
        ...calm,
        scriptedFaults: [{ share, fault: 'offline', afterMinutes: 10, forMinutes: 20, endsOverMinutes: 15 }],
      },
      smallWorld(devices, calm).registration.devices,
    )

  test('meets about so many, and of the same device the same in a world of any size', () => {
    const [few, many] = [faultsOf(200, 0.3), faultsOf(1000, 0.3)]
    expect(many.length).toBeGreaterThan(240)
    expect(many.length).toBeLessThan(360)
    const byImei = new Map(many.map(({ fault }) => [fault.imei, fault]))
    for (const { fault } of few) expect(byImei.get(fault.imei)).toEqual(fault)
    expect(faultsOf(200, 1)).toHaveLength(200)
  })

  test('begins at once and ends for one after the other', () => {
    const faults = faultsOf(400, 1).map(({ fault }) => fault)
    const start = Date.parse(calm.start)
    expect(new Set(faults.map(({ from }) => from))).toEqual(new Set([start + 10 * MINUTE]))
    const ends = faults.map(({ until }) => (until - start) / MINUTE)
    expect(Math.min(...ends)).toBeGreaterThanOrEqual(30)
    expect(Math.max(...ends)).toBeLessThanOrEqual(45)
    expect(new Set(ends).size).toBeGreaterThan(390)
  })
})

test('a step is cut before each device that sends what it had kept, and nothing is lost or moved', () => {
  const world = smallWorld(40, {
    ...calm,
    scriptedFaults: [{ share: 0.4, fault: 'offline', afterMinutes: 1, forMinutes: 8, endsOverMinutes: 4 }],
  })
  const to = world.start + 20 * MINUTE
  const sent = world.advance(to)
  const parts = partsOf(sent, to)
  expect(parts.flatMap((part) => messages(part))).toEqual(messages(sent))
  expect(parts.length).toBeGreaterThan(8)
  for (const part of parts.slice(1)) expect(part.readings.at[0]).toBeLessThan(part.sentAt[0] as number)
  expect(parts.map(({ until }) => until)).toEqual(parts.map(({ until }) => until).toSorted((a, b) => a - b))
  expect(parts.at(-1)?.until).toBe(to)
})

describe('a spell of weather', () => {
  const climate = { mean: 20, seasonal: 0, daily: 0, humidity: 40 }
  const plain = weatherOf(1, 0)

  test('comes and goes without a jump, and changes nothing before and after', () => {
    const hot = weatherOf(1, 0, { spells: [{ fromMinutes: 60, toMinutes: 600, degrees: 8 }], start: 0 })
    const more = (minute: number) =>
      hot.temperature(climate, minute * MINUTE) - plain.temperature(climate, minute * MINUTE)
    expect([more(59), more(601)]).toEqual([0, 0])
    expect(more(300)).toBeCloseTo(8)
    for (let minute = 0; minute < 660; minute++)
      expect(Math.abs(more(minute + 1) - more(minute))).toBeLessThan(0.2)
  })

  test('at some places is felt there and near them, and far away not', () => {
    const weather = [{ fromMinutes: -600, toMinutes: 600, degrees: 12, places: ['lahore'] }]
    const [hot, mild] = [smallWorld(200, { ...calm, weather }), smallWorld(200, calm)]
    const warmerBy = (name: string) => {
      const { index } = hot.registration.devices.find(({ fleet }) => fleet.id === name) ?? { index: -1 }
      const [a, b] = [hot, mild].map((world) => world.history(index, world.start, world.start + HOUR, MINUTE))
      // by the door it is told what is outside
      const outside = (r: typeof a, i: number) =>
        ((r?.temperature2[i] ?? 0) - (r?.temperature[i] ?? 0)) / 2 + (r?.temperature[i] ?? 0) / 100
      return outside(a, 30) - outside(b, 30)
    }
    expect(warmerBy('indus-lahore-chill-store')).toBeGreaterThan(8)
    expect(Math.abs(warmerBy('indus-karachi-chill-store'))).toBeLessThan(0.6)
  })
})
