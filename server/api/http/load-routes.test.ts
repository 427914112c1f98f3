import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { drawLoadBook } from '../../jobs/reports/draw-load-book.ts'
import { createBudgetColumns } from './budget-columns.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

vi.mock('../../jobs/reports/draw-load-book.ts', { spy: true })

const MINUTE = 60_000
const NOT_RECKONED = { budget: undefined, status: undefined }
const imei = (no: number) => `35000000000000${no}`

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer({ env: { ACCESS_TTL: '9999999' } })
  token = (await server.signIn('ayesha')).access_token
})
afterEach(() => server.close())

const tokenOf = async (userName: string) => (await server.signIn(userName)).access_token
const openLoad = (no: number, reference: string, more: object = {}) =>
  server.answer('openLoad', {
    body: { imei: imei(no), reference, profileId: 'chilled-food', ...more },
    token,
  })
const LAHORE = { lat: 31.52, lng: 74.35 }
const OKARA = { lat: 30.81, lng: 73.45 }

/** A reading each five minutes from now on; the clock goes with them. */
async function measure(no: number, celsius: number, minutes: number, { lat, lng } = LAHORE) {
  const from = server.clock.at
  const readings = Array.from({ length: minutes / 5 + 1 }, (_, i) => ({
    ...{ device: no, at: from + i * 5 * MINUTE, temperature: celsius, lat, lng },
  }))
  server.clock.at = from + minutes * MINUTE
  await server.read(...readings)
}
const list = (query: Record<string, unknown> = {}, groupId = 'indus') =>
  server.answer('loads', { params: { groupId }, query, token })

describe('a load', () => {
  test('is opened, warmed, and says how much is used and when it will be too much', async () => {
    const opened = await openLoad(1, 'Lot 7')
    expect(opened).toMatchObject({ state: 'within', percent: null, words: 'Not measured', profileNumber: 1 })
    await measure(1, 10, 120)
    const { load } = await server.answer('deviceBudget', { params: { imei: imei(1) }, token })
    expect(load).toMatchObject({
      reference: 'Lot 7',
      words: '33 % used, at this temperature exhausted 15:00',
    })
    expect(load?.budget).toMatchObject({ measuredMinutes: 120, gapMinutes: 0, lowest: 10, highest: 10 })
    expect(load?.budget.rules).toMatchObject([{ used: 120, least: 120, most: 120, allowed: 360 }])
    expect(load?.budget.mkt?.value).toBeCloseTo(10, 6)
    await measure(1, 10, 200)
    expect((await list()).loads).toMatchObject([{ state: 'at-risk', reference: 'Lot 7' }])
  })

  test('whose readings are no longer kept says what was told of it, in the list and on its page alike', async () => {
    const ids: string[] = []
    for (const [reference, minutes] of [
      ['Lot 7', 370],
      ['Lot 8', 60],
    ] as const) {
      const { _id } = await openLoad(1, reference)
      await measure(1, 10, minutes)
      await server.answer('closeLoad', { params: { loadId: _id }, token })
      server.clock.at += 10 * MINUTE
      ids.push(_id)
    }
    await expect
      .poll(async () => (await list({ sort: 'opened' })).loads.map(({ words }) => words))
      .toEqual(['16 % used', 'Exhausted: hold for review'])
    server.clock.at += 100 * 1440 * MINUTE
    token = await tokenOf('ayesha')
    const { loads } = await list({ sort: 'opened' })
    expect(loads.map(({ words }) => words)).toEqual(['16 % used', 'Exhausted: hold for review'])
    const [seven, eight] = await Promise.all(
      ids.map((loadId) => server.answer('load', { params: { loadId }, token })),
    )
    expect(seven).toMatchObject({
      ...{ words: 'Exhausted: hold for review', spells: [], places: [] },
      keptFrom: new Date(Math.floor(server.clock.at / 86_400_000 - 92) * 86_400_000).toISOString(),
      budget: { state: 'exhausted', words: 'Exhausted: hold for review' },
    })
    expect(eight).toMatchObject({ state: 'closed', words: '16 % used', budget: { words: '16 % used' } })
  })

  test('closed with hours of which nothing is known says so in the list as on its page', async () => {
    const { _id: loadId } = await openLoad(1, 'Lot 7')
    await measure(1, 4, 30)
    server.clock.at += 3 * 60 * MINUTE
    await measure(1, 4, 30)
    const answers = async () => [
      (await list({ sort: 'opened' })).loads[0]?.words,
      (await server.answer('load', { params: { loadId }, token })).budget?.words,
    ]
    await expect.poll(async () => (await answers())[0]).toMatch(/^Between 0 min and .* without readings$/)
    const open = await answers()
    await server.answer('closeLoad', { params: { loadId }, token })
    expect(await answers()).toEqual(open)
    expect(new Set(open).size).toBe(1)
  })

  test('has a story: where, how long, beyond what, who did what', async () => {
    const { _id } = await openLoad(1, 'Lot 7')
    await measure(1, 4, 30)
    await measure(1, 9, 60)
    await measure(1, 4, 30)
    await server.answer('closeLoad', { params: { loadId: _id }, token })
    const story = await server.answer('load', { params: { loadId: _id }, token })
    expect(story.minutes).toBe(120)
    expect(story.spells).toMatchObject([{ side: 'above', limit: 5, worst: 9, minutes: 60 }])
    expect(story.places).toHaveLength(1)
    expect(story.places[0]?.place).toContain('Lahore')
    expect(story.actions.map(({ action, userName }) => [action, userName])).toEqual([
      ['opened', 'ayesha Malik'],
      ['closed', 'ayesha Malik'],
    ])
    expect(story.course.percent.at(-1)).toBeGreaterThan(10)
    expect([story.state, story.may]).toEqual(['closed', { close: false, beginReview: true, decide: false }])
    const pdf = await server.ask('loadPdf', { params: { loadId: _id }, token })
    expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(pdf.headers['content-disposition']).toMatch(/filename="?Lot 7 .*\.pdf/)
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('is drawn in turns by company, and some of one person wait at most', async () => {
    const { _id: theirs } = await openLoad(1, 'Lot 7')
    const karim = await tokenOf('karim')
    const other = { imei: imei(4), reference: 'Lot 8', profileId: 'chilled-food' }
    const { _id: foreign } = await server.answer('openLoad', { body: other, token: karim })
    const drawn: string[] = []
    const isBegun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    vi.mocked(drawLoadBook).mockImplementation(async ({ company }) => {
      drawn.push(company.companyId)
      isBegun.resolve()
      await goOn.promise
      return Uint8Array.of(1)
    })
    const draw = async (loadId: string, of: string) =>
      (await server.ask('loadPdf', { params: { loadId }, token: of })).statusCode
    const first = draw(theirs, token)
    await isBegun.promise
    const five = (loadId: string, of: string) => Array.from({ length: 5 }, () => draw(loadId, of))
    const mine = five(theirs, token)
    expect(await Promise.race(mine)).toBe(429)
    const others = five(foreign, karim)
    expect(await Promise.race(others)).toBe(429)
    expect(drawn).toEqual(['indus'])
    goOn.resolve()
    await Promise.all([first, ...mine, ...others])
    vi.mocked(drawLoadBook).mockReset()
    const turns = Array.from({ length: 4 }, () => ['indus', 'karakoram']).flat()
    expect(drawn).toEqual(['indus', ...turns])
  })

  test('was last where its newest reading says, until then', async () => {
    const { _id } = await openLoad(1, 'Lot 7')
    await measure(1, 4, 20)
    await measure(1, 4, 5, OKARA)
    const story = () => server.answer('load', { params: { loadId: _id }, token })
    const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()
    const of = ({ places }: Awaited<ReturnType<typeof story>>) =>
      places.map(({ place, from, to }) => [place.includes('Okara'), from, to])
    expect(of(await story())).toEqual([
      [false, at(0), at(15)],
      [true, at(25), at(25)],
    ])
    await measure(1, 4, 10, OKARA)
    expect(of(await story())).toEqual([
      [false, at(0), at(15)],
      [true, at(30), at(35)],
    ])
  })

  test('that is exhausted is a notification of its device, which people comment on', async () => {
    const { _id: loadId } = await openLoad(1, 'Lot 7')
    const data = { loadId, imei: imei(1), rule: 0, used: 361, allowed: 360 }
    const at = server.clock.at
    const { facts } = await server.store.log.append('told', [
      { type: 'load.exhausted', at, companyId: 'indus', data },
    ])
    await server.readModels.settled(server.store.log.head())
    const body = { startDate: at, endDate: at + 1, types: ['BUDGET_EXHAUSTED'] }
    const { notifications, unread } = await server.answer('notifications', {
      params: { groupId: 'indus' },
      body,
      token,
    })
    expect(unread).toBeGreaterThan(0)
    expect(notifications).toMatchObject([
      { type: 'BUDGET_EXHAUSTED', thing: imei(1), violationId: null, name: 'Budget exhausted' },
    ])
    expect(notifications[0]?.message).toContain('Lot 7: budget exhausted, hold for review')
    const comments = await server.answer('comment', {
      params: { id: facts[0]?.id ?? '' },
      body: { comment: 'Held at gate 4' },
      token,
    })
    expect(comments).toMatchObject([{ comment: 'Held at gate 4' }])
    expect((await server.answer('load', { params: { loadId }, token })).state).toBe('exhausted')
  })

  test('closed is reviewed and decided about once, by managers, with a reason', async () => {
    const { _id: loadId } = await openLoad(1, 'Lot 7')
    const params = { loadId }
    await server.answer('closeLoad', { params, token })
    expect((await server.ask('closeLoad', { params, token })).statusCode).toBe(409)
    await server.answer('beginReview', { params, token })
    expect((await server.ask('rejectLoad', { params, body: { reason: ' ' }, token })).statusCode).toBe(422)
    const signed = (password: string) => ({ reason: 'Too warm', signOff: { meaning: 'rejected', password } })
    const guessed = await server.ask('rejectLoad', { params, body: signed('Guess#12345'), token })
    expect([guessed.statusCode, guessed.json().message]).toEqual([422, 'The password is wrong'])
    const rejected = await server.answer('rejectLoad', { params, body: signed(PASSWORD), token })
    expect(rejected.decision?.signOff).toMatchObject({ meaning: 'rejected', name: 'ayesha Malik' })
    expect(rejected).toMatchObject({
      state: 'rejected',
      decision: { reason: 'Too warm', userName: 'ayesha Malik' },
    })
    expect((await server.ask('releaseLoad', { params, body: { reason: 'No' }, token })).statusCode).toBe(409)
  })
})

describe('loads', () => {
  test('are found by state, words and device, sorted, counted and paged, by who sees their devices alone', async () => {
    for (const [no, reference] of [
      [0, 'Insulin 5'],
      [1, 'Vaccine 2'],
      [3, 'Milk 9'],
    ] as const)
      await openLoad(no, reference)
    await measure(1, 10, 60)
    const references = async (query: object, groupId?: string) =>
      (await list({ ...query }, groupId)).loads.map(({ reference }) => reference)
    expect(await references({ sort: 'reference' })).toEqual(['Insulin 5', 'Milk 9', 'Vaccine 2'])
    expect(await references({ sort: 'used', limit: 1 })).toEqual(['Vaccine 2'])
    expect(await references({ sort: 'reference', skip: 2 })).toEqual(['Vaccine 2'])
    expect(await references({ search: 'milk' })).toEqual(['Milk 9'])
    expect(await references({ imei: imei(0) })).toEqual(['Insulin 5'])
    expect(await references({ states: 'closed,exhausted' })).toEqual([])
    expect(await references({}, 'punjab')).toEqual(['Vaccine 2'])
    expect((await list()).counts).toMatchObject({ within: 3, closed: 0 })
    const danish = await tokenOf('danish')
    const seen = await server.ask('loads', { params: { groupId: 'indus' }, token: danish })
    expect(seen.statusCode).toBe(404)
  })

  test('are opened and closed by a CSV list, all or what can be done, and the same list again is nothing', async () => {
    const send = (text: string, only?: string) =>
      server.app.inject({
        method: 'POST',
        url: `/api/load-lists${only === undefined ? '' : `?only=${only}`}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=edge' },
        payload: `--edge\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${text}\r\n--edge--\r\n`,
      })
    const text = `IMEI,Reference,Profile\n${imei(0)},A,Chilled food\n${imei(1)},B,Ice\n12,C,\n`
    const refused = await send(text)
    const faults = [
      { line: 3, column: 'Profile', reason: 'There is no such profile' },
      { line: 4, column: 'IMEI', reason: 'This is no IMEI' },
    ]
    expect(refused.json()).toMatchObject({ opened: 0, closed: 0, lines: 3, faulty: 2, faults })
    expect((await send(text, 'good-lines')).json()).toMatchObject({ opened: 1, faulty: 2, faults })
    expect((await list()).loads.map(({ reference }) => reference)).toEqual(['A'])
    const next = `IMEI,Reference,Profile,Close\n${imei(0)},A,,yes\n${imei(0)},B,Chilled food,\n`
    expect((await send(next)).json()).toMatchObject({ opened: 1, closed: 1, already: 0, faulty: 0 })
    expect((await send(next)).json()).toMatchObject({ opened: 0, closed: 0, already: 2, faulty: 0 })
    const { loads } = await list({ sort: 'reference' })
    expect(loads.map(({ reference, state }) => [reference, state])).toEqual([
      ['A', 'closed'],
      ['B', 'within'],
    ])
    expect((await send('no,list\n')).statusCode).toBe(422)
  })
})

describe('the columns of budgets', () => {
  const columns = (since?: number, groupId = 'indus') =>
    server.answer('budgets', {
      params: { groupId },
      query: since === undefined ? {} : { since },
      token,
    })

  test('hold what is shown, and after a revision only what became another', async () => {
    await openLoad(1, 'A')
    const { _id } = await openLoad(3, 'B')
    await measure(1, 10, 60)
    const whole = await columns()
    expect([whole.isWhole, whole.device, whole.percent]).toEqual([true, [1, 3], [16, -1]])
    expect(whole.exhaustsAt[0]).toBe(START + 360 * MINUTE)
    expect((await columns(whole.revision)).device).toEqual([])
    await measure(1, 10, 60)
    const later = await columns(whole.revision)
    expect([later.isWhole, later.device, later.percent, later.told]).toEqual([false, [1], [33], whole.told])
    await server.answer('closeLoad', { params: { loadId: _id }, token })
    const closed = await columns(later.revision)
    expect([closed.device, closed.state]).toEqual([[3], [-1]])
    expect(closed.told).toBeGreaterThan(whole.told)
    expect((await columns(7)).isWhole, 'of another run of the server').toBe(true)
  })

  test('say that something was told of a load that is over, beside another and after a restart', async () => {
    const { _id: loadId } = await openLoad(1, 'A')
    await server.answer('closeLoad', { params: { loadId }, token })
    await openLoad(1, 'B')
    const { told } = await columns()
    await server.answer('beginReview', { params: { loadId }, token })
    const later = await columns()
    expect(later.told).toBeGreaterThan(told)
    const { _id: only } = await openLoad(3, 'C')
    await server.answer('closeLoad', { params: { loadId: only }, token })
    const closed = await columns()
    const anew = createBudgetColumns(server.readModels.directory, { of: () => NOT_RECKONED }, server.clock)
    expect(anew('indus', undefined).told).toBe(closed.told)
  })

  test('are whole for whoever asks another node, also one that started in the same second', async () => {
    await openLoad(1, 'A')
    const { directory } = server.readModels
    const nodes = [0, 1].map((ms) =>
      createBudgetColumns(directory, { of: () => NOT_RECKONED }, { now: () => START + ms }),
    )
    for (const one of nodes)
      for (const other of nodes)
        if (one !== other)
          expect(other('indus', one('indus', undefined).revision), 'since of another').toMatchObject({
            ...{ isWhole: true, device: [1] },
          })
  })

  test('are told anew once somebody else sees a device', async () => {
    await openLoad(3, 'A')
    const { revision, device } = await columns(undefined, 'punjab')
    expect(device).toEqual([])
    const move = { imei: imei(3), groupId: 'lahore' }
    await server.store.log.append('test', [
      { type: 'device.updated', at: START, companyId: 'indus', data: move },
    ])
    await server.readModels.settled(server.store.log.head())
    const moved = await columns(revision, 'punjab')
    expect([moved.isWhole, moved.device]).toEqual([true, [3]])
    expect(await columns(revision, 'sindh')).toMatchObject({ isWhole: true, device: [] })
    expect(await columns(moved.revision, 'punjab')).toMatchObject({ isWhole: false, device: [] })
  })

  test('beside a chart are those of its time', async () => {
    await openLoad(1, 'A')
    await measure(1, 10, 120)
    const data = { startDate: START + 60 * MINUTE, endDate: START + 121 * MINUTE }
    const { tracks } = await server.answer('budgetTracks', {
      params: { imei: imei(1) },
      query: { data },
      token,
    })
    expect(tracks).toMatchObject([{ reference: 'A', state: 'within', to: null }])
    expect(tracks[0]?.course.at[0]).toBe(data.startDate)
    expect(tracks[0]?.course.percent.at(-1)).toBeCloseTo(33.33, 1)
  })
})

describe('profiles', () => {
  test('are those shipped until somebody changes one, for loads opened from then on', async () => {
    const { profiles, mayChange } = await server.answer('profiles', { token })
    expect([profiles.length, mayChange, profiles.every(({ number }) => number === 0)]).toEqual([
      5,
      true,
      true,
    ])
    const load = await openLoad(1, 'A')
    const { profileId, number, version, isShipped, changedAt, changedBy, ...form } = load.profile
    const changed = await server.answer('changeProfile', {
      params: { profileId },
      body: { ...form, name: 'Cheese' },
      headers: { 'if-match': `"${version}"` },
      token,
    })
    expect(changed).toMatchObject({ number: 2, name: 'Cheese', isShipped: true, changedBy: { _id: 'u1' } })
    const late = {
      params: { profileId },
      body: { ...form, name: 'Butter' },
      headers: { 'if-match': '"1"' },
      token,
    }
    const conflict = await server.ask('changeProfile', late)
    expect([conflict.statusCode, conflict.json().current.name]).toEqual([412, 'Cheese'])
    const { load: same } = await server.answer('deviceBudget', { params: { imei: imei(1) }, token })
    expect([same?.profileName, same?.profileNumber]).toEqual(['Chilled food', 1])
    const { versions } = await server.answer('profileHistory', { params: { profileId }, token })
    expect(versions.map(({ name }) => name)).toEqual(['Cheese', 'Chilled food', 'Chilled food'])
  })

  test('are given to groups and devices, for loads that name none', async () => {
    await server.answer('assignGroupProfile', {
      params: { groupId: 'punjab' },
      body: { profileId: 'vaccine-who-1' },
      token,
    })
    const given = { groups: [{ groupId: 'punjab', profileId: 'vaccine-who-1' }], devices: [] }
    expect(await server.answer('profileAssignments', { token })).toEqual({ ...given, above: null })
    const { profile } = await server.answer('deviceBudget', { params: { imei: imei(2) }, token })
    expect(profile).toMatchObject({ name: 'Vaccine, WHO type 1' })
    const opened = await server.answer('openLoad', { body: { imei: imei(2), reference: 'A' }, token })
    expect(opened.profileId).toBe('vaccine-who-1')
  })

  test('of a group above the visitor’s own are told with what it has been given', async () => {
    const child = await tokenOf('danish')
    await server.answer('assignGroupProfile', {
      params: { groupId: 'indus' },
      body: { profileId: 'vaccine-who-1' },
      token,
    })
    expect(await server.answer('profileAssignments', { token: child })).toEqual({
      ...{ above: 'vaccine-who-1', groups: [], devices: [] },
    })
  })
})
