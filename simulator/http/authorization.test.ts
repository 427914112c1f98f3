import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '#machines/contracts/calls/call.ts'
import { CALLS, type CallName } from '#machines/contracts/calls.ts'
import { type Ask, buildHouse, type House, START } from './testing/house.ts'

/** Who asks. `child` sits in the group below the top, `other` in another company. */
const WHO = ['nobody', 'top', 'child', 'other', 'suspended', 'expired', 'reset', 'garbage'] as const
type Who = (typeof WHO)[number]
/** Whose the thing asked for is, as `child` sees it. */
const WHOSE = ['own', 'below', 'above', 'beside', 'foreign', 'nowhere'] as const
type Whose = (typeof WHOSE)[number]

const GROUP: Record<Whose, string> = {
  own: 'punjab',
  below: 'lahore',
  above: 'indus',
  beside: 'sindh',
  foreign: 'karakoram',
  nowhere: 'atlantis',
}
const IMEI: Record<Whose, string> = {
  own: '350000000000001',
  below: '350000000000002',
  above: '350000000000000',
  beside: '350000000000003',
  foreign: '350000000000004',
  nowhere: '359999999999999',
}
const USER: Record<Whose, string> = {
  own: 'u2',
  below: 'u2',
  above: 'u1',
  beside: 'u4',
  foreign: 'u3',
  nowhere: 'u999',
}

/** Who sees what, whichever call asks for it. */
const SEES: Record<Who, readonly Whose[]> = {
  top: ['own', 'below', 'above', 'beside'],
  child: ['own', 'below'],
  other: ['foreign'],
  nobody: [],
  suspended: [],
  expired: [],
  reset: [],
  garbage: [],
}

type Row =
  /** everybody is answered */
  | { open: true; ask: () => Ask }
  /** everybody who is signed in is answered */
  | { signedIn: true; ask: () => Ask }
  /** answered by what is asked for */
  | { asks: (whose: Whose) => Ask }

const data = { startDate: START - 1000, endDate: START }

/** One row a route: a route that is added without one fails the first test. */
const ROWS: Partial<Record<CallName, Row>> = {
  login: {
    open: true,
    ask: () => ({ body: { username: 'ayesha', password: 'Fr0st#line24' }, from: '10.9.9.9' }),
  },
  time: { open: true, ask: () => ({}) },
  demoAccounts: { open: true, ask: () => ({}) },
  openapi: { open: true, ask: () => ({}) },
  me: { signedIn: true, ask: () => ({}) },
  roads: { signedIn: true, ask: () => ({}) },
  subgroups: { asks: (whose) => ({ params: { groupId: GROUP[whose] } }) },
  group: { asks: (whose) => ({ params: { id: GROUP[whose] } }) },
  groupUsers: { asks: (whose) => ({ params: { groupId: GROUP[whose] } }) },
  groupThings: { asks: (whose) => ({ params: { groupId: GROUP[whose] } }) },
  observationsLatest: { asks: (whose) => ({ params: { groupId: GROUP[whose] } }) },
  user: { asks: (whose) => ({ params: { id: USER[whose] } }) },
  observations: { asks: (whose) => ({ params: { imei: IMEI[whose] }, query: { data } }) },
  notifications: { asks: (whose) => ({ params: { groupId: GROUP[whose] }, body: data }) },
  updateThing: {
    // name and group as they are: asked for again and again, it changes nothing
    asks: (whose) => ({
      params: { imei: IMEI[whose] },
      body: { name: `Reefer ${Number(IMEI[whose].slice(-1))}`, groupId: GROUP[whose] },
    }),
  },
}
/** Told apart by other means than a visitor; each has tests of its own beside its routes. */
const OTHERWISE: CallName[] = ['refreshToken', 'logout', 'logoutByGet', 'companyGroups']

let house: House
const tokens: Partial<Record<Who, string>> = {}
beforeAll(async () => {
  house = await buildHouse()
  tokens.expired = (await house.signIn('ayesha')).access_token
  house.clock.at += 3_600_000
  tokens.top = (await house.signIn('ayesha')).access_token
  tokens.child = (await house.signIn('danish')).access_token
  tokens.other = (await house.signIn('karim')).access_token
  tokens.garbage = `${tokens.top.slice(0, -4)}AAAA`
  tokens.reset = (
    await house.ask('login', { body: { username: 'rabia', password: 'Fr0st#line24' } })
  ).json().token
  await house.store.log.append('x', [
    { type: 'company.resumed', at: START, companyId: 'thar', data: { companyId: 'thar' } },
  ])
  await house.readModels.settled(house.store.log.head())
  tokens.suspended = (await house.signIn('tahir')).access_token
  await house.store.log.append('x', [
    { type: 'company.suspended', at: START, companyId: 'thar', data: { companyId: 'thar' } },
  ])
  await house.readModels.settled(house.store.log.head())
})
afterAll(() => house.close())

test('every route has its row', async () => {
  const { paths } = await house.answer('openapi')
  const routes = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api', '')}`),
  )
  const rows = [...Object.keys(ROWS), ...OTHERWISE].map((name) => {
    const call: Call = CALLS[name as CallName]
    return `${call.method} ${call.path}`
  })
  expect(routes.sort()).toEqual(rows.sort())
})

const STATUS: Record<Who, number> = {
  nobody: 401,
  expired: 401,
  reset: 401,
  garbage: 401,
  suspended: 403,
  top: 404,
  child: 404,
  other: 404,
}
const rows = Object.entries(ROWS) as [CallName, Row][]

describe.each(rows)('%s', (name, row) => {
  if ('open' in row)
    test.each(WHO)('answers %s', async (who) => {
      expect((await house.ask(name, { ...row.ask(), token: tokens[who] })).statusCode).toBe(200)
    })
  else if ('signedIn' in row)
    test.each(WHO)('asked by %s', async (who) => {
      const isIn = who === 'top' || who === 'child' || who === 'other'
      const { statusCode } = await house.ask(name, { ...row.ask(), token: tokens[who] })
      expect(statusCode).toBe(isIn ? 200 : STATUS[who])
    })
  else
    test.each(WHO.flatMap((who) => WHOSE.map((whose) => [who, whose] as const)))(
      'asked by %s for what is %s',
      async (who, whose) => {
        const response = await house.ask(name, { ...row.asks(whose), token: tokens[who] })
        const isSeen = SEES[who].includes(whose)
        expect(response.statusCode).toBe(isSeen ? 200 : STATUS[who])
        if (!isSeen && STATUS[who] === 404)
          expect(response.json()).toEqual({ code: 404, message: 'Not found' })
      },
    )
})

test('a group named in a body is checked like one in a path', async () => {
  for (const whose of ['above', 'beside', 'foreign', 'nowhere'] as const) {
    const response = await house.ask('updateThing', {
      params: { imei: IMEI.own },
      body: { name: 'x', groupId: GROUP[whose] },
      token: tokens.child,
    })
    expect(response.statusCode).toBe(404)
  }
})

test('the groups of another company are not found', async () => {
  for (const [who, status] of [
    ['top', 200],
    ['child', 200],
    ['other', 404],
    ['nobody', 401],
  ] as const) {
    const response = await house.ask('companyGroups', { params: { companyId: 'indus' }, token: tokens[who] })
    expect(response.statusCode).toBe(status)
  }
})

test('a header that says super admin opens nothing', async () => {
  const response = await house.ask('group', {
    params: { id: GROUP.above },
    token: tokens.child,
    headers: { issuperadminuser: 'true' },
  })
  expect(response.statusCode).toBe(404)
})
