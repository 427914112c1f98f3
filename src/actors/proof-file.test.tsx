import { afterEach, expect, test } from 'vitest'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { mountPage, type PageHarness } from '../layout/testing/mount-page.tsx'
import { createFleet } from '../read-model/fleet.ts'
import { useAwaitedFile } from './proof-file.ts'

let harness: PageHarness
let settled: (string | null)[] = []
const settle = (reason: string | null) => void settled.push(reason)

function Awaiting() {
  useAwaitedFile('proof', settle)
  return null
}

afterEach(() => harness.unmount())

const lineOf = (_id: string, more: Partial<ReportLogEntry> = {}): ReportLogEntry => ({
  ...{ _id, reportType: 'Proof', isCompleted: false, url: null, status: 'pending' as const },
  ...{ dateFrom: '2026-06-13T19:00:00.000Z', dateTo: '2026-06-15T07:00:00.000Z' },
  createdAt: '2026-06-15T07:00:00.000Z',
  ...more,
})

test('a file that is awaited is followed where many are asked for after it', async () => {
  let log = [lineOf('proof')]
  let requests = 0
  settled = []
  harness = await mountPage(<Awaiting />, {
    at: '/',
    server: {
      'GET /reports/logs/indus': (_, __, query) => {
        requests++
        const skip = Number(query.get('skip'))
        return { body: log.slice(skip, skip + Number(query.get('limit'))) }
      },
    },
    fleet: createFleet((call) => call()),
  })
  await expect.poll(() => requests).toBeGreaterThan(0)
  const failed = lineOf('proof', { status: 'failed', reason: 'There is no device left to report on' })
  log = [...Array.from({ length: 60 }, (_, i) => lineOf(`r${i}`)), failed]
  harness.change({ subject: 'reports', ids: [] })
  await expect.poll(() => settled).toEqual(['There is no device left to report on'])
})
