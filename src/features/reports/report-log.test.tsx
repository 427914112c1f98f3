import { afterEach, beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { setTimeZone } from '../../format/time.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import ReportLog from './report-log.tsx'
import { entryOf } from './testing.ts'

let harness: PageHarness
beforeAll(() => setTimeZone('Asia/Karachi'))
afterEach(() => harness.unmount())

const LOG = 'GET /reports/logs/indus'

async function shown(server: Server) {
  harness = await mountPage(<ReportLog />, {
    at: '/download/reports',
    server,
    fleet: createFleet((call) => call()),
  })
}
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const pending = entryOf('p', {
  reportType: 'Power Report',
  isCompleted: false,
  url: null,
  status: 'pending',
  progress: 0.424,
  createdAt: '2026-06-15T08:00:00.000Z',
})
const failed = entryOf('f', {
  reportType: 'Event Report',
  isCompleted: false,
  url: null,
  status: 'failed',
  reason: 'It would have more rows than a sheet',
})

test('reports stand newest first, with the documents’ columns, dates of the server’s zone, and N/A for no link', async () => {
  await shown({ [LOG]: { body: [entryOf('d'), pending] } })
  for (const head of ['Report Type', 'From', 'To', 'Requested At', 'Status', 'Download Link'])
    await expect.element(page.getByRole('columnheader', { name: head, exact: true })).toBeInTheDocument()
  await expect.element(row('Distance Report')).toMatchTextContent(/by Bilal Ahmed/)
  await expect.element(row('Distance Report')).toMatchTextContent(/14-06-2026 00:00/)
  await expect.element(row('Distance Report')).toMatchTextContent(/Completed/)
  await expect
    .element(row('Distance Report').getByRole('link', { name: /^Download XLSX/ }))
    .toHaveAttribute('href', '/api/reports/files/d?expires=1&signature=s')
  await expect.element(row('Power Report')).toMatchTextContent(/Pending.*42 %.*N\/A/)
  const first = page.getByRole('row').nth(1)
  await expect.element(first).toMatchTextContent(/Power Report/)
})

test('a line says what was chosen and until when, and names it in its tooltip', async () => {
  const dateTo = '2026-06-15T18:59:59.999Z'
  await shown({ [LOG]: { body: [entryOf('d', { dateTo })] } })
  await expect.element(row('Distance Report')).toMatchTextContent(/15-06-2026 23:59/)
  const whose = page.getByText('LES-1 and 11 more, by Bilal Ahmed')
  await expect.element(whose).toHaveAttribute('title', 'Devices: LES-1, LES-2 and 10 more, by Bilal Ahmed')
})

test('a report is followed without a reload: on its way, then there', async () => {
  let entry = pending
  await shown({ [LOG]: () => ({ body: [entry] }) })
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '42')
  entry = { ...pending, progress: 0.9 }
  harness.change({ subject: 'reports', ids: ['p'] })
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '90')
  entry = { ...pending, isCompleted: true, status: 'completed', url: '/file' }
  harness.change({ subject: 'reports', ids: ['p'] })
  await expect.element(row('Power Report')).toMatchTextContent(/Completed/)
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument()
})

test('one that failed says why and is made again, asked for once', async () => {
  let entry = failed
  await shown({
    [LOG]: () => ({ body: [entry] }),
    'POST /reports/f/retry': () => {
      entry = { ...failed, status: 'requested', reason: null }
      return { status: 202, body: { _id: 'f', message: 'again' } }
    },
  })
  await expect.element(row('Event Report')).toMatchTextContent(/Failed.*It would have more rows than a sheet/)
  await page.getByRole('button', { name: 'Retry Event Report' }).click()
  await expect.element(row('Event Report')).toMatchTextContent(/Pending.*waits for its turn/)
  expect(harness.calls('POST /reports/f/retry')).toHaveLength(1)
})

test('a retry that is refused is told', async () => {
  await shown({
    [LOG]: { body: [failed] },
    'POST /reports/f/retry': { status: 409, body: { code: 409, message: 'It is made already' } },
  })
  await page.getByRole('button', { name: 'Retry Event Report' }).click()
  await expect.poll(() => harness.toasts).toEqual(['The report is not made again: It is made already'])
})

test.each([
  ['is being made', pending],
  ['waits', { ...pending, status: 'requested' as const }],
])('one that %s is cancelled, by the keyboard too, asked for once, and says by whom', async (_, before) => {
  let entry: ReportLogEntry = before
  await shown({
    [LOG]: () => ({ body: [entry] }),
    'POST /reports/p/cancel': () => {
      entry = { ...before, status: 'cancelled', cancelledBy: 'Bilal Ahmed' }
      return { body: { _id: 'p', message: 'The report is cancelled' } }
    },
  })
  const cancel = page.getByRole('button', { name: 'Cancel Power Report' })
  await expect.element(cancel).toBeVisible()
  cancel.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(row('Power Report')).toMatchTextContent(/Cancelled by Bilal Ahmed.*N\/A/)
  await expect.element(cancel).not.toBeInTheDocument()
  await expect.element(page.getByText(/^1 report$/)).toBeVisible()
  expect(harness.calls('POST /reports/p/cancel')).toHaveLength(1)
})

test('one that was made before it was cancelled stays, and that is told', async () => {
  await shown({
    [LOG]: { body: [pending] },
    'POST /reports/p/cancel': {
      status: 409,
      body: { code: 409, message: 'The report is completed already' },
    },
  })
  await page.getByRole('button', { name: 'Cancel Power Report' }).click()
  await expect
    .poll(() => harness.toasts)
    .toEqual(['The report is not cancelled: The report is completed already'])
})

test('readings that came later are told, and the version that holds them is asked for once; both stay', async () => {
  const first = entryOf('d', { outdated: { readings: 7, nextVersion: 2 } })
  let entries = [first]
  await shown({
    [LOG]: () => ({ body: entries }),
    'POST /reports/d/versions': () => {
      const { outdated: _, ...kept } = first
      entries = [
        { ...kept, version: 1, versions: 2 },
        entryOf('d2', { ...pending, _id: 'd2', reportType: first.reportType, version: 2, versions: 2 }),
      ]
      return { status: 202, body: { _id: 'd2', message: 'taken' } }
    },
  })
  await expect.element(row('Distance Report')).toMatchTextContent(/7 readings came later\.\s*Make version 2/)
  await page.getByRole('button', { name: 'Make version 2 of Distance Report' }).click()
  await expect.element(row('Version 2 of 2')).toMatchTextContent(/Pending/)
  await expect.element(row('Version 1 of 2')).toMatchTextContent(/Completed/)
  await expect.element(row('Version 1 of 2').getByRole('link', { name: /^Download XLSX/ })).toBeVisible()
  await expect.element(page.getByText(/came later/)).not.toBeInTheDocument()
  expect(harness.calls('POST /reports/d/versions')).toHaveLength(1)
})

test('a report of a damaged record says of how many devices, and what helps', async () => {
  await shown({ [LOG]: { body: [entryOf('d', { damagedDevices: 2 })] } })
  await expect
    .element(row('Distance Report'))
    .toMatchTextContent(/The record of 2 devices is damaged in this time\..*restore it from a backup\./)
})

test('a version that is refused is told', async () => {
  await shown({
    [LOG]: { body: [entryOf('d', { outdated: { readings: 1, nextVersion: 3 } })] },
    'POST /reports/d/versions': { status: 429, body: { code: 429, message: 'Too many wait' } },
  })
  await expect.element(row('Distance Report')).toMatchTextContent(/1 reading came later\./)
  await page.getByRole('button', { name: 'Make version 3 of Distance Report' }).click()
  await expect.poll(() => harness.toasts).toEqual(['The new version is not made: Too many wait'])
})

test('a temperature report has two files', async () => {
  const file = (fileName: string) => ({ url: `/${fileName}`, fileName, contentType: '', size: 5 })
  await shown({ [LOG]: { body: [entryOf('t', { files: [file('T.xlsx'), file('T.pdf')] })] } })
  await expect.element(page.getByRole('link', { name: /XLSX/ })).toHaveAttribute('href', '/T.xlsx')
  await expect.element(page.getByRole('link', { name: /PDF/ })).toHaveAttribute('href', '/T.pdf')
})

test('an empty log leads to the reports', async () => {
  await shown({ [LOG]: { body: [] } })
  await expect.element(page.getByText('No data Found')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Choose a report' }))
    .toHaveAttribute('href', '/reports')
})

test('a log that does not come can be asked for again; one that is there stays', async () => {
  let isDown = true
  await shown({
    [LOG]: () => (isDown ? { status: 503, body: { code: 503, message: 'Down' } } : { body: [pending] }),
  })
  await expect.element(page.getByText('The report log could not be loaded')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('Power Report')).toBeVisible()
  isDown = true
  harness.change({ subject: 'reports', ids: [] })
  await expect.element(page.getByText('The log could not be brought up to date.')).toBeVisible()
  await expect.element(row('Power Report')).toBeVisible()
})

test('of a long log the newest come, more when they are wanted, and what came is brought up to date as one list', async () => {
  let log = Array.from({ length: 130 }, (_, i) => entryOf(`r${i}`))
  const requests: string[] = []
  let pressed = 0
  await shown({
    [LOG]: (_, __, query) => {
      requests.push(`${query}`)
      const skip = Number(query.get('skip'))
      const body = log.slice(skip, skip + Number(query.get('limit')))
      // another is asked for between the two calls of the last press
      if (skip === 0 && body.length === 100 && ++pressed === 2) log = [entryOf('newer'), ...log]
      return { body }
    },
  })
  const table = page.getByRole('table')
  const more = page.getByRole('button', { name: 'Load More' })
  await expect.element(table).toHaveAttribute('aria-rowcount', '51')
  expect(page.getByRole('row').elements().length).toBeLessThan(40)
  await expect.element(page.getByText('Newest 50 reports')).toBeVisible()
  expect(requests.at(-1)).toBe('skip=0&limit=51')
  log = [pending, ...log]
  harness.change({ subject: 'reports', ids: ['p'] })
  await expect.element(row('Power Report')).toBeVisible()
  await expect.element(table).toHaveAttribute('aria-rowcount', '51')
  await more.click()
  await expect.element(table).toHaveAttribute('aria-rowcount', '101')
  await more.click()
  await expect.element(more).not.toBeInTheDocument()
  // one of the 132 is in both parts, and the newest in none
  await expect.element(table).toHaveAttribute('aria-rowcount', '132')
  await expect.element(page.getByText('131 reports, 1 pending')).toBeVisible()
})
