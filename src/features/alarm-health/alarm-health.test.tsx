import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { AlarmHealth as Health } from '#machines/contracts/entities/alarm-health.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { deskWith, incident } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer, Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { snapshotOf } from '../../read-model/testing/make-fleet.ts'
import AlarmHealth from './alarm-health.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const CALL = 'GET /groups/top/alarm-health'
const NOW = Date.UTC(2026, 5, 15)
const iso = (hoursAgo: number): string => new Date(NOW - hoursAgo * 3_600_000).toISOString()
const load = { told: 34, mean: 4.857, peak: 15, floods: 1, floodShare: 0.4286 }
const none = { told: 0, mean: 0, peak: 0, floods: 0, floodShare: 0 }
const device = {
  imei: '356307042441013',
  name: 'Reefer 1',
  plateNumber: 'LES-1',
  groupId: 'top',
  groupName: 'Indus',
}

const quiet: Health = {
  ...{ from: iso(168), to: iso(0), ...none, floodList: [], worst: [], worstShare: 0 },
  ...{ chatter: [], chatterCount: 0, stale: [], staleCount: 0, shelved: [], shelvedCount: 0 },
  ...{ acknowledged: 0, medianToAcknowledgeSeconds: null, weeks: [], people: [], peopleCount: 0 },
}
const busy: Health = {
  ...{ ...quiet, ...load, worstShare: 1, acknowledged: 2, medianToAcknowledgeSeconds: 300 },
  floodList: [{ from: iso(2), to: iso(1.5), alarms: 34, peak: 15 }],
  worst: [{ ...device, alarms: 34, share: 1 }],
  ...{ chatter: [{ ...device, type: 'HIGH_TEMPERATURE_DETECTED', most: 5, alarms: 34 }], chatterCount: 1 },
  ...{ stale: [{ ...device, type: 'HIGH_TEMPERATURE_DETECTED', openedAt: iso(30) }], staleCount: 1 },
  weeks: [{ from: iso(168), to: iso(0), ...load, medianToAcknowledgeSeconds: 300 }],
  ...{
    people: [{ userId: 'u1', name: 'Bilal', groupId: 'top', groupName: 'Indus', ...load }],
    peopleCount: 1,
  },
}

async function shown(
  answer: Answer | Server[string],
  { at = '/visualization/alarms', server = {} }: { at?: string; server?: Server } = {},
) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, []))
  harness = await mountPage(<AlarmHealth />, { at, fleet, server: { [CALL]: answer, ...server } })
}

const figure = (word: RegExp) =>
  page.getByRole('list', { name: 'Figures' }).getByRole('listitem').filter({ hasText: word })

test('the oracle of seven slots: each figure beside its aim, and each line leads to what can be done', async () => {
  await shown({ body: busy })
  await expect
    .element(figure(/in 10 minutes, mean/))
    .toMatchTextContent(/^4.86.*▲ more than 1 is not manageable/)
  await expect.element(figure(/in 10 minutes, at most/)).toMatchTextContent(/^15.*▲ a flood begins above 10/)
  await expect.element(figure(/of the time in 1 flood/)).toMatchTextContent(/^42.9 %.*▲ aim: less than 1 %/)
  await expect.element(figure(/to acknowledge/)).toMatchTextContent(/^5 min.*of 2 acknowledged/)
  const worst = page.getByRole('list', { name: 'Worst devices' })
  await expect.element(worst).toMatchTextContent(/Reefer 1.*Indus.*34 · 100 %/)
  await expect
    .element(worst.getByRole('link', { name: 'Try limits for Indus, the group of Reefer 1' }))
    .toHaveAttribute('href', '/limits-lab?group=top')
  await expect
    .element(worst.getByRole('link', { name: 'History of Reefer 1' }))
    .toHaveAttribute('href', '/temperature/356307042441013')
  for (const name of ['Chatter', 'Open for over 24 h', 'Who was notified'])
    await expect
      .element(
        page.getByRole('list', { name }).getByRole('link', { name: /^Try limits for Indus, the group of/ }),
      )
      .toHaveAttribute('href', '/limits-lab?group=top')
  await expect.element(page.getByText('34 alarms, 15 at most in a slot')).toBeVisible()
  await expect.element(page.getByText('5 in 60 min, 34 in all')).toBeVisible()
  await expect.element(page.getByText('1 d 6 h')).toBeVisible()
  await expect.element(page.getByText('34 · mean 4.86 · 42.9 % in floods')).toBeVisible()
})

const TYPE = 'HIGH_TEMPERATURE_DETECTED'
const shelving = {
  ...({ imei: '356307042441021', type: TYPE, until: iso(-1), reason: 'Defrost' } as const),
  ...{ userName: 'Aisha', createdAt: iso(1) },
}

test('what lasts is shelved from its line, and what is shelved leads to its end, to the lab and to the device', async () => {
  const { imei } = device
  const SHELVE = `POST /things/${imei}/violations/${TYPE}/shelve`
  const UNSHELVE = `POST /things/${shelving.imei}/violations/${TYPE}/unshelve`
  const shelved = [{ ...device, name: 'Reefer 2', ...shelving }]
  await shown(
    { body: { ...busy, shelved, shelvedCount: 1 } },
    {
      server: {
        'GET /groups/top/incidents': {
          body: deskWith({ open: [{ ...incident(1), imei, type: TYPE }], shelved: [shelving] }),
        },
        [SHELVE]: { body: shelving },
        [UNSHELVE]: { body: { message: 'Ended' } },
      },
    },
  )
  const line = page.getByRole('list', { name: 'Shelved now' }).getByRole('listitem')
  await expect.element(line).toMatchTextContent(/Reefer 2.*Indus.*until.*Defrost · Aisha/)
  await expect
    .element(line.getByRole('link', { name: 'Reefer 2', exact: true }))
    .toHaveAttribute('href', `/temperature/${shelving.imei}`)
  await expect
    .element(line.getByRole('link', { name: 'Try limits for Indus, the group of Reefer 2' }))
    .toHaveAttribute('href', '/limits-lab?group=top')
  await line.getByRole('button', { name: 'End early: Reefer 2' }).click()
  await expect.poll(() => harness.calls(UNSHELVE)).toHaveLength(1)
  for (const name of ['Worst devices', 'Chatter', 'Open for over 24 h'])
    await expect
      .element(page.getByRole('list', { name }).getByRole('button', { name: 'Shelve Reefer 1' }))
      .toBeVisible()
  await page.getByRole('list', { name: 'Chatter' }).getByRole('button', { name: 'Shelve Reefer 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Defrost' }).click()
  await expect
    .poll(() => harness.calls(SHELVE).map(({ body }) => body))
    .toEqual([{ minutes: 60, reason: 'Defrost' }])
})

test('what somebody shelves elsewhere, and ends, is in the figure and the list without asking', async () => {
  const is = { body: busy }
  await shown(() => is, { server: { 'GET /groups/top/incidents': { body: deskWith({}) } } })
  await expect.element(figure(/shelved now/)).toMatchTextContent(/^0/)
  await expect.poll(() => harness.root.live.get()?.desk.known.get()).toBeDefined()
  const { imei, type, until, reason, userName } = shelving
  is.body = { ...busy, shelved: [{ ...device, ...shelving }], shelvedCount: 1 }
  const about = { version: 1, at: NOW, recordedAt: NOW, companyId: 'indus', stream: 's' }
  const data = { imei, type, until: Date.parse(until), reason, userName }
  harness.news.facts$.next({ ...about, seq: 1, type: 'violation.shelved', data } as unknown as Fact)
  await expect.element(figure(/shelved now/)).toMatchTextContent(/^1/)
  await expect
    .element(page.getByRole('list', { name: 'Shelved now' }))
    .toMatchTextContent(/Reefer 1.*Defrost · Aisha/)
  is.body = busy
  const ended = { imei, type, opened: null, userName }
  harness.news.facts$.next({ ...about, seq: 2, type: 'violation.unshelved', data: ended } as unknown as Fact)
  await expect.element(figure(/shelved now/)).toMatchTextContent(/^0/)
  expect(page.getByRole('list', { name: 'Shelved now' }).query()).toBeNull()
})

test('on a phone nothing of a line is cut off', async () => {
  await page.viewport(390, 844)
  const shelved = [{ ...device, ...shelving }]
  await shown({ body: { ...busy, shelved, shelvedCount: 1 } })
  await expect.element(page.getByRole('list', { name: 'Shelved now' })).toBeVisible()
  for (const link of page.getByRole('link', { name: /^Try limits for/ }).elements()) {
    const { left, right } = link.getBoundingClientRect()
    for (let up = link.parentElement; up !== null; up = up.parentElement) {
      if (getComputedStyle(up).overflowX === 'visible') continue
      const box = up.getBoundingClientRect()
      expect([left >= box.left, right <= box.right], link.ariaLabel ?? '').toEqual([true, true])
    }
  }
})

test('where nothing was told that is said, and nothing is beyond its aim', async () => {
  await shown({ body: quiet })
  await expect.element(page.getByText('No alarm was raised in this time')).toBeVisible()
  await expect.element(figure(/in 10 minutes, mean/)).toMatchTextContent(/^0.00.*at most 1 is manageable/)
  expect(page.getByText(/▲/).query()).toBeNull()
  expect(page.getByRole('list', { name: 'Worst devices' }).query()).toBeNull()
})

test('it waits, says why it could not be loaded, and is asked for again', async () => {
  let isDown = true
  await shown(() =>
    isDown ? { status: 503, body: { code: 503, message: 'The store cannot read now' } } : { body: busy },
  )
  await expect.element(page.getByText('The health of alarms could not be loaded')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('list', { name: 'Worst devices' })).toBeVisible()
  harness.unmount()
  await shown('hang')
  await expect.element(page.getByRole('heading', { name: 'Health of alarms' })).toBeVisible()
  expect(page.getByRole('list', { name: 'Figures' }).query()).toBeNull()
})

test('other days are asked for and are in the address', async () => {
  const requests: string[] = []
  await shown((_body, _headers, query) => {
    requests.push(query.get('days') ?? '')
    return { body: busy }
  })
  await page.getByRole('radio', { name: '31 days' }).click()
  await expect.poll(() => requests.at(-1)).toBe('31')
  expect(harness.went().at(-1)).toBe('/visualization/alarms?days=31')
})
