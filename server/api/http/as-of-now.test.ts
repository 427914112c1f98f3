import fc from 'fast-check'
import { afterEach, expect, inject, test, vi } from 'vitest'
import type { CallName } from '#machines/contracts/calls.ts'
import { statusOf } from '#machines/contracts/device-state.ts'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { startEvaluator } from '../../evaluation/evaluator.ts'
import { lateMorning, receiveMornings } from '../../testing/late-mornings.ts'
import { startKeptServer } from './testing/kept-server.ts'
import { asOf, RANGE } from './testing/random-record.ts'
import { type Ask, START } from './testing/test-app.ts'

const MINUTE = 60_000
const iso = (at: number): string => new Date(at).toISOString()
const IMEI = '35000000000000'
/** those of Indus */
const DEVICES = [0, 1, 2]

const ends: (() => Promise<unknown>)[] = []
afterEach(endAll)
async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end()
}

/** A server whose readings are evaluated and whose minutes are kept: 2 to 8 °C, ten minutes of delay in one group, five of patience. */
async function startEvaluated() {
  const kept = await startKeptServer()
  ends.push(kept.stop)
  const { store, clock, readModels, read } = kept.server
  await kept.happens('group.evaluation-set', {
    ...{ groupId: 'punjab', violationDelaySeconds: 600 },
    ...{ clearMarginTemperature: null, clearMarginHumidity: null },
  })
  const evaluator = await startEvaluator({
    ...{ store, clock, isQuiet: () => true, tickMs: 1e8, checkpointMs: 1e8 },
  })
  ends.push(evaluator.stop)
  const evaluated = async (): Promise<void> => {
    await evaluator.settled(store.log.head())
    await evaluator.tick()
    await readModels.settled(store.log.head())
  }
  const token = await kept.tokenOf('ayesha')
  return {
    ...kept,
    token,
    /** these come in, then the minute is kept */
    async receive(minute: number, readings: Reading[]): Promise<void> {
      clock.at = START + minute * MINUTE
      if (readings.length > 0) await read.call(kept.server, ...readings)
      await evaluated()
      await kept.passMinutes(0)
    },
    /** nothing comes in for so long that all is evaluated in its place */
    async settle(): Promise<void> {
      clock.at += 16 * MINUTE
      // that it fell silent meanwhile is taken in first
      await evaluated()
      await evaluated()
      await kept.passMinutes(0)
    },
  }
}
type Evaluated = Awaited<ReturnType<typeof startEvaluated>>

const range = { startDate: START - 60 * MINUTE, endDate: START + 200 * MINUTE }
const violations = ['HIGH_TEMPERATURE_DETECTED', 'LOW_TEMPERATURE_DETECTED']
const ofIndus = { params: { groupId: 'indus' } }
const REQUESTED: [CallName, Ask][] = [
  ['notifications', { ...ofIndus, body: { ...RANGE, limit: 100 } }],
  ['violationStats', { ...ofIndus, body: { violations, ...RANGE } }],
  ['violationTimes', { ...ofIndus, body: { violations, ...RANGE, timeZone: 'Asia/Karachi' } }],
  ['summaryChart', { ...ofIndus, body: RANGE }],
  ['incidents', ofIndus],
  ['glances', { body: { things: DEVICES.map((no) => IMEI + no) } }],
  ['companyGroups', { params: { companyId: 'indus' } }],
  ['group', { params: { id: 'lahore' } }],
  ['groupUsers', ofIndus],
  ['groupHistory', { params: { id: 'indus' } }],
  ...DEVICES.flatMap((no): [CallName, Ask][] => [
    ['observations', { params: { imei: IMEI + no }, query: { data: range } }],
    ['observationsLogs', { params: { imei: IMEI + no }, query: { data: range } }],
  ]),
]

/**
 * Ids and positions in the record, and that something came late, or when it was told. Of what was evaluated anew it is not said by
 * what it was over, and where nothing inside the limits came before it, it may have begun earlier.
 */
const NOT_MEANT = new Set([
  ...['_id', 'id', 'seq', 'violationId', 'notificationId', 'unread', 'version'],
  ...['foundLate', 'revised', 'late', 'toldAs', 'told', 'receivedAt'],
  ...['clearReason', 'isSinceBefore'],
])

type Named = { createdAt: string; thing: string }

async function lists({ server, token }: Evaluated, query: ReturnType<typeof asOf>): Promise<unknown[]> {
  const fleet = await server.ask('fleetAsOf', { query: { at: query.asOf, view: query.view }, token })
  expect(fleet.statusCode).toBe(200)
  const { head, ...columns } = decodeFleetSnapshot(new Uint8Array(fleet.rawPayload).buffer)
  const answers: unknown[] = [{ ...columns, groups: head.groups, devices: head.devices }]
  const ask = async (name: CallName, request: Ask): Promise<unknown> => {
    const response = await server.ask(name, {
      ...request,
      token,
      query: { ...request.query, ...query },
    })
    expect(response.statusCode, `${name} ${response.body.slice(0, 200)}`).toBe(200)
    answers.push([name, JSON.parse(response.body, meant)])
    return response.json()
  }
  for (const [name, request] of REQUESTED) {
    const answer = await ask(name, request)
    if (name === 'incidents') {
      const lost = (answer as { open: Incident[] }).open.filter(({ type }) => type === 'offline')
      const online = [...columns.device].filter(
        (_, row) => statusOf(columns.state[row] as number) === 'online',
      )
      expect(
        lost.filter(({ imei }) => online.includes(Number(imei) - Number(`${IMEI}0`))),
        'none is lost that is shown to be heard',
      ).toEqual([])
    }
    if (name !== 'notifications') continue
    const { notifications } = answer as {
      notifications: (Named & { _id: string; violationId: string | null })[]
    }
    notifications.sort((a, b) => (`${a.createdAt} ${a.thing}` < `${b.createdAt} ${b.thing}` ? -1 : 1))
    for (const { _id, violationId } of notifications)
      if (violationId !== null) await ask('why', { params: { id: _id } })
  }
  return answers
}

/** What came at the same time stands in the order of positions, which are not meant. */
const inOrder = <T>(list: T[]): T[] =>
  list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const meant = (key: string, value: unknown): unknown => {
  if (NOT_MEANT.has(key)) return undefined
  if (key === 'open' || key === 'over') return inOrder(value as Incident[])
  if (key === 'notifications') return inOrder(value as Named[])
  return key === 'message' && typeof value === 'string' ? value.replace(', found late', '') : value
}

/** What nobody had ever heard was not lost, whatever it sends later: they begin with one that is heard. */
const morning = lateMorning([5, 5, 9, 9, 9, 1], 20).map((slots) =>
  slots.map((slot, i) => (i === 0 ? { ...slot, isSilent: false, late: 0 } : slot)),
)

/** What is looked at was over before; what comes of it comes for longer. */
const LAST_LOOK = 110
/** So many minutes are looked at of each record: another record shows more than another minute. */
const LOOKS = 4
const look = fc.integer({ min: 4, max: LAST_LOOK })
/** Minutes after the last look in which nothing comes are passed over. */
const untilLastLook = ({ receive }: Evaluated) => ({
  receive: async (minute: number, readings: Reading[]): Promise<void> => {
    if (minute <= LAST_LOOK || readings.length > 0) await receive(minute, readings)
  },
})

test('lists of what is known now of a time say what a record says to which all came in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...DEVICES.map(() => morning)),
      fc.integer({ min: 1, max: 90 }),
      fc.integer({ min: 1, max: 90 }),
      fc.uniqueArray(look, { minLength: LOOKS, maxLength: LOOKS }),
      async (mornings, renamed, limited, looks) => {
        const real = await startEvaluated()
        const ordered = await startEvaluated()
        const both = { real: untilLastLook(real), ordered: untilLastLook(ordered) }
        await receiveMornings(mornings, { start: START, minutes: 200 }, both, async (minute) => {
          for (const { server } of [real, ordered]) server.clock.at = START + (minute - 0.5) * MINUTE
          if (minute === renamed)
            for (const { happens } of [real, ordered]) {
              await happens('device.updated', { imei: `${IMEI}1`, name: 'Another', groupId: 'lahore' })
              await happens('user.updated', { userId: 'u2', firstName: 'Another' })
            }
          if (minute === limited)
            for (const { happens } of [real, ordered])
              await happens('group.updated', { groupId: 'punjab', highTemperatureThreshold: 10 })
        })
        await real.settle()
        for (const minute of looks) {
          const at = START + minute * MINUTE
          expect(await lists(real, asOf(at, 'now')), `minute ${minute}`).toEqual(
            await lists(ordered, asOf(at, 'then')),
          )
        }
        await endAll()
      },
    ),
    { numRuns: inject('isNightly') ? 40 : 10 },
  )
})

test('a device that sends later what it measured meanwhile was not lost, and was not back', async () => {
  const real = await startEvaluated()
  const at = (minute: number, temperature = 4.8): Reading => ({
    ...{ device: 1, at: START + minute * MINUTE, temperature },
  })
  for (let minute = 0; minute <= 120; minute++) {
    const backlog = minute === 91 ? Array.from({ length: 17 }, (_, i) => at(5 + 5 * i, 9.1)) : []
    await real.receive(minute, [...(minute === 0 || minute >= 90 ? [at(minute)] : []), ...backlog])
  }
  await real.settle()
  const lostAt = async (minute: number, view: 'then' | 'now') => {
    const { server, token } = real
    const query = asOf(START + minute * MINUTE, view)
    const { open, over } = await server.answer('incidents', { ...ofIndus, token, query })
    const times = (one: Incident) => [one.openedAt, one.clearedAt]
    return [open, over].map((list) => list.filter(({ type }) => type === 'offline').map(times))
  }
  const [lost, back] = [iso(START + 5 * MINUTE), iso(START + 90 * MINUTE)]
  expect(await lostAt(60, 'then')).toEqual([[[lost, null]], []])
  expect(await lostAt(110, 'then')).toEqual([[], [[lost, back]]])
  for (const minute of [60, 110]) expect(await lostAt(minute, 'now'), `minute ${minute}`).toEqual([[], []])
})

test('since when devices were lost is read once of a minute, and anew when more of that time comes', async () => {
  const real = await startEvaluated()
  const at = (minute: number): Reading => ({ device: 1, at: START + minute * MINUTE, temperature: 4.8 })
  for (let minute = 0; minute <= 120; minute++) {
    const backlog = minute === 91 ? [at(20), at(24)] : []
    await real.receive(minute, [...(minute === 0 || minute >= 90 ? [at(minute)] : []), ...backlog])
  }
  await real.settle()
  const { server, token } = real
  const history = vi.spyOn(server.store.telemetry, 'history')
  const ask = async () => {
    history.mockClear()
    const query = asOf(START + 110 * MINUTE, 'now')
    const { over } = await server.answer('incidents', { ...ofIndus, token, query })
    return { over, read: history.mock.calls.length }
  }
  const first = await ask()
  expect(first.over.map(({ openedAt, since }) => [openedAt, since])).toContainEqual([
    iso(START + 29 * MINUTE),
    iso(START + 24 * MINUTE),
  ])
  expect(first.read).toBeGreaterThan(0)
  expect(await ask()).toEqual({ over: first.over, read: 0 })
  await real.receive(140, [at(29)])
  expect((await ask()).read).toBeGreaterThan(0)
})
