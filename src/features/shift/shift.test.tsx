import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TOO_MUCH_HAPPENED } from '#machines/contracts/calls/shift-calls.ts'
import type { ShiftSummary } from '#machines/contracts/entities/shift.ts'
import { setTimeZone } from '../../format/time.ts'
import { clock, deskWith, incident, lostDevice, NOW, threeDevices } from '../../layout/incidents/testing.ts'
import SinceYouLeftRoom from '../../layout/since-you-left-room.tsx'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer } from '../../layout/testing/test-root.ts'
import Shift from './shift.tsx'
import SinceYouLeft from './since-you-left.tsx'

const CALL = 'GET /groups/top/shift'
const HOUR = 3_600_000
const iso = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString()

let harness: PageHarness
beforeEach(() => {
  setTimeZone('Asia/Karachi')
  return page.viewport(900, 600)
})
afterEach(() => {
  harness.unmount()
  keep('', 0)
})

/** The visitor was here last so many ms ago, as the browser keeps it. */
const wasHere = (ago: number): void =>
  keep(JSON.stringify({ u1: { at: NOW - ago, wall: Date.now() - ago, left: null } }), 60)

function keep(visits: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as the portal keeps it
  document.cookie = `frostline-visits=${encodeURIComponent(visits)}; Path=/; Max-Age=${seconds}`
}

const NO_LOADS = { loads: 0, atRisk: 0, exhausted: 0, decided: 0 }
const summaryOf = (fields: Partial<ShiftSummary> = {}): ShiftSummary => ({
  since: iso(-480),
  until: iso(0),
  opened: [],
  ended: [],
  counts: { opened: 0, stillOpen: 0, lost: 0, stillLost: 0, ended: 0, actions: 0, ...NO_LOADS },
  actions: [],
  loads: [],
  changes: [],
  hasMoreChanges: false,
  ...fields,
})

/** A night: one is too hot since, one was, one is lost, one from before is over, and two people did something. */
const NIGHT = summaryOf({
  opened: [
    incident(3, { openedAt: iso(-20) }),
    incident(2, { openedAt: iso(-30) }),
    lostDevice(1),
    incident(1, { violationId: 'v9', openedAt: iso(-300), clearedAt: iso(-200) }),
  ],
  ended: [incident(2, { violationId: 'v8', openedAt: iso(-900), clearedAt: iso(-400) })],
  counts: { opened: 3, stillOpen: 2, lost: 1, stillLost: 1, ended: 1, actions: 2, ...NO_LOADS },
  actions: [
    action({
      action: 'acknowledged',
      userName: 'Hina',
      type: 'HIGH_TEMPERATURE_DETECTED',
      text: 'Doors open',
    }),
    action({ action: 'taken-back', userName: null, type: 'HIGH_TEMPERATURE_DETECTED' }),
  ],
  changes: [
    {
      at: iso(-60),
      by: { _id: 'u2', name: 'Hina' },
      of: 'devices',
      id: incident(2).imei,
      name: 'Reefer 2',
      others: 19,
      action: 'updated',
      changes: [{ field: 'groupId', before: 'North', after: 'South' }],
      more: 0,
    },
  ],
})

function action(fields: Partial<ShiftSummary['actions'][number]>): ShiftSummary['actions'][number] {
  return {
    at: iso(-90),
    action: 'taken',
    userName: null,
    imei: incident(2).imei,
    type: null,
    text: '',
    ...fields,
  }
}

async function shown(answer: Answer | (() => Answer), at = '/shift', shift = <Shift />) {
  harness = await mountPage(shift, { at, server: { [CALL]: answer }, fleet: threeDevices(), clock })
}

test('what came up and lasts is first, the worst of it before the rest, and leads to its device', async () => {
  await shown({ body: NIGHT })
  await expect
    .element(page.getByRole('status').filter({ hasText: 'came up' }))
    .toHaveTextContent(
      '3 violations came up, 2 still open; 1 device was lost, 1 still lost; 1 from before is over.',
    )
  const lasting = page.getByRole('list', { name: 'New, still open' })
  const rows = lasting.getByRole('listitem')
  await expect.element(rows.first()).toMatchTextContent(/Reefer 2.*23\.6 °C.*15\.6 above 8/)
  expect(rows.elements()).toHaveLength(3)
  const over = page.getByRole('list', { name: 'New, over already' })
  await expect.element(over).toMatchTextContent(/Reefer 1.*over/)
  await expect
    .element(page.getByRole('list', { name: 'From before, over now' }))
    .toMatchTextContent(/Reefer 2/)
  await rows.first().getByRole('link').click()
  expect(harness.went().at(-1)).toBe(`/temperature/${incident(2).imei}`)
})

test('loads that are at risk or were decided about are told in the line, and lead to their stories', async () => {
  const at = iso(-40)
  await shown({
    body: summaryOf({
      counts: { ...summaryOf().counts, loads: 2, atRisk: 1, exhausted: 1, decided: 1 },
      loads: [
        {
          ...{ loadId: 'l8', reference: 'Lot 8', imei: incident(1).imei, deviceName: 'Reefer 1' },
          ...{ state: 'at-risk', words: '62 % used, at this temperature exhausted 16:40', news: [] },
        },
        {
          ...{ loadId: 'l7', reference: 'Lot 7', imei: incident(2).imei, deviceName: 'Reefer 2' },
          ...{ state: 'rejected', words: 'Exhausted: hold for review' },
          news: [
            { at, action: 'rejected', userName: 'Hina', text: 'Too warm' },
            { at: iso(-2_880), action: 'exhausted', userName: null, text: '' },
          ],
        },
      ],
    }),
  })
  await expect
    .element(page.getByRole('status').filter({ hasText: 'at risk' }))
    .toHaveTextContent('1 budget was exhausted; 1 load is at risk; 1 load was decided about.')
  const rows = page.getByRole('list', { name: 'Loads' }).getByRole('listitem')
  await expect.element(rows.first()).toMatchTextContent(/Lot 8.*At risk.*Reefer 1 · 62 % used/)
  await expect
    .element(rows.nth(1))
    .toMatchTextContent(/09:20.?Hina rejected it: Too warm.*13-06-2026 10:00.?The budget was exhausted/)
  await rows.nth(1).getByRole('link').click()
  expect(harness.went().at(-1)).toBe('/loads/l7')
})

test('who did what, and who changed what, is told by name', async () => {
  await shown({ body: NIGHT })
  const done = page.getByRole('list', { name: 'Done' })
  await expect.element(done).toMatchTextContent(/Hina acknowledged High temperature: Doors open.*Reefer 2/)
  await expect.element(done).toMatchTextContent(/Late readings showed that there never was High temperature/)
  await expect
    .element(page.getByRole('list', { name: 'Changed' }))
    .toMatchTextContent(/Hina.*changed Reefer 2 and 19 more devices.*North.*South/)
})

test('what was done on another day is told with it, each day once', async () => {
  await shown({
    body: summaryOf({
      since: iso(-3 * 24 * 60),
      actions: [-90, -100, -1_200, -2_640].map((minutes) => action({ at: iso(minutes) })),
    }),
  })
  await expect
    .element(page.getByRole('list', { name: 'Done' }))
    .toMatchTextContent(/15-06-2026.?08:30.*08:20.*14-06-2026.?14:00.*13-06-2026.?14:00/)
  expect(page.getByText('15-06-2026', { exact: true }).elements()).toHaveLength(1)
})

test('whoever may not read changes sees none, and where nothing happened that is said', async () => {
  await shown({ body: summaryOf({ changes: null }) })
  await expect.element(page.getByText('Nothing happened')).toBeVisible()
  expect(page.getByRole('heading', { name: /^Changed/ }).elements()).toEqual([])
})

test('what was open before and still is has its place, where nothing else happened too', async () => {
  const open = [incident(2, { openedAt: iso(-900) }), incident(3, { openedAt: iso(-20) })]
  harness = await mountPage(<Shift />, {
    at: '/shift',
    server: { [CALL]: { body: summaryOf() }, 'GET /groups/top/incidents': { body: deskWith({ open }) } },
    fleet: threeDevices(),
    clock,
  })
  const lasting = page.getByRole('list', { name: 'From before, still open' })
  await expect.element(lasting).toMatchTextContent(/Reefer 2/)
  expect(lasting.getByRole('listitem').elements()).toHaveLength(1)
  await expect.element(page.getByText('nothing came up; 1 from before still open.')).toBeVisible()
})

test('the time is of the address, is chosen with a press or typed, and is at most 31 days ago', async () => {
  const requests: (string | null)[] = []
  harness = await mountPage(<Shift />, {
    at: `/shift?since=${iso(-120)}`,
    server: {
      [CALL]: (_body, _headers, query) => {
        requests.push(query.get('since'))
        return { body: NIGHT }
      },
    },
    fleet: threeDevices(),
    clock,
  })
  await expect.poll(() => requests.at(-1)).toBe(iso(-120))
  await expect.element(page.getByText('15 Jun 2026 08:00 (PKT) until now, 2 h 00')).toBeVisible()
  await page.getByRole('button', { name: '24 h' }).click()
  await expect.poll(() => requests.at(-1)).toBe(iso(-24 * 60))
  expect(harness.went().at(-1)).toBe(`/shift?since=${iso(-24 * 60)}`)
  await page.getByRole('spinbutton', { name: /month/i }).click()
  await userEvent.keyboard('04')
  await expect.element(page.getByText('At most 31 days back')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  expect(harness.went().at(-1)).toBe(`/shift?since=${iso(-24 * 60)}`)
})

test('where it could not be summed up that is said with the remedy, and what was there before stays', async () => {
  let answer: Answer = { status: 422, body: { code: 422, message: TOO_MUCH_HAPPENED } }
  await shown(() => answer)
  await expect.element(page.getByText(TOO_MUCH_HAPPENED)).toBeVisible()
  answer = { body: NIGHT }
  await page.getByRole('button', { name: 'Try again' }).click()
  const lasting = page.getByRole('list', { name: 'New, still open' })
  await expect.element(lasting).toBeVisible()
  answer = { status: 403, body: { code: 403, message: 'You may not see this group' } }
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(page.getByText('You may not see this group')).toBeVisible()
  await expect.element(page.getByText('Below is what was loaded before.')).toBeVisible()
  await expect.element(lasting).toBeVisible()
})

test('of many rows the first twenty are shown until one asks for all', async () => {
  const actions = Array.from({ length: 30 }, (_, no) =>
    action({ at: iso(-no), action: 'taken', userName: 'Hina' }),
  )
  await shown({ body: summaryOf({ actions, counts: { ...NIGHT.counts, actions: 30 } }) })
  const rows = page.getByRole('list', { name: 'Done' }).getByRole('listitem')
  await expect.element(rows.first()).toBeVisible()
  expect(rows.elements()).toHaveLength(20)
  await page.getByRole('button', { name: 'Show all 30' }).click()
  expect(rows.elements()).toHaveLength(30)
})

test('whoever comes back is told under the header what happened since, until they have seen or dismissed it', async () => {
  wasHere(HOUR)
  await shown({ body: NIGHT }, '/groups', <SinceYouLeft />)
  const line = page.getByRole('complementary', { name: 'Since you left' })
  await expect
    .element(line)
    .toMatchTextContent(/Since you left on 15 Jun 2026 09:00 \(PKT\): 3 violations came up, 2 still open/)
  await line.getByRole('button', { name: 'Show' }).click()
  expect(harness.went().at(-1)).toBe(`/shift?since=${iso(-60)}`)
  await expect.element(line).not.toBeInTheDocument()
})

test('what it is told in has its room before it comes', async () => {
  wasHere(HOUR)
  await shown(
    { body: NIGHT },
    '/groups',
    <>
      <div data-testid="room">
        <SinceYouLeftRoom />
      </div>
      <SinceYouLeft />
    </>,
  )
  const line = page.getByRole('complementary', { name: 'Since you left' })
  await expect.element(line).toMatchTextContent(/3 violations came up/)
  const room = page.getByTestId('room').element() as HTMLElement
  expect(room.offsetHeight).toBe((line.element() as HTMLElement).offsetHeight)
})

test('a press of whoever comes back to an open page is over before the line moves what is below it', async () => {
  await shown({ body: NIGHT }, '/groups', <SinceYouLeft />)
  await expect.poll(() => document.cookie).toContain('frostline-visits')
  wasHere(HOUR)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    window.dispatchEvent(new PointerEvent('pointerdown'))
    expect(decodeURIComponent(document.cookie)).toContain('"left":null')
    window.dispatchEvent(new MouseEvent('click'))
    await expect.element(page.getByRole('complementary', { name: 'Since you left' })).toBeVisible()
  } finally {
    vi.useRealTimers()
  }
})

test('a finger that scrolls is a sign of life', async () => {
  await shown({ body: NIGHT }, '/groups', <SinceYouLeft />)
  await expect.poll(() => document.cookie).toContain('frostline-visits')
  wasHere(HOUR)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  try {
    window.dispatchEvent(new Event('touchmove'))
    await expect.element(page.getByRole('complementary', { name: 'Since you left' })).toBeVisible()
  } finally {
    vi.useRealTimers()
  }
})

test('whoever never left is told nothing', async () => {
  wasHere(60_000)
  await shown({ body: NIGHT }, '/groups', <SinceYouLeft />)
  await expect.poll(() => document.cookie).toContain('frostline-visits')
  expect(harness.calls(CALL)).toEqual([])
  expect(page.getByRole('complementary').elements()).toEqual([])
})
