import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { takesAsOf } from '#machines/contracts/calls/as-of.ts'
import type { Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { DEVICE_KEY } from '../../server/commands/testing/company-facts.ts'
import { type GateServer, openGateServer } from '../testing/gate/gate-app.ts'
import { requestOf } from '../testing/gate/requests.ts'
import { routesOf } from '../testing/gate/routes-of.ts'
import { type Row, readTable } from '../testing/gate/row.ts'
import { TABLE } from '../testing/gate/table.ts'
import { IDS, WHO, WHOSE, type Who, type Whose } from '../testing/gate/who.ts'
import { startDemo } from '../testing/start-demo.ts'

/** A thread for each would be a tenth of what this file costs: load-routes.test.ts sees what is drawn. */
vi.mock('../../server/jobs/reports/draw-load-book.ts', () => ({ drawLoadBook: async () => Uint8Array.of(1) }))

const ROWS = readTable(TABLE)

/** Who asked changes nothing for the next one: a server in which something may have changed is left. */
let server: GateServer | undefined
/** something stands in it that changes nothing, of which there may not be any number */
let isUsed = false
const serverNow = async (): Promise<GateServer> => {
  server ??= await openGateServer()
  return server
}
const leave = async (): Promise<void> => {
  await server?.close()
  server = undefined
  isUsed = false
}
afterAll(leave)

/**
 * Facts of what is made beside everything else, or set for its owner alone: nobody may do more or less afterwards, and
 * nothing that is tried is gone. All others leave the server behind, which is half of what this file costs.
 */
const CHANGE_NO_RIGHTS: readonly Fact['type'][] = [
  'company.driving-score-set',
  'company.head-address-set',
  'company.settings-changed',
  'device-key.created',
  'group.created',
  'group.fatigue-threshold-set',
  'image.stored',
  'notification.commented',
  'profile.assigned',
  'report.requested',
  'schedule-mail.asked',
  'schedule-mail.unsubscribed',
  'schedule.created',
  'session.handed-off',
  'share.made',
  'user.alerts-set',
  'user.notification-settings-set',
  // a guess from a new address each: too few to shut anybody out
  'user.refused',
  'user.signed-in',
  'view.saved',
  'violation.shelved',
  'violation.taken',
]

/** A new name or new limits change nobody's rights; a new place in the tree does. */
function changesNoRights(fact: Fact): boolean {
  if (fact.type === 'device.updated' || fact.type === 'user.updated') return fact.data.groupId === undefined
  if (fact.type === 'group.updated') return fact.data.parentId === undefined
  return CHANGE_NO_RIGHTS.includes(fact.type)
}

const isAnswer = ({ statusCode }: LightMyRequestResponse) => statusCode < 400
/** A wrong password or code is itself something that happened; no other refusal is. */
const ARE_FACTS = ['POST /api/auth/login', 'POST /api/auth/confirm-user']

async function ask(row: Row, who: Who, whose: Whose, method?: 'HEAD'): Promise<LightMyRequestResponse> {
  const current = await serverNow()
  const request = requestOf(current, row, who, whose)
  const before = current.store.log.head()
  const response = await current.app.inject({ ...request, ...(method && { method }) })
  const facts = current.store.log.readFacts(before, { limit: 100 })
  const hasMoved = current.store.log.head() !== before
  // readings alone are no facts; what is asked of the simulator is done by a fake that forgets nothing
  const isAsBefore = facts.every(changesNoRights)
  if (!isAnswer(response) && !ARE_FACTS.includes(row.route))
    expect(hasMoved, `${row.route} is refused and leaves a fact all the same`).toBe(false)
  isUsed ||= hasMoved
  if (!isAsBefore) await leave()
  return response
}

/** All a refused caller can see: it must not tell what there is from what there is not. */
const seen = ({ statusCode, headers, body }: LightMyRequestResponse): string => {
  const { date: _, ...others } = headers
  return JSON.stringify([statusCode, others, body])
}

describe('every route', () => {
  let real: string[]
  beforeAll(async () => {
    real = await routesOf(async () => {
      const { server } = await startDemo()
      await server.close()
    })
  })

  test('has a line in the table that says who gets what', () => {
    const missing = real.filter((route) => !ROWS.some((row) => row.route === route))
    const howTo = missing.map(
      (route) =>
        `Nobody said who may ask ${route}. Add to simulator/testing/gate/table.ts, with the cells that are ` +
        `right, once for each id in path, query and body:\n` +
        `(who)${' '.repeat(route.length)} ${WHO.join(' ')}\n` +
        `${route} path 401 oc ocps f 403 - ocps 401 401 401\n` +
        `and what is sent to simulator/testing/gate/requests.ts, where there is a query or a body.`,
    )
    expect(missing, howTo.join('\n')).toEqual([])
  })

  test('that has a line is there', () => {
    expect(ROWS.map(({ route }) => route).filter((route) => !real.includes(route))).toEqual([])
  })

  test('that takes no key is closed to a device key, as to nobody', async () => {
    const { app } = await serverNow()
    const closed = Object.values(CALLS).filter((call: Call) => call.access === 'session' && !call.takesKey)
    for (const { method, path } of closed) {
      const url = `/api${path.replaceAll(/\{\w+\}/g, IDS.parent.group)}`
      const { statusCode } = await app.inject({ method, url, headers: { 'x-device-key': DEVICE_KEY } })
      expect([method, path, statusCode]).toEqual([method, path, 401])
    }
  })

  test('that can be asked as of a time has a line that says who gets what of then', () => {
    const requested = Object.values(CALLS).flatMap((call: Call) =>
      takesAsOf(call) ? [`${call.method} /api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : [],
    )
    expect(
      requested.filter((route) => !ROWS.some((row) => row.route === route && row.tried === 'then')),
    ).toEqual([])
  })

  test('of the real server is in the one that is asked here', async () => {
    expect(await routesOf(async () => (await openGateServer()).close())).toEqual(real)
  })
})

describe.each(ROWS.map((row) => [row.route, row.tried, row] as const))('%s %s', (_, __, row) => {
  beforeAll(async () => {
    if (isUsed) await leave()
  })

  test.each(row.cells)('asked by %s', async (who, expected) => {
    const got: Partial<Record<Whose, number>> = {}
    const refusals = new Map<number, Set<string>>()
    for (const whose of typeof expected === 'number' ? (['own'] as const) : WHOSE) {
      const response = await ask(row, who, whose)
      const { statusCode } = response
      got[whose] = isAnswer(response) ? 0 : statusCode
      if (isAnswer(response)) continue
      expect(response.json()).toMatchObject({ code: statusCode, message: expect.stringMatching(/./) })
      refusals.set(statusCode, (refusals.get(statusCode) ?? new Set()).add(seen(response)))
    }
    expect(got).toEqual(typeof expected === 'number' ? { own: expected } : expected)
    for (const looks of refusals.values())
      expect([...looks], 'refusals that can be told apart').toHaveLength(1)
  })
})

test('a HEAD is let in as its GET is', async () => {
  for (const row of ROWS.filter(({ route }) => route.startsWith('GET ')))
    for (const who of WHO) {
      const { statusCode } = await ask(row, who, 'foreign')
      const head = await ask(row, who, 'foreign', 'HEAD')
      expect([row.route, who, head.statusCode]).toEqual([row.route, who, statusCode])
    }
})

test('a header that says super admin opens nothing', async () => {
  const { app, badge } = await serverNow()
  for (const header of ['issuperadminuser', 'isSuperAdminUser'])
    for (const { group } of [IDS.parent, IDS.foreign]) {
      const headers = { authorization: `Bearer ${badge('child').token}`, [header]: 'true' }
      const response = await app.inject({ url: `/api/groups/${group}`, headers })
      expect(response.json()).toEqual({ code: 404, message: 'Not found' })
    }
})
