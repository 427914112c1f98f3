import { describe, expect, test } from 'vitest'
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { BacklogSort, ScriptedFault } from '#machines/contracts/scenario-script.ts'
import { decodeScenario } from './load-scenario.ts'
import { partsOf } from './sent.ts'
import { calm, deviceOf, HOUR, MINUTE, messages, smallWorld } from './testing/demo.ts'
import { createWorld } from './world.ts'

const KIND = 'lahore-frozen-linehaul'
const fleets = calm.fleets.filter(({ id }) => id.includes(KIND))
const fleet = fleets[0]?.id ?? ''
const CUT_OFF: ScriptedFault = { fleet, device: 1, fault: 'offline', afterMinutes: 10, forMinutes: 60 }
const DOOR: ScriptedFault = { fleet, device: 1, fault: 'door-open', afterMinutes: 30, forMinutes: 5 }

/** What the first device of a fleet sends in two hours, of which the network is away for one. */
function sent(scenario: Partial<Scenario>, faults: ScriptedFault[] = [CUT_OFF, DOOR]) {
  const world = createWorld({ ...calm, fleets, scriptedFaults: faults, ...scenario } as Scenario, {
    devices: 3,
  })
  const { index } = deviceOf(world, KIND)
  return { world, index, rows: messages(world.advance(world.start + 2 * HOUR), index) }
}
const sortedBy = (sort: BacklogSort) => sent({ backlogs: [{ fleet, device: 1, sort }] })
/** what is sent when the network is back */
const backlogOf = ({ rows }: ReturnType<typeof sent>) => {
  const at = rows.find((row) => row.at < row.sentAt)?.sentAt ?? Number.NaN
  return rows.filter((row) => row.sentAt === at)
}

describe('a tracker that was cut off', () => {
  test('sends oldest first, newest first, or what has a high priority first: always the same readings', () => {
    const [oldest, newest, priority] = [sent({}), sortedBy('newest'), sortedBy('priority')]
    const ascending = backlogOf(oldest)
    expect(ascending.length).toBeGreaterThan(300)
    expect(ascending).toEqual(ascending.toSorted((a, b) => a.at - b.at))
    expect(backlogOf(newest)).toEqual(ascending.toReversed())
    const [urgent, rest] = [true, false].map((isUrgent) =>
      ascending.filter(({ at, sentAt, door }) => (at === sentAt || door === 1) === isUrgent),
    )
    expect(urgent?.length).toBeGreaterThan(25)
    expect(backlogOf(priority)).toEqual([...(urgent ?? []), ...(rest ?? [])])
    expect(new Set([oldest, newest, priority].map(({ world }) => world.hash())).size).toBe(3)
  })

  test('sends the same in whatever steps, and what came before it can be taken in by itself', () => {
    const { world, index } = sortedBy('newest')
    const again = createWorld(world.scenario, { devices: 3 })
    const until = world.start + 2 * HOUR
    while (again.position() < until) again.advance(Math.min(until, again.position() + 47_000))
    expect(again.hash(index)).toBe(world.hash(index))
    again.reset()
    const [before, back] = partsOf(again.advance(until), until)
    expect(before?.readings.device[before.readings.length - 1]).toBeDefined()
    const first = messages(back as NonNullable<typeof back>)[0]
    expect([first?.device, first?.at === first?.sentAt]).toEqual([index, true])
  })

  test('is one of a share that follows from its own key', () => {
    const shared = (devices: number) => {
      const world = smallWorld(devices, { ...calm, backlogs: [{ share: 0.4, sort: 'newest' }] })
      world.registration.devices.forEach(({ imei }, i) => {
        world.injectFault(`f${i}`, imei, 'offline', 600)
      })
      const all = messages(world.advance(world.start + 20 * MINUTE))
      return new Map(
        world.registration.devices.map(({ imei, index }) => {
          const own = all.filter((row) => row.device === index)
          return [imei, own.some((row, i) => row.at < (own[i - 1]?.at ?? 0))]
        }),
      )
    }
    const [some, more] = [shared(100), shared(200)]
    const newest = [...some.values()].filter(Boolean).length
    expect(newest).toBeGreaterThan(20)
    expect(newest).toBeLessThan(60)
    for (const [imei, isNewest] of some) if (more.has(imei)) expect(more.get(imei)).toBe(isNewest)
  })
})

describe('a clock that is ahead', () => {
  const AHEAD: ScriptedFault = {
    fleet,
    device: 1,
    fault: 'clock-skew',
    aheadMinutes: 12,
    afterMinutes: 10,
    forMinutes: 30,
  }

  test('is ahead by as much as the script says, until it is corrected', () => {
    const { rows, world } = sent({}, [AHEAD])
    for (const { at, sentAt } of rows) {
      const minute = (sentAt - world.start) / MINUTE
      expect(at - sentAt).toBe(minute >= 10 && minute < 40 ? 12 * MINUTE : 0)
    }
  })

  test.each([
    ['by what nobody notices', { ...AHEAD, aheadMinutes: 5 }, 'scriptedFaults.0.aheadMinutes'],
    ['of another fault', { ...AHEAD, fault: 'offline' }, 'scriptedFaults.0'],
  ])('%s is refused', (_, fault, path) => {
    const scenario = { ...calm, scriptedFaults: [fault] }
    expect(() => decodeScenario(scenario)).toThrow(path)
  })
})

test('a backlog of a fleet that is not there is refused', () => {
  const scenario = { ...calm, backlogs: [{ fleet: 'nobody', device: 1, sort: 'newest' }] }
  expect(() => decodeScenario(scenario)).toThrow('backlogs.0.fleet')
})
