import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { historyOf, pointAt } from '#machines/history-search/history-search.samples.ts'
import { mountPage, type PageHarness } from '../layout/testing/mount-page.tsx'
import { OfThen } from '../layout/testing/of-then.tsx'
import type { Answer } from '../layout/testing/test-root.ts'
import { createFleet } from '../read-model/fleet.ts'
import { imeiOf } from '../read-model/testing/make-fleet.ts'
import { createStore } from './store.ts'
import { useLastHours } from './use-last-hours.ts'

const HOUR = 3_600_000
const NOON = Date.UTC(2026, 5, 15, 12)

let harness: PageHarness
let now: number
let otherwise: Answer | undefined
const clock = { now: () => now, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY }
const shown = () => page.getByRole('status')

beforeEach(() => {
  now = NOON
  otherwise = undefined
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  harness.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const look = (visibility: DocumentVisibilityState): void => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

const iso = (at: number): string => new Date(at).toISOString()

const historyTo = (at: number) => historyOf(pointAt(at))

/** Says up to when the hours are that are shown. */
function Hours() {
  const last = useLastHours(imeiOf(1), 6, 400)
  if (last === undefined) return <output>none</output>
  return <output>{last.history === null ? 'failed' : last.history.points.at(-1)?.dateTime}</output>
}

/** A page whose server tells of the hours where they end; `ends`: of those that were asked for. */
async function mounted(content: ReactNode, first = iso(now)) {
  const ends: string[] = []
  const call = `GET /things/${imeiOf(1)}/observations`
  harness = await mountPage(content, {
    at: '/',
    clock,
    fleet: createFleet((call) => call()),
    server: {
      [call](_body, _headers, query) {
        const { endDate } = JSON.parse(query.get('data') ?? '') as { endDate: number }
        ends.push(iso(endDate))
        return otherwise ?? { body: historyTo(endDate) }
      },
    },
  })
  await expect.element(shown()).toHaveTextContent(first)
  return ends
}

test('the last hours of a device are asked for each minute, while somebody can see it', async () => {
  const ends = await mounted(<Hours />)
  now = NOON + 60_000
  vi.advanceTimersByTime(60_000)
  await expect.element(shown()).toHaveTextContent(iso(now))
  const before = ends.length
  look('hidden')
  vi.advanceTimersByTime(10 * 60_000)
  expect(ends).toHaveLength(before)
  now = NOON + 2 * HOUR
  look('visible')
  await expect.element(shown()).toHaveTextContent(iso(now))
  look('hidden')
  look('visible')
  expect(ends).toHaveLength(before + 1)
})

test('of another time that is past they are others, and none that are still to come then', async () => {
  const time = createStore('12:00')
  const ends = await mounted(
    <OfThen time={time} now={clock.now}>
      <Hours />
    </OfThen>,
  )
  vi.advanceTimersByTime(10 * 60_000)
  expect(new Set(ends)).toEqual(new Set([iso(NOON)]))

  now = NOON + HOUR
  time.set('13:00')
  await expect.element(shown()).toHaveTextContent(iso(NOON + HOUR))
  otherwise = 'hang'
  now = NOON + 2 * HOUR
  time.set('14:00')
  await expect.poll(() => ends.at(-1)).toBe(iso(now))
  await expect.element(shown()).toHaveTextContent(iso(NOON + HOUR))
  now = NOON
  time.set('12:00')
  await expect.element(shown()).toHaveTextContent('none')
})

test('that they could not be loaded is said where none were told', async () => {
  otherwise = { status: 503, body: {} }
  const ends = await mounted(<Hours />, 'failed')
  otherwise = undefined
  vi.advanceTimersByTime(60_000)
  await expect.element(shown()).toHaveTextContent(iso(NOON))
  otherwise = { status: 503, body: {} }
  now = NOON + HOUR
  const before = ends.length
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => ends.length).toBeGreaterThan(before)
  await expect.element(shown()).toHaveTextContent(iso(NOON))
})
