import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { setTimeZone } from '../../format/time.ts'
import { mountPage, type PageHarness } from '../testing/mount-page.tsx'
import type { Answer, Server } from '../testing/test-root.ts'
import { topOf } from '../testing/top-of.ts'
import IncidentView from './incident-view.tsx'
import {
  cleared,
  clock,
  deskWith,
  incident,
  lostDevice,
  NOW,
  notificationOf,
  opened,
  threeDevices,
} from './testing.ts'
import type { View } from './views.ts'

let harness: PageHarness
beforeEach(() => {
  setTimeZone('Asia/Karachi')
  return page.viewport(800, 600)
})
afterEach(() => harness.unmount())

const { imei } = incident(2)
const SHARES = `GET /things/${imei}/shares`
const SHARE = `POST /things/${imei}/shares`
const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
const toolbar = page.getByRole('toolbar', { name: 'What to do' })

function Viewed({ view }: { view: View }) {
  const desk = useStore(useRoot().live)?.desk
  const known = useStore(desk?.known ?? NOTHING)
  const incidents: readonly Incident[] = (view === 'over' ? known?.over : known?.open) ?? []
  return (
    desk &&
    known && (
      <div className="flex h-full flex-col">
        <IncidentView
          desk={desk}
          view={view}
          incidents={incidents}
          known={known}
          onPress={() => {}}
          onOpen={() => {}}
        />
      </div>
    )
  )
}
const NOTHING = { get: () => undefined, subscribe: () => () => {} }

async function shown(view: View, desk: Parameters<typeof deskWith>[0], server: Server = {}) {
  harness = await mountPage(<Viewed view={view} />, {
    at: '/',
    server: {
      'GET /groups/top/incidents': { body: deskWith(desk) },
      [SHARES]: { body: [] },
      [SHARE]: { status: 201, body: share('s1') },
      ...server,
    },
    fleet: threeDevices(),
    clock,
  })
}
const iso = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()
const share = (_id: string) => ({
  _id,
  from: iso(-120),
  to: iso(0),
  madeAt: iso(0),
  madeBy: 'Hina',
  expiresAt: iso(7 * 24 * 60),
  path: '/shared/token',
})

test('where nothing is open it does not say that all is well of a device beyond its limit', async () => {
  await shown('open', {})
  await expect
    .element(page.getByText('Yet not all devices shown are heard and within their limits.'))
    .toBeVisible()
})

test('r asks for a report of the row one stands on, and of all that are picked', async () => {
  await shown('open', { open: [incident(1), incident(2)] })
  await row('Reefer 2').click()
  await userEvent.keyboard('r')
  expect(harness.went().at(-1)).toBe(`/temperatureReport?devices=${imei}`)
  await userEvent.keyboard('xjxr')
  expect(harness.went().at(-1)).toBe(`/temperatureReport?devices=${incident(1).imei},${imei}`)
})

test('m, or the button, moves the devices of what is picked, each once; of what is over none', async () => {
  const open = [incident(1), incident(2), incident(2, { violationId: 'v4' })]
  await shown('open', { open }, { 'POST /things/move': { body: { moved: 2, refused: [] } } })
  await row('Reefer 2').first().click()
  await userEvent.keyboard('xjxjxm')
  await expect.element(page.getByRole('dialog', { name: 'Move 2 devices to a group' })).toBeVisible()
  await page.getByRole('dialog').getByRole('option').first().click()
  await page.getByRole('button', { name: /^Move to / }).click()
  await expect
    .poll(() => harness.calls('POST /things/move').map(({ body }) => body))
    .toEqual([{ things: [imei, incident(1).imei], groupId: 'top' }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await row('Reefer 1').click()
  await toolbar.getByRole('button', { name: /^Move/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Move Reefer 1 to a group' })).toBeVisible()
  harness.unmount()
  await shown('over', { over: [incident(2, { clearedAt: iso(-5) })] })
  await row('Reefer 2').click()
  await userEvent.keyboard('m')
  await expect.element(toolbar.getByRole('button', { name: /^Share/ })).toBeVisible()
  await expect.element(toolbar.getByRole('button', { name: /^Move/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('v, or the button, opens the case of a violation; of a device that is lost and of several there is none', async () => {
  await shown('open', { open: [incident(1), incident(2), lostDevice(3)] })
  await row('Reefer 2').click()
  await userEvent.keyboard('v')
  expect(harness.went().at(-1)).toBe('/violations/f2')
  await row('Reefer 1').click()
  await toolbar.getByRole('button', { name: /^Case/ }).click()
  expect(harness.went().at(-1)).toBe('/violations/f1')
  await row('Reefer 1').click()
  await userEvent.keyboard('xjx')
  await expect.element(toolbar.getByRole('button', { name: /^Case/ })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await row('Reefer 3').click()
  await expect.element(toolbar.getByRole('button', { name: /^Share/ })).toBeVisible()
  await expect.element(toolbar.getByRole('button', { name: /^Case/ })).not.toBeInTheDocument()
})

test('the proof of what lasts is sent from its row: from before it began until now', async () => {
  await shown('open', { open: [incident(1), incident(2)] })
  await row('Reefer 2').click()
  await userEvent.keyboard('p')
  await page.getByRole('button', { name: 'Copy a link' }).click()
  await expect
    .poll(() => harness.calls(SHARE).map(({ body }) => body))
    .toEqual([{ startDate: NOW - 120 * 60_000, endDate: NOW, days: 7 }])
})

test('what is pressed to share the proof stays where it is when the links of before come', async () => {
  for (const [width, kept] of [
    [390, []],
    [390, ['s1', 's2', 's3']],
    [800, []],
    [800, ['s1', 's2', 's3']],
  ] as const) {
    await page.viewport(width, 600)
    const links = Promise.withResolvers<Answer>()
    await shown('open', { open: [incident(2)] }, { [SHARES]: () => links.promise })
    await row('Reefer 2').click()
    await userEvent.keyboard('p')
    const copy = page.getByRole('button', { name: 'Copy a link' })
    const place = () => topOf(copy.element())
    await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    const before = place()
    links.resolve({ body: kept.map(share) })
    if (kept.length === 0) await expect.element(page.getByText('None yet.')).toBeVisible()
    else
      await expect
        .poll(() => page.getByRole('button', { name: /^End the link/ }).elements().length)
        .toBe(kept.length)
    expect(place()).toBe(before)
    harness.unmount()
  }
})

test('of what is over the proof is sent too, and nothing else is done to it', async () => {
  await shown('over', { over: [incident(2, { since: iso(-180), clearedAt: iso(-120) })] })
  await toolbar.getByRole('button', { name: /^Share/ }).click()
  await page.getByRole('button', { name: 'Copy a link' }).click()
  await expect
    .poll(() => harness.calls(SHARE).map(({ body }) => body))
    .toEqual([{ startDate: NOW - 240 * 60_000, endDate: NOW - 60 * 60_000, days: 7 }])
  await expect.element(toolbar.getByRole('button', { name: /^Acknowledge/ })).not.toBeInTheDocument()
})

const COMMENT = 'POST /users/notifications/f2/comments'
const POSTED: Server = { [COMMENT]: { status: 201, body: [] } }
const comment = page.getByRole('dialog', { name: 'Comment Reefer 2' }).getByLabelText('Your comment')

test('what is over is commented, and no key acknowledges, shelves or takes it', async () => {
  await shown('over', { over: [incident(2, { clearedAt: iso(-5) })] }, POSTED)
  await row('Reefer 2').click()
  await userEvent.keyboard('astc')
  await comment.fill('The door was shut again')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => harness.calls(COMMENT).map(({ body }) => body))
    .toEqual([{ comment: 'The door was shut again' }])
  expect(harness.calls('POST /users/notifications/f2/take')).toEqual([])
})

test('a comment on what ended while it was typed is posted', async () => {
  await shown('open', { open: [incident(2)] }, POSTED)
  await row('Reefer 2').click()
  await userEvent.keyboard('c')
  await comment.fill('The driver was called')
  harness.news.facts$.next(cleared(incident(2)))
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => harness.calls(COMMENT).map(({ body }) => body))
    .toEqual([{ comment: 'The driver was called' }])
})

test('the window that moves a device stays where its incident ended meanwhile', async () => {
  await shown('open', { open: [incident(2)] })
  await row('Reefer 2').click()
  await userEvent.keyboard('m')
  const moving = page.getByRole('dialog', { name: 'Move Reefer 2 to a group' })
  await expect.element(moving).toBeVisible()
  harness.news.facts$.next(cleared(incident(2)))
  await expect.element(page.getByText('Nothing is open')).toBeInTheDocument()
  await expect.element(moving).toBeVisible()
})

const TAKEN = /^POST .*\/take$/
const taken = () => harness.requests.filter(({ call }) => TAKEN.test(call)).map(({ call }) => call)
const TAKES: Server = {
  'POST /users/notifications/f1/take': { body: notificationOf(incident(1)) },
  'POST /users/notifications/f2/take': { body: notificationOf(incident(2)) },
}

test('what is pressed when the row it was meant for left is done to no other: the next is named first', async () => {
  await shown('open', { open: [incident(1), incident(2)] }, TAKES)
  await row('Reefer 1').click()
  await expect.element(toolbar).toMatchTextContent(/Reefer 1/)
  harness.news.facts$.next(cleared(incident(1)))
  await expect.element(row('Reefer 1')).not.toBeInTheDocument()
  await userEvent.keyboard('t')
  await expect.element(toolbar).toMatchTextContent(/^Reefer 2/)
  expect(taken()).toEqual([])
  await toolbar.getByRole('button', { name: /^Take/ }).click()
  await expect.poll(taken).toEqual(['POST /users/notifications/f2/take'])
})

test('a finger goes on with the next where the one it was at left', async () => {
  await shown('open', { open: [incident(1), incident(2)] }, TAKES)
  await row('Reefer 1').click()
  harness.news.facts$.next(cleared(incident(1)))
  await toolbar.getByRole('button', { name: 'Go on with Reefer 2' }).click()
  await toolbar.getByRole('button', { name: /^Take/ }).click()
  await expect.poll(taken).toEqual(['POST /users/notifications/f2/take'])
})

test('what is seen first stays aimed at when a worse one comes, and the window that asks names it', async () => {
  await shown('open', { open: [incident(1)] })
  await expect.element(toolbar).toMatchTextContent(/^Reefer 1/)
  harness.news.facts$.next(opened(incident(2)))
  await expect.element(row('Reefer 2')).toBeVisible()
  await toolbar.getByRole('button', { name: /^Acknowledge/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Acknowledge Reefer 1' })).toBeVisible()
})

test('the focus of a row that left goes to the row in its place, and no key of it to the page', async () => {
  await shown('open', { open: [incident(1), incident(2), lostDevice(3)] })
  await row('Reefer 1').click()
  harness.news.facts$.next(cleared(incident(1)))
  await expect.element(row('Reefer 3')).toHaveFocus()
  harness.news.facts$.next({ ...cleared(incident(2)), seq: 2 })
  await expect.element(row('Reefer 2')).not.toBeInTheDocument()
  await expect.element(row('Reefer 3')).toHaveFocus()
})

test('the focus of what was ended early goes to what is shelved in its place', async () => {
  const shelvedOf = (no: number) => ({
    imei: incident(no).imei,
    type: incident(no).type,
    until: iso(60 + no),
    reason: 'Defrost',
    userName: 'Bilal',
    createdAt: iso(-5),
  })
  await shown('known', { shelved: [shelvedOf(1), shelvedOf(2)] })
  const end = (no: number) => page.getByRole('button', { name: `End early: Reefer ${no}` })
  await expect.element(end(1)).toBeVisible()
  ;(end(1).element() as HTMLElement).focus()
  await expect.element(end(1)).toHaveFocus()
  const { imei, type } = incident(1)
  harness.news.facts$.next({
    ...cleared(incident(1)),
    type: 'violation.unshelved',
    data: { imei, type, opened: null },
  } as never)
  await expect.element(end(1)).not.toBeInTheDocument()
  await expect.element(end(2)).toHaveFocus()
})

test('Shift picks from the row pressed where the one stood on left', async () => {
  await shown('open', { open: [incident(1), incident(2), lostDevice(3)] })
  await row('Reefer 1').click()
  harness.news.facts$.next(cleared(incident(1)))
  await expect.element(row('Reefer 1')).not.toBeInTheDocument()
  await page.getByRole('checkbox', { name: 'Pick Reefer 3' }).click({ modifiers: ['Shift'] })
  await expect.element(toolbar).toMatchTextContent(/1 selected/)
})

test('Shift and a press on a row pick all from the one stood on', async () => {
  await shown('open', { open: [incident(1), incident(2), lostDevice(3)] })
  await row('Reefer 2').click()
  await row('Reefer 3').click({ modifiers: ['Shift'] })
  await expect.element(toolbar).toMatchTextContent(/3 selected/)
})

test('a link shows one device: where several are picked it is not offered', async () => {
  await shown('open', { open: [incident(1), incident(2)] })
  await row('Reefer 2').click()
  await userEvent.keyboard('xjx')
  await expect.element(toolbar).toMatchTextContent(/2 selected/)
  await expect.element(toolbar.getByRole('button', { name: /^Share/ })).not.toBeInTheDocument()
})

test('where the list is narrow every act is in sight', async () => {
  await page.viewport(360, 600)
  const holder = { userId: 'u1', userName: 'Bilal', since: iso(-5) }
  await shown('open', { open: [incident(1, { holder })] })
  await expect.element(toolbar.getByRole('button', { name: /^Proof/ })).toBeVisible()
  const bar = toolbar.element()
  expect(bar.scrollWidth).toBeLessThanOrEqual(bar.clientWidth)
})
