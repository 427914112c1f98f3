import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { LOAD_STATES, type LoadStory } from '#machines/contracts/entities/loads.ts'
import { writtenDay, writtenTime } from '../../format/time.ts'
import { OpenLoadDialog } from '../../layout/loads/open-load-dialog.tsx'
import { loadOf } from '../../layout/loads/testing/make-loads.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import ImportLoads from './import-loads.tsx'
import LoadPage from './load-page.tsx'
import Loads from './loads.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const counts = Object.fromEntries(LOAD_STATES.map((state) => [state, 0]))
const columns = (told: number) => ({
  body: { revision: told, isWhole: true, told, device: [], state: [], percent: [], most: [], exhaustsAt: [] },
})

async function shown(element: React.ReactNode, at: string, server: Server = {}) {
  harness = await mountPage(element, {
    at,
    fleet: createFleet((call) => call()),
    server: { 'GET /groups/top/budgets': columns(1), ...server },
  })
}

const listOf = (loads: readonly LoadStory[], given = {}) => ({
  body: { loads, total: loads.length, counts: { ...counts, 'at-risk': 1, exhausted: 2, ...given } },
})

test('the list asks for what its address says, and each state says how many it has', async () => {
  const requests: string[] = []
  await shown(<Loads />, '/loads?state=exhausted&q=lot', {
    'GET /groups/top/loads': (_body, _headers, query) => {
      requests.push(`${query.get('states')} ${query.get('search')} ${query.get('sort')}`)
      return listOf([loadOf()])
    },
  })
  await expect.element(page.getByRole('radio', { name: 'Exhausted 2' })).toBeChecked()
  expect(requests.at(-1)).toBe('exhausted lot used')
  const row = page.getByRole('row', { name: /Insulin, lot 7/ })
  await expect
    .element(row)
    .toMatchTextContent(/At risk.*Medicines 2–8 °C.*Reefer 1.*62 % used, at this temperature/)
  await expect.element(row.getByRole('link', { name: 'Insulin, lot 7' })).toHaveAttribute('href', '/loads/l1')
  await page.getByRole('radio', { name: 'At risk 1' }).click()
  await expect.poll(() => harness.went().at(-1)).toBe('/loads?state=at-risk&q=lot')
  await expect.poll(() => requests.at(-1)).toBe('at-risk lot used')
})

test('where nothing is loaded the next step is said', async () => {
  await shown(<Loads />, '/loads', {
    'GET /groups/top/loads': { body: { loads: [], total: 0, counts } },
  })
  await expect.element(page.getByText('Nothing is loaded')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Choose a device' })).toHaveAttribute('href', '/')
})

/** The page of a load against a server at which it is as `is` says. */
async function storyOf(is: { load: LoadStory }, server: Server = {}) {
  await shown(
    <Route path="/loads/:loadId">
      <LoadPage />
    </Route>,
    '/loads/l1',
    { 'GET /loads/l1': () => ({ body: is.load }), ...server },
  )
}

test('a story says how much is used and between what, where it was, and who did what', async () => {
  await storyOf({ load: loadOf() })
  const bar = page.getByRole('meter', { name: 'Budget of Insulin, lot 7' })
  await expect
    .element(bar)
    .toHaveAttribute('aria-valuetext', '62 % used, at this temperature exhausted 16:40')
  await expect
    .element(page.getByRole('list', { name: 'Rules' }))
    .toMatchTextContent(/Never above 15 °C.*never so far.*14 h 52, between 4 h 05 and 20 h 24 of 24 h/)
  await expect.element(page.getByText('7.2 °C, between 6.8 °C and 7.6 °C')).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Spells' }))
    .toMatchTextContent(/Above 8.0 °C for 4 h 00 so far, up to 12.4 °C/)
  await expect
    .element(page.getByRole('list', { name: 'Places' }))
    .toMatchTextContent(/Lahore.*3 h 00.*12 km S of Okara.*5 h 00/)
  await expect
    .element(page.getByRole('list', { name: 'What happened' }))
    .toMatchTextContent(/Aisha Khan opened it/)
  expect(page.getByText(/\bsafe\b/i).query()).toBeNull()
})

test.each([
  ['more may be than was measured', { used: 360, least: 288, most: 720, percent: 20 }, '20% to 50%'],
  ['nothing was measured beyond the limit', { used: 0, least: 0, most: 360, percent: 0 }, '0% to 25%'],
])('the bar of a rule shows its least and its most where %s', async (_, much, shares) => {
  const { budget } = loadOf()
  const [, above] = budget.rules
  if (above === undefined) throw new Error('the load of the tests has a rule of minutes')
  await storyOf({ load: loadOf({ budget: { ...budget, rules: [{ ...above, allowed: 1440, ...much }] } }) })
  const bar = page.getByRole('list', { name: 'Rules' }).getByRole('meter')
  await expect.element(bar).toBeVisible()
  const [high, low] = [...bar.element().children].map((part) => (part as HTMLElement).style.width)
  expect(`${low} to ${high}`).toBe(shares)
})

test('a load whose readings are no longer kept says what was told of it, and never that nothing was measured', async () => {
  const { budget } = loadOf()
  const none = { used: null, least: null, most: null, percent: null, degreeMinutes: null, exhaustedAt: null }
  await storyOf({
    load: loadOf({
      ...{ state: 'exhausted', words: 'Exhausted: hold for review', percent: 100, most: 100 },
      ...{ closedAt: '2026-11-25T14:00:00.000Z', keptFrom: '2027-03-01T00:00:00.000Z' },
      ...{ spells: [], places: [], course: { at: [], temperature: [], percent: [] } },
      budget: {
        ...{
          ...budget,
          asOf: null,
          lowest: null,
          highest: null,
          mkt: null,
          measuredMinutes: 0,
          gapMinutes: 0,
        },
        rules: budget.rules.map((rule) => ({ ...rule, ...none })),
      },
    }),
  })
  const summary = page.getByRole('region', { name: 'In short' })
  await expect
    .element(summary)
    .toMatchTextContent(
      /Exhausted: hold for review.*Its readings are no longer kept: what was published of it stays\./,
    )
  await expect.element(page.getByText('What was measured is no longer kept.')).toBeVisible()
  await expect.element(page.getByText('Never, as far as its readings are kept.')).toBeVisible()
  await expect.element(page.getByText('Its position is no longer kept.')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'Rules' })).toMatchTextContent(/no longer kept/)
  expect(document.body.textContent).not.toMatch(/not measured/i)
})

test('a load whose first readings are no longer kept says since when they are', async () => {
  const keptFrom = new Date(Date.parse(loadOf().openedAt) + 3_600_000).toISOString()
  await storyOf({ load: loadOf({ keptFrom }) })
  await expect
    .element(page.getByRole('region', { name: 'In short' }))
    .toMatchTextContent(
      new RegExp(
        `Its readings of before ${writtenTime(keptFrom)} are no longer kept: what was published of it stays`,
      ),
    )
})

test('a place that was seen once was passed, the newest one reached', async () => {
  const [stayed, other] = loadOf().places
  if (stayed === undefined || other === undefined) throw new Error('the load of the tests has two places')
  const passed = { ...other, from: stayed.to, to: stayed.to, place: 'Pattoki' }
  const reached = { ...other, from: other.to }
  await storyOf({ load: loadOf({ places: [stayed, passed, reached] }) })
  await expect
    .element(page.getByRole('list', { name: 'Places' }))
    .toMatchTextContent(/Lahore3 h 00.*Pattokipassed.*12 km S of Okarareached/)
})

test('of a load that is under way for days each day is named once where it was, and by what lasts', async () => {
  const [place] = loadOf().places
  if (place === undefined) throw new Error('the load of the tests has a place')
  const later = (minutes: number) => {
    const from = new Date(Date.parse(place.from) + minutes * 60_000).toISOString()
    return { ...place, from, to: from }
  }
  const all = [later(0), later(1), later(2 * 1440)]
  const [spell] = loadOf().spells
  await storyOf({ load: loadOf({ places: all }) })
  const places = page.getByRole('list', { name: 'Places' })
  await expect.element(places).toBeVisible()
  const days = [later(0), later(2 * 1440)].map(({ from }) => writtenDay(from))
  expect(places.element().textContent?.match(/\d\d-\d\d-\d{4}/g)).toEqual(days)
  await expect
    .element(page.getByRole('list', { name: 'Spells' }))
    .toMatchTextContent(new RegExp(`^since ${writtenTime(spell?.from ?? '')}`))
  await expect
    .element(page.getByRole('list', { name: 'What happened' }))
    .toMatchTextContent(new RegExp(`${writtenTime(loadOf().openedAt)}$`))
})

test('its chart says the lowest and highest of all readings, where its line has but some of them', async () => {
  const { budget } = loadOf()
  await storyOf({ load: loadOf({ budget: { ...budget, lowest: -1.3, highest: 13.2 } }) })
  await expect.element(page.getByRole('figure', { name: 'Insulin, lot 7: −1.3 °C to 13.2 °C' })).toBeVisible()
})

test('an exhausted load is reviewed and rejected, not without a reason', async () => {
  const exhausted = loadOf({
    state: 'exhausted',
    words: 'Exhausted: hold for review',
    may: { close: true, beginReview: true, decide: false },
  })
  const is = { load: exhausted }
  await storyOf(is, {
    'POST /loads/l1/review': () => {
      is.load = { ...exhausted, state: 'in-review', may: { close: true, beginReview: false, decide: true } }
      return { body: is.load }
    },
    'POST /loads/l1/reject': (body) => {
      const { reason } = body as { reason: string }
      const decision = { userName: 'Bilal', at: exhausted.openedAt, reason }
      is.load = {
        ...exhausted,
        state: 'rejected',
        decision,
        may: { close: true, beginReview: false, decide: false },
      }
      return { body: is.load }
    },
    'GET /groups/top/budgets': () => columns(['exhausted', 'in-review', 'rejected'].indexOf(is.load.state)),
  })
  await page.getByRole('button', { name: 'Begin review' }).click()
  await page.getByRole('button', { name: 'Reject' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject this load?' })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await expect.element(dialog.getByText('Please say why')).toBeVisible()
  expect(harness.calls('POST /loads/l1/reject')).toEqual([])
  await userEvent.keyboard('The maker says discard')
  await dialog.getByLabelText(/Your password/).fill('secret')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('region', { name: 'In short' }))
    .toMatchTextContent(/Rejected.*Bilal rejected it.*The maker says discard/)
  expect(harness.calls('POST /loads/l1/reject').map(({ body }) => body)).toEqual([
    { reason: 'The maker says discard', signOff: { meaning: 'rejected', password: 'secret' } },
  ])
})

test('a load that was released and is exhausted again is decided about by nobody', async () => {
  const decision = { userName: 'Bilal', at: loadOf().openedAt, reason: 'The door stood open' }
  const words = 'Exhausted: hold for review'
  await storyOf({ load: loadOf({ state: 'exhausted', words, decision }) })
  const summary = page.getByRole('region', { name: 'In short' })
  await expect.element(summary).toMatchTextContent(words)
  expect(summary.element().textContent).not.toMatch(/rejected it|released it|Bilal/)
})

test('a load that was heard for an hour of its day says for how long it was not', async () => {
  const { budget } = loadOf()
  await storyOf({
    load: loadOf({ minutes: 1440, budget: { ...budget, measuredMinutes: 60, gapMinutes: 0 } }),
  })
  await expect.element(page.getByText('Without readings', { exact: true })).toBeVisible()
  expect(document.body.textContent).toMatch(/Without readings23 h 00/)
})

test('a load is opened with the profile that is shown, whatever its device was given meanwhile', async () => {
  const { profile } = loadOf()
  await shown(<OpenLoadDialog imei="1" name="Reefer 1" profile={profile} onClose={() => {}} />, '/', {
    'GET /profiles': { body: { profiles: [profile], mayChange: false } },
    'POST /loads': { body: loadOf() },
  })
  await page.getByLabelText('Reference').fill('Lot 7')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => harness.calls('POST /loads').map(({ body }) => body))
    .toEqual([{ imei: '1', reference: 'Lot 7', profileId: profile.profileId }])
})

test('a refusal is told, and what was typed stays', async () => {
  await storyOf(
    { load: loadOf({ state: 'in-review', may: { close: false, beginReview: false, decide: true } }) },
    { 'POST /loads/l1/release': { status: 409, body: { code: 409, message: 'It was rejected meanwhile' } } },
  )
  await page.getByRole('button', { name: 'Release' }).click()
  await userEvent.keyboard('Stability data')
  await page.getByLabelText(/Your password/).fill('secret')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('It was rejected meanwhile')).toBeVisible()
  await expect.element(page.getByLabelText('Why')).toHaveValue('Stability data')
})

test('of a load that is not there nothing is said but where to go', async () => {
  await shown(
    <Route path="/loads/:loadId">
      <LoadPage />
    </Route>,
    '/loads/l2',
  )
  await expect.element(page.getByText('There is no such load')).toBeVisible()
})

test('of a list with bad lines each is named with its column, and only the good ones are taken when one says so', async () => {
  const faults = [{ line: 3, imei: 'x', column: 'IMEI', reason: 'This is no IMEI' }]
  const queries: (string | null)[] = []
  await shown(<ImportLoads />, '/loads/import', {
    'POST /load-lists': (_body, _headers, query) => {
      queries.push(query.get('only'))
      const done =
        query.get('only') === null
          ? { opened: 0, closed: 0, already: 0 }
          : { opened: 2, closed: 1, already: 1 }
      return { body: { ...done, lines: 5, faulty: 1, faults } }
    },
  })
  await expect.element(page.getByRole('button', { name: 'Choose File' })).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  await userEvent.upload(input, new File(['IMEI,Reference\n'], 'loads.csv', { type: 'text/csv' }))
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent(/5 lines read, 1 of them cannot be taken: nothing was done yet/)
  await expect
    .element(page.getByRole('table', { name: 'Lines that cannot be taken' }))
    .toMatchTextContent(/3.*IMEI: This is no IMEI/)
  await page.getByRole('button', { name: 'Take the 4 good ones only' }).click()
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('2 loads opened, 1 closed, 1 line was so already, 1 line not taken.')
  expect(queries).toEqual([null, 'good-lines'])
})
