import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { setTimeZone } from '../../format/time.ts'
import { deskWith, incident } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import Notifications from './notifications.tsx'
import { answerOf, DEVICE, NOW, notificationOf } from './testing.ts'

let harness: PageHarness
beforeEach(() => {
  setTimeZone('Asia/Karachi')
  return page.viewport(1280, 800)
})
afterEach(() => harness.unmount())

const LIST = 'POST /groups/top/notifications'
const clock = { now: () => NOW, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY }

/** The page with a list of the server's. */
async function shown(whole: readonly Notification[], server: Server = {}, at = '/notifications') {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1), plainDevice(2)], [plainGroup('top')]))
  harness = await mountPage(<Notifications />, {
    at,
    server: { [LIST]: (request) => answerOf(whole, request), ...server },
    fleet,
    clock,
  })
}
const many = (count: number) => Array.from({ length: count }, (_, i) => notificationOf(count - i, i))
const list = page.getByRole('list', { name: 'Notifications' })
const entry = (seq: number) => page.getByRole('listitem').filter({ hasText: `Reefer ${seq}LEB` })
const open = (seq: number) => entry(seq).getByRole('button', { name: /-Nov-26/ })

test('the documents’ columns, newest first, and what became of each', async () => {
  await shown([
    notificationOf(9, 12),
    notificationOf(8, 65, {
      clearedAt: new Date(NOW - 5 * 60_000).toISOString(),
      acknowledged: { userName: 'Ayesha Khan', comment: '', createdAt: new Date(NOW).toISOString() },
      comments: [{ _id: 'c1', userName: 'Ayesha', comment: 'On it', createdAt: new Date(NOW).toISOString() }],
      isRepeat: true,
    }),
  ])
  await expect
    .element(entry(9))
    .toMatchTextContent(
      /High temperature.*9.4 °C, above 8 °C.*Reefer 9.*LEB-9.*Open for 12 min.*12 min ago.*21-Nov-26 1:48 pm.*31.50000, 74.30000/,
    )
  await expect
    .element(entry(8))
    .toMatchTextContent(/Ended after 1 h.*Repeat.*Acknowledged by.*Ayesha Khan.*1/)
  await expect.element(page.getByText('2 of 2')).toBeVisible()
  const [request] = harness.calls(LIST).slice(-1)
  expect(request?.body).toMatchObject({ skip: 0, limit: 50 })
})

test('what was found late says when it was out and since when that is known, what was taken back says so', async () => {
  const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
  const foundLate = { since: ago(190), openedAt: ago(180), knownSince: ago(8), readings: 7 }
  await shown([
    notificationOf(9, 8, { foundLate, clearedAt: ago(150) }),
    notificationOf(8, 65, { revised: null, clearedAt: ago(65) }),
    // more came later still, and then what was before the record was looked at
    notificationOf(7, 8, {
      foundLate,
      clearedAt: ago(150),
      revised: { since: ago(195), openedAt: ago(185), worst: 9 },
    }),
    notificationOf(6, 20, { revised: { since: ago(200), openedAt: ago(190), worst: 9, isOfPast: true } }),
    notificationOf(5, 21, {
      revised: { since: ago(1500), openedAt: ago(1490), worst: 9, isOfPast: true, isSinceBefore: true },
    }),
    notificationOf(4, 22, {
      revised: { since: ago(190), openedAt: ago(180), worst: 9, isSinceBefore: true },
    }),
  ])
  await expect
    .element(entry(9))
    .toMatchTextContent(
      /Found late: out 10:50–11:30, known since 13:52 \(7 readings, up to 3 h 2 min late\).*Ended after 40 min/,
    )
  await expect.element(entry(8)).toMatchTextContent(/Late readings say that it never was.*Taken back/)
  await expect
    .element(entry(7))
    .toMatchTextContent(/Found late: out 10:45–11:30, known since 13:52 .*Ended after 45 min/)
  await expect.element(entry(6)).toMatchTextContent(/Out since 21-11-2026 10:40 am.*Open for 3 h/)
  await expect.element(entry(5)).toMatchTextContent(/Out since before 20-11-2026 01:00 pm/)
  await expect.element(entry(4)).toMatchTextContent(/Corrected by late readings: out since before 10:50/)
})

test('nothing yet is said in the documents’ words', async () => {
  await shown([])
  await expect.element(page.getByText('No Notifications Yet!')).toBeVisible()
})

test('Load More appends; what comes live stands in front and moves the offset', async () => {
  const whole = many(70)
  await shown(whole)
  await expect.element(page.getByText('50 of 70')).toBeVisible()
  whole.unshift(notificationOf(1001, 0))
  harness.news.notifications$.next({ ...notificationOf(1001, 0), seq: 1001 })
  await expect.element(page.getByText('51 of 71')).toBeVisible()
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 1001/)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.element(page.getByText('71 of 71')).toBeVisible()
  expect(harness.calls(LIST).at(-1)?.body).toMatchObject({ skip: 51, limit: 50 })
  await expect.element(page.getByRole('button', { name: 'Load More' })).not.toBeInTheDocument()
})

test('filters narrow what is asked, from the start', async () => {
  await shown(many(70))
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect.element(page.getByText('70 of 70')).toBeVisible()
  await page.getByRole('button', { name: 'Types All types' }).click()
  await page.getByRole('option', { name: 'Device pluggedin' }).click()
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Devices All devices' }).click()
  await page.getByRole('option', { name: /Reefer 2/ }).click()
  await expect
    .poll(() => harness.calls(LIST).at(-1)?.body)
    .toMatchObject({ skip: 0, limit: 50, things: [imeiOf(2)], types: ['vehicleOnline'] })
})

test('an address prefills device, types and dates', async () => {
  const date = '2026-11-20T09:00:00.000Z..2026-11-20T19:00:00.000Z'
  await shown([], {}, `/notifications?date=${date}&thing=${imeiOf(1)}&plate=LEB-1&type=vehicleOffline`)
  await expect.element(page.getByText('No Notifications Yet!')).toBeVisible()
  expect(harness.calls(LIST).at(-1)?.body).toMatchObject({
    startDate: Date.UTC(2026, 10, 20, 9),
    endDate: Date.UTC(2026, 10, 20, 19),
    things: [imeiOf(1)],
    types: ['vehicleOffline'],
  })
})

const TEXTS = {
  _id: 'c1',
  userName: 'Bilal',
  comment: 'On my way',
  createdAt: new Date(NOW).toISOString(),
}

test('a comment is posted once and shown; nothing is posted when it is empty', async () => {
  await shown([notificationOf(9, 12)], {
    'POST /users/notifications/f9/comments': { status: 201, body: [TEXTS] },
  })
  await open(9).click()
  const post = page.getByRole('button', { name: 'Post' })
  await post.click()
  const box = page.getByRole('textbox', { name: 'Comment' })
  await box.fill('   ')
  await post.click()
  expect(harness.calls('POST /users/notifications/f9/comments')).toEqual([])
  await box.fill('On my way')
  await post.click()
  await expect.element(page.getByRole('list', { name: 'Comments' })).toMatchTextContent(/Bilal.*On my way/)
  await expect.element(box).toHaveValue('')
  expect(harness.calls('POST /users/notifications/f9/comments').map(({ body }) => body)).toEqual([
    { comment: 'On my way' },
  ])
})

test('what could not be posted stays typed', async () => {
  await shown([notificationOf(9, 12)], {
    'POST /users/notifications/f9/comments': { status: 500, body: { code: 500, message: 'Disk full' } },
  })
  await open(9).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('On my way')
  await page.getByRole('button', { name: 'Post' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Disk full' })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('On my way')
})

test('what is typed while a comment is on its way stays', async () => {
  const { promise: posted, resolve: post } = Promise.withResolvers<void>()
  await shown([notificationOf(9, 12)], {
    'POST /users/notifications/f9/comments': () => posted.then(() => ({ status: 201, body: [TEXTS] })),
  })
  await open(9).click()
  const box = page.getByRole('textbox', { name: 'Comment' })
  await box.fill('On my way')
  await page.getByRole('button', { name: 'Post' }).click()
  await box.fill('The door was open')
  post()
  await expect.element(page.getByRole('list', { name: 'Comments' })).toMatchTextContent(/Bilal.*On my way/)
  await expect.element(box).toHaveValue('The door was open')
})

test('what was typed in an entry is there again when it was out of view', async () => {
  await shown(many(50))
  await open(48).click()
  await page.getByRole('textbox', { name: 'Another reason' }).fill('Wrong door')
  await page.getByRole('textbox', { name: 'Comment' }).fill('On my way')
  const main = document.querySelector('main') as HTMLElement
  main.scrollTo(0, main.scrollHeight)
  await expect.element(entry(48)).not.toBeInTheDocument()
  main.scrollTo(0, 0)
  await expect.element(page.getByRole('textbox', { name: 'Another reason' })).toHaveValue('Wrong door')
  await expect.element(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('On my way')
})

test('acknowledging says who does and since when; who is late is told who was first', async () => {
  const by = (userName: string) => ({
    userName,
    comment: '',
    reason: 'Door open',
    createdAt: new Date(NOW).toISOString(),
  })
  await shown([notificationOf(9, 12), notificationOf(8, 13)], {
    'POST /users/notifications/f9/acknowledge': {
      body: notificationOf(9, 12, { acknowledged: by('Bilal') }),
    },
    'POST /users/notifications/f8/acknowledge': {
      status: 409,
      body: { code: 409, message: 'Already acknowledged by Hina', acknowledged: by('Hina') },
    },
  })
  await open(9).click()
  await page.getByRole('button', { name: 'Door open' }).click()
  await expect
    .element(entry(9))
    .toMatchTextContent(/Acknowledged by Bilal since 21-11-2026 02:00 pm: Door open/)
  await expect.element(open(9)).toHaveFocus()
  await expect.element(entry(9).getByRole('status')).toMatchTextContent(/Acknowledged by Bilal/)
  expect(harness.calls('POST /users/notifications/f9/acknowledge').map(({ body }) => body)).toEqual([
    { reason: 'Door open' },
  ])
  await open(9).click()
  await open(8).click()
  await page.getByRole('textbox', { name: 'Another reason' }).fill('Gate is stuck')
  await page.getByRole('button', { name: 'Say so' }).click()
  await expect.element(entry(8)).toMatchTextContent(/Acknowledged by Hina since/)
})

test('Why tells the readings, the threshold, the pause and the margin in words, and who was told', async () => {
  const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
  await shown([notificationOf(9, 12)], {
    'GET /users/notifications/f9/why': {
      body: {
        violation: {
          type: 'HIGH_TEMPERATURE_DETECTED',
          since: at(-27),
          openedAt: at(-12),
          value: 9.4,
          threshold: 8,
          delaySeconds: 900,
          clearMargin: 0.5,
          readings: [-27, -20, -12].map((minutes, i) => ({ at: at(minutes), value: 8.2 + i / 2 })),
          clearedAt: null,
          worst: null,
          clearReason: null,
        },
        late: {
          opening: { at: at(-12), receivedAt: at(160), value: 9.4 },
          first: { at: at(-20), receivedAt: at(158), value: 8.7 },
        },
        toldAs: { since: at(-14), openedAt: at(-10) },
        doors: [
          { from: at(-29), to: at(-20) },
          { from: at(-14), to: null },
        ],
        groupName: 'Lahore',
        acknowledged: null,
        repeats: null,
        told: [
          { userName: 'Bilal', channel: 'screen', at: at(-11), state: 'seen', detail: '' },
          { userName: 'Hina', channel: 'email', at: at(-11), state: 'failed', detail: 'no such mailbox' },
        ],
      },
    },
  })
  await open(9).click()
  await page.getByRole('button', { name: 'Why' }).click()
  const why = page.getByRole('region', { name: 'Why' })
  await expect
    .element(why)
    .toMatchTextContent(/above the high threshold 8.0 °C of Lahore from 21-11-2026 01:33 pm/)
  await expect
    .element(why)
    .toMatchTextContent(/After more than 15 min of that.*9.4 °C at 21-11-2026 01:48 pm/)
  await expect.element(why).toMatchTextContent(/at or below 7.5 °C: 0.5 °C inside/)
  await expect
    .element(why)
    .toMatchTextContent(
      /The reading that made it a violation \(9.4 °C\) was measured at 21-11-2026 01:48 pm and received at 21-11-2026 04:40 pm, 2 h 52 min late/,
    )
  await expect
    .element(why)
    .toMatchTextContent(/The first late reading \(8.7 °C\) was measured at 21-11-2026 01:40 pm/)
  await expect.element(why).toMatchTextContent(/At first it was published as above since 21-11-2026 01:46 pm/)
  await expect.element(why).toMatchTextContent(/Door open 13:31–13:40, since 13:46\./)
  await expect
    .element(why)
    .toMatchTextContent(/Bilal.*On screen: seen.*Hina.*E-mail: failed \(no such mailbox\)/)
  await expect
    .element(why.getByRole('img', { name: '3 readings from 13:33 to 13:48, threshold 8.0 °C' }))
    .toBeVisible()
})

test('a place opens Location Details; a flagged entry asks who was in the vehicle', async () => {
  await shown(
    [
      notificationOf(9, 12, { type: 'vehicleOffline', violationId: null, passengerCheck: true }),
      notificationOf(8, 13, { place: '12 km NE of Lahore' }),
      notificationOf(7, 14),
    ],
    { [`GET /things/passengercheck/${notificationOf(9, 12).thingId}/true`]: { body: { message: 'Kept' } } },
  )
  await expect
    .element(entry(7).getByRole('button', { name: '31.50000, 74.30000, Location Details' }))
    .toBeVisible()
  await entry(8).getByRole('button', { name: '12 km NE of Lahore, Location Details' }).click()
  const location = page.getByRole('dialog', { name: 'Location Details' })
  await expect
    .element(location)
    .toMatchTextContent(/Reefer 8 LEB-8, 12 km NE of Lahore \(31.50000, 74.30000\), 21-11-2026 01:47 pm/)
  await userEvent.keyboard('{Escape}')
  await expect.element(location).not.toBeInTheDocument()
  await open(9).click()
  const asking = page.getByRole('dialog', { name: 'Passenger check' })
  await asking.getByRole('button', { name: 'Yes, somebody was' }).click()
  await expect.element(asking).not.toBeInTheDocument()
  await expect.element(entry(9)).not.toMatchTextContent(/Passenger check/)
})

test('the window that asks who was in the vehicle stays until it is known whether the answer was kept', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const flagged = notificationOf(9, 12, { type: 'vehicleOffline', violationId: null, passengerCheck: true })
  await shown([flagged], {
    [`GET /things/passengercheck/${flagged.thingId}/true`]: () =>
      answered.then(() => ({ status: 409, body: { code: 409, message: 'It was answered already' } })),
  })
  await open(9).click()
  const asking = page.getByRole('dialog', { name: 'Passenger check' })
  await asking.getByRole('button', { name: 'Yes, somebody was' }).click()
  await userEvent.keyboard('{Escape}')
  answer()
  await expect.element(asking.getByRole('alert')).toHaveTextContent('It was answered already')
})

test('who is led to a flagged entry is asked who was in the vehicle', async () => {
  const flagged = notificationOf(9, 12, { type: 'vehicleOffline', violationId: null, passengerCheck: true })
  await shown([flagged, notificationOf(8, 13)], {}, `/notifications?open=${flagged._id}`)
  await expect.element(page.getByRole('dialog', { name: 'Passenger check' })).toBeVisible()
})

test('which entry stands open is in the address', async () => {
  await shown(many(3), {}, '/notifications?open=f2')
  await expect.element(open(2)).toHaveAttribute('aria-expanded', 'true')
  await expect.element(open(3)).toHaveAttribute('aria-expanded', 'false')
  await open(3).click()
  expect(harness.went().at(-1)).toBe('/notifications?open=f3')
  await expect.element(open(2)).toHaveAttribute('aria-expanded', 'true')
  await open(3).click()
  expect(harness.went().at(-1)).toBe('/notifications')
})

test('the proof of what an entry tells is sent from it: with as much around it as it lasted', async () => {
  const at = (minutes: number) => NOW - minutes * 60_000
  const whole = [notificationOf(1, 180, { clearedAt: new Date(at(120)).toISOString() })]
  await shown(whole, { [`GET /things/${DEVICE}/shares`]: { body: [] } })
  await open(1).click()
  await entry(1).getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Copy a link' }).click()
  await expect
    .poll(() => harness.calls(`POST /things/${DEVICE}/shares`).map(({ body }) => body))
    .toEqual([{ startDate: at(240), endDate: at(60), days: 7 }])
})

test('arrow keys walk, Enter opens, Escape closes', async () => {
  await shown(many(70))
  await expect.element(open(70)).toBeVisible()
  ;(open(70).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  await expect.element(open(68)).toHaveAttribute('aria-expanded', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(open(68)).toHaveAttribute('aria-expanded', 'false')
  await expect.element(open(68)).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(open(21)).toHaveFocus()
})

test('what is open is walked and acted on within the window, however much it is; on paper it is whole', async () => {
  const open = Array.from({ length: 40 }, (_, i) =>
    incident(1, { violationId: `v${i}`, since: '2026-11-21T08:00:00Z' }),
  )
  await shown([], { 'GET /groups/top/incidents': { body: deskWith({ open }) } }, '/notifications?show=open')
  const rows = page.getByRole('list', { name: 'Incidents' }).getByRole('listitem')
  await expect.element(rows.first()).toBeVisible()
  ;(rows.first().getByRole('button').element() as HTMLElement).focus()
  await userEvent.keyboard('j'.repeat(20))
  const main = document.querySelector('main') as HTMLElement
  const isInSight = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= main.getBoundingClientRect().bottom
  }
  const focused = document.activeElement as HTMLElement
  expect(focused.closest('li')?.ariaPosInSet).toBe('21')
  expect(isInSight(focused)).toBe(true)
  expect(isInSight(page.getByRole('toolbar', { name: 'What to do' }).element())).toBe(true)
  expect(rows.elements().length).toBeLessThan(40)
  dispatchEvent(new Event('beforeprint'))
  expect(rows.elements().length).toBe(40)
  dispatchEvent(new Event('afterprint'))
})

test('a list that does not come says so, and is asked for again', async () => {
  let isDown = true
  await shown([], {
    [LIST]: (request) =>
      isDown ? { status: 503, body: { code: 503, message: 'Starting' } } : answerOf(many(1), request),
  })
  await expect.element(page.getByText('The notifications could not be loaded')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(entry(1)).toBeVisible()
})

test('what is on screen is seen', async () => {
  await shown([], { [LIST]: (request) => answerOf(many(3), request, 3) })
  await expect.element(entry(3)).toBeVisible()
  await expect.poll(() => harness.seen).toEqual([1000])
  harness.news.notifications$.next({ ...notificationOf(1001, 0), seq: 1001 })
  await expect.poll(() => harness.seen).toEqual([1000, 1001])
})

test('of very many only those in view exist', async () => {
  const whole = many(5000)
  await shown([], { [LIST]: () => answerOf(whole, { skip: 0, limit: 5000 }) })
  await expect.element(page.getByText('5,000 of 5,000')).toBeVisible()
  expect(list.getByRole('listitem').elements().length).toBeLessThan(40)
  await expect.element(list.getByRole('listitem').first()).toHaveAttribute('aria-setsize', '5000')
})
