import fc from 'fast-check'
import { expect } from 'vitest'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { CallName } from '#machines/contracts/calls.ts'
import { decodeFleetSnapshot, FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import {
  sensorUnplugged,
  statusChanged,
  violationFoundLate,
  violationOpened,
  violationRevised,
} from '../../../testing/facts.ts'
import type { KeptServer } from './kept-server.ts'
import { type Ask, START } from './test-app.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const IMEI = '35000000000000'
const HOT = 'HIGH_TEMPERATURE_DETECTED'

const iso = (at: number): string => new Date(at).toISOString()
export const asOf = (at: number, view: AsOfView) => ({ asOf: iso(at), view })
export const RANGE = { startDate: iso(START - DAY), endDate: iso(START + DAY) }
const whole = { violations: [HOT], ...RANGE }
/** the call and what of its answer is of that time */
const LISTS: [CallName, Ask, (answer: Record<string, unknown>) => unknown][] = [
  [
    'notifications',
    { params: { groupId: 'indus' }, body: { ...RANGE, limit: 100 } },
    ({ notifications, notificationsCount }) => ({ notifications, notificationsCount }),
  ],
  ['violationStats', { params: { groupId: 'indus' }, body: whole }, ({ data, counts }) => ({ data, counts })],
  ['summaryChart', { params: { groupId: 'indus' }, body: RANGE }, (answer) => answer],
  ['companyGroups', { params: { companyId: 'indus' } }, (answer) => answer],
  ['group', { params: { id: 'lahore' } }, (answer) => answer],
  ['groupUsers', { params: { groupId: 'indus' } }, (answer) => answer],
  ['groupHistory', { params: { id: 'indus' } }, (answer) => answer],
  ['incidents', { params: { groupId: 'indus' } }, ({ seq: _, ...desk }) => desk],
  ['glances', { body: { things: [0, 1, 2, 3].map((no) => IMEI + no) } }, (answer) => answer],
]

/** A server whose frames are kept, or several over one record. */
export type KeptRecord = Omit<KeptServer, 'stop'>

/** The columns and texts of the fleet, without where in the record that is. */
async function fleetOf({ server }: KeptRecord, token: string, query?: ReturnType<typeof asOf>) {
  const headers = { accept: FLEET_CONTENT_TYPE }
  const { statusCode, rawPayload } = await (query === undefined
    ? server.ask('observationsLatest', { params: { groupId: 'indus' }, token, headers })
    : server.ask('fleetAsOf', { query: { at: query.asOf, view: query.view }, token }))
  expect(statusCode).toBe(200)
  const { head, ...columns } = decodeFleetSnapshot(new Uint8Array(rawPayload).buffer)
  return { ...columns, groups: head.groups, devices: head.devices }
}

/** What the fleet and the lists say, and why there is the newest violation; `history`: all of it that is not of a time to come. */
export async function listsOf(kept: KeptRecord, token: string, query?: ReturnType<typeof asOf>) {
  const { server } = kept
  const lists: unknown[] = [await fleetOf(kept, token, query)]
  for (const [name, ask, partOf] of LISTS) {
    const response = await server.ask(name, { ...ask, token, ...(query && { query }) })
    expect(response.statusCode, `${name} ${response.body.slice(0, 200)}`).toBe(200)
    lists.push([name, partOf(response.json())])
  }
  const [, { notifications }] = lists[1] as [
    string,
    { notifications: { _id: string; violationId: unknown }[] },
  ]
  const newest = notifications.find(({ violationId }) => violationId !== null)
  if (newest !== undefined) {
    const why = await server.ask('why', { params: { id: newest._id }, token, ...(query && { query }) })
    lists.push(why.json())
  }
  return lists
}

export type Step = (n: number) => Promise<void>

/** What may happen to a record, and to the violations that were told so far; `forget`: another record begins. */
export function randomSteps(of: () => KeptRecord): { step: fc.Arbitrary<Step>; forget(): void } {
  const no = fc.nat(3)
  /** what happens to the violations that were told so far */
  const opened: { imei: string; at: number; id: string; isOver: boolean }[] = []
  const ofOpened = (act: (one: (typeof opened)[number]) => Promise<void>): fc.Arbitrary<Step> =>
    fc.nat(20).map((which) => async () => {
      const one = opened[which % Math.max(1, opened.length)]
      if (one !== undefined) await act(one)
    })
  const idOf = async () => `f${of().server.store.log.head()}`
  const here = () => of().server.clock.at

  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.integer({ min: 1, max: 9 }).map(
        (m): Step =>
          () =>
            of().passMinutes(m),
      ),
    },
    {
      weight: 3,
      arbitrary: no.map(
        (device): Step =>
          async () => {
            await of().store(violationOpened(IMEI + device, here(), {}, 'indus'))
            opened.push({ imei: IMEI + device, at: here(), id: await idOf(), isOver: false })
          },
      ),
    },
    no.map(
      (device): Step =>
        async () => {
          await of().store(violationFoundLate(IMEI + device, here() - 90 * MINUTE, {}, 'indus'))
          opened.push({ imei: IMEI + device, at: here() - 90 * MINUTE, id: await idOf(), isOver: true })
        },
    ),
    {
      weight: 2,
      arbitrary: ofOpened(async (one) => {
        if (one.isOver) return
        one.isOver = true
        await of().happens('violation.cleared', {
          ...{ violationId: `${one.imei}-${one.at}`, imei: one.imei, type: HOT },
          ...{ value: 5, worst: 11, durationSeconds: 60, reason: 'back-inside' },
        })
      }),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({
          device: no,
          late: fc.constantFrom(0, 0, 5, 40),
          temperature: fc.integer({ min: -9, max: 9 }),
        })
        .map(
          ({ device, late, temperature }): Step =>
            async () => {
              of().server.clock.at += 1_000
              await of().server.read({
                ...{ device, at: here() - late * MINUTE, temperature },
                ...{ lat: 31.5 + temperature / 10, lng: 74 },
              })
              // what is not late and comes after its minute was kept is in both views
              await of().passMinutes(1)
            },
        ),
    },
    ofOpened(({ imei, at }) => of().store(violationRevised(imei, at, {}, 'indus'))),
    ofOpened(({ imei, at }) =>
      of().store(
        violationRevised(
          imei,
          at,
          {
            after: {
              since: at - 9 * MINUTE,
              openedAt: at - 5 * MINUTE,
              clearedAt: null,
              threshold: 8,
              worst: 12,
            },
          },
          'indus',
        ),
      ),
    ),
    no.map(
      (device): Step =>
        () =>
          of().store({ ...sensorUnplugged(IMEI + device, here(), 'indus') }),
    ),
    fc.tuple(no, fc.boolean()).map(
      ([device, isOn]): Step =>
        () =>
          of().store(
            statusChanged(
              IMEI + device,
              here(),
              isOn ? 'disconnected' : 'online',
              isOn ? 'online' : 'disconnected',
              'indus',
            ),
          ),
    ),
    fc.record({ no, name: fc.string({ minLength: 1, maxLength: 5 }) }).map(
      ({ no, name }): Step =>
        () =>
          of().happens('device.updated', { imei: IMEI + no, name }),
    ),
    fc.nat(9).map(
      (degrees): Step =>
        () =>
          of().happens('group.updated', { groupId: 'indus', highTemperatureThreshold: degrees }),
    ),
    fc.constant<Step>((n) =>
      of().happens('device.tracker-replaced', {
        no: 3,
        before: of().server.readModels.directory.devices[3]?.imei ?? '',
        after: `36000000000${1000 + n}`,
      }),
    ),
    fc.constantFrom('u2', 'u4').map(
      (userId): Step =>
        () =>
          of().happens('user.updated', { userId, firstName: `Name ${here() % 97}` }),
    ),
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          ofOpened(async () => {}),
          fc.constantFrom('comment', 'acknowledge', 'take', 'release'),
          fc.nat(20),
        )
        .map(
          ([, call, which]): Step =>
            async () => {
              const one = opened[which % Math.max(1, opened.length)]
              if (one === undefined) return
              const token = await of().tokenOf('ayesha')
              const body =
                call === 'comment'
                  ? { comment: 'On it' }
                  : call === 'acknowledge'
                    ? { reason: 'Defrost' }
                    : undefined
              await of().server.ask(call as CallName, {
                params: { id: one.id },
                token,
                ...(body && { body }),
              })
            },
        ),
    },
    fc.tuple(no, fc.boolean()).map(
      ([device, isOn]): Step =>
        async () => {
          const token = await of().tokenOf('ayesha')
          const params = { imei: IMEI + device, type: HOT }
          if (isOn) await of().server.ask('shelve', { params, token, body: { minutes: 60, reason: 'Known' } })
          else await of().server.ask('unshelve', { params, token })
        },
    ),
  )
  return { step, forget: () => void opened.splice(0) }
}
