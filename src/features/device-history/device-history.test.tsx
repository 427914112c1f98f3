import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Route } from 'wouter'
import type { DeviceHistory as History, HistoryPoint } from '#machines/contracts/entities/devices.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { Live, Root, TimeMachine } from '../../actors/root.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { lookBack } from '../../actors/time-machine.ts'
import { useRoot } from '../../actors/use-root.ts'
import { setTimeZone } from '../../format/time.ts'
import { clock, deskWith, lostDevice, NOW, threeDevices } from '../../layout/incidents/testing.ts'
import { loadOf } from '../../layout/loads/testing/make-loads.ts'
import PastFrame from '../../layout/past/past-frame.tsx'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer, Server } from '../../layout/testing/test-root.ts'
import { frameOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import DeviceHistory from './device-history.tsx'

let harness: PageHarness
afterEach(() => {
  harness.unmount()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const MINUTE = 60_000
const { imei } = lostDevice(2)
const CALL = `GET /things/${imei}/observations`
const NOTHING_MEASURED: History = {
  points: [],
  latest: null,
  thresholds: {
    ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
    ...{ lowHumidityThreshold: 20, highHumidityThreshold: 80 },
    ...{ tmin: -30, tmax: 70, hmin: -40, hmax: 100 },
  },
}
const UNAVAILABLE: Answer = { status: 503, body: { code: 503, message: 'The store cannot read now' } }
const known = page.getByText('Nothing was measured in this range. Choose another start or end date.')
const outOfDate = page.getByText('This history could not be brought up to date.')
const failed = page.getByText('This history could not be loaded')
const again = page.getByRole('button', { name: 'Try again' })

/** The page of a lost device against a server that answers as `is` says, and what else as `server`. */
async function shown(
  is: { answer: Answer } = { answer: { body: NOTHING_MEASURED } },
  server: Server = {},
  now = clock.now,
) {
  setTimeZone('Asia/Karachi')
  const fleet = threeDevices()
  harness = await mountPage(
    <Route path="/temperature/:imei">
      <DeviceHistory />
    </Route>,
    {
      at: `/temperature/${imei}`,
      fleet,
      clock: { ...clock, now },
      server: {
        [CALL]: () => is.answer,
        'GET /groups/top/incidents': { body: deskWith({ open: [lostDevice(2)] }) },
        ...server,
      },
    },
  )
  return { is, fleet }
}

test('what is known, and a reason that is being typed, stay where it cannot be loaded again when the link is back', async () => {
  const { is } = await shown()
  await expect.element(known).toBeVisible()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  const reason = page.getByLabelText('Another reason')
  await reason.fill('In the workshop until noon')
  is.answer = UNAVAILABLE
  harness.link('offline')
  harness.link('live')
  await expect.element(outOfDate).toBeVisible()
  await expect.element(reason).toHaveValue('In the workshop until noon')
  await expect.element(known).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  is.answer = { body: NOTHING_MEASURED }
  await again.click()
  await expect.element(outOfDate).not.toBeInTheDocument()
  await expect.element(known).toBeVisible()
})

test('a history that is slower than the news of what comes late is shown, and asked for once more', async () => {
  turnMinutes()
  const answers: ((answer: Answer) => void)[] = []
  await shown(undefined, { [CALL]: () => new Promise<Answer>((resolve) => answers.push(resolve)) })
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  const requested = answers.length
  const revised = { type: 'device-status.revised', data: { imei } } as Fact
  for (let i = 0; i < 3; i++) {
    harness.news.facts$.next(revised)
    vi.advanceTimersByTime(5000)
  }
  expect(answers).toHaveLength(requested)
  answers.at(-1)?.({ body: NOTHING_MEASURED })
  await expect.element(known).toBeVisible()
  await expect.poll(() => answers.length).toBe(requested + 1)
})

test('what was asked for by hand and failed is not what was known before', async () => {
  const { is } = await shown()
  await expect.element(known).toBeVisible()
  is.answer = UNAVAILABLE
  await page.getByText('1 h').click()
  await expect.element(failed).toBeVisible()
  expect(known.query()).toBeNull()
  is.answer = { body: NOTHING_MEASURED }
  await again.click()
  await expect.element(known).toBeVisible()
})

const point = (minutesAgo: number, temperature: number): HistoryPoint => ({
  ...{ dateTime: new Date(NOW - minutesAgo * MINUTE).toISOString(), temperature },
  ...{ humidity: 50, lat: null, lng: null },
})
const look = (visibility: DocumentVisibilityState): void => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}
const turnMinutes = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })

test('a device that falls silent was not within its limits the whole time, once a minute of it can be seen', async () => {
  turnMinutes()
  let now = NOW
  const points = Array.from({ length: 145 }, (_, i) => point(1440 - 10 * i, 4))
  await shown({ answer: { body: { ...NOTHING_MEASURED, points } } }, {}, () => now)
  const whole = page.getByText('Within 2.0 °C to 8.0 °C the whole time')
  await expect.element(whole).toBeVisible()
  const requested = harness.calls(CALL).length
  look('hidden')
  now += 600 * MINUTE
  vi.advanceTimersByTime(MINUTE)
  expect(harness.calls(CALL), 'nobody sees it').toHaveLength(requested)
  look('visible')
  await expect.element(whole).not.toBeInTheDocument()
  await expect.element(page.getByText('Within 2.0 °C to 8.0 °C whenever it was measured')).toBeVisible()
  expect(harness.calls(CALL)).toHaveLength(requested + 1)
})

test('what was measured between two readings that came live is there within a minute', async () => {
  turnMinutes()
  const chart = page.getByRole('region', { name: 'Temperature chart' }).getByRole('img')
  const { is, fleet } = await shown({ answer: { body: { ...NOTHING_MEASURED, points: [point(10, 4)] } } })
  await expect.element(chart).toHaveAccessibleName(/Lowest 4\.0 °C, highest 4\.0 °C/)
  const batch = [point(5, 4), point(4, 15), point(3, 2), point(2, 4), point(1, 5)]
  is.answer = { body: { ...NOTHING_MEASURED, points: [point(10, 4), ...batch] } }
  const requested = harness.calls(CALL).length
  const comes = (seq: number, minutesAgo: number, temperature: number) =>
    fleet.merge(frameOf(seq - 1, seq, [plainDevice(2, { at: NOW - minutesAgo * 60_000, temperature })]), 0)
  comes(2, 2, 400)
  comes(3, 1, 500)
  await expect.element(chart).toHaveAccessibleName(/Lowest 4\.0 °C, highest 5\.0 °C/)
  vi.advanceTimersByTime(59_999)
  expect(harness.calls(CALL), 'and not for each reading').toHaveLength(requested)
  vi.advanceTimersByTime(1)
  await expect.element(chart).toHaveAccessibleName(/Lowest 2\.0 °C, highest 15\.0 °C/)
  expect(harness.calls(CALL)).toHaveLength(requested + 1)
})

const NOT_YET = createStore<TimeMachine | undefined>(undefined)

/** The page of whoever looks back. */
function InThePast() {
  const past = useStore(useStore(useRoot().live)?.past ?? NOT_YET)
  return (
    past && (
      <PastFrame past={past}>
        <Route path="/temperature/:imei">
          <DeviceHistory />
        </Route>
      </PastFrame>
    )
  )
}

/**
 * Stands at a device's page of a time that is past. `requests`: of which time its readings were asked for, and up to which; `come`: the
 * fleet that was asked for last arrives.
 */
async function lookingBack() {
  setTimeZone('Asia/Karachi')
  const requests: number[][] = []
  harness = await mountPage(<InThePast />, {
    at: `/temperature/${imei}`,
    fleet: threeDevices(),
    clock,
    server: {
      [CALL]: (_body, _headers, query) => {
        const { endDate } = JSON.parse(query.get('data') ?? '')
        requests.push([Date.parse(query.get('asOf') ?? ''), endDate])
        return { body: NOTHING_MEASURED }
      },
    },
  })
  const fleets: (() => void)[] = []
  const askBytes: Root['http']['askBytes'] = async (_call, request) => {
    await new Promise<void>((come) => fleets.push(come))
    const { at } = request.query as unknown as { at: string }
    const fleet = snapshotOf(1, [plainDevice(2)])
    const head = { ...fleet.head, now: Date.parse(at) }
    return encodeFleetSnapshot({ ...fleet, head }).buffer
  }
  const { root } = harness
  const live = root.live.get() as Live
  return {
    requests,
    goTo: (at: number) => lookBack({ ...root, http: { ...root.http, askBytes } }, live, 'top', at),
    come: () => fleets.pop()?.(),
    actor: () => (live.past.get() as TimeMachine).actor,
  }
}

const [FIRST, SECOND] = [NOW - 120 * MINUTE, NOW - 180 * MINUTE]

test('whoever goes to a time that takes long to come sees what was measured up to it once it is there', async () => {
  const { requests: requested, goTo, come } = await lookingBack()
  goTo(FIRST)
  come()
  await expect.poll(() => requested.at(-1)).toEqual([FIRST, FIRST])
  await expect.poll(() => harness.went().at(-1)).toContain('T08:00')
  goTo(SECOND)
  // the address says it before
  await expect.poll(() => harness.went().at(-1)).toContain('T07:00')
  await expect.element(known).toBeVisible()
  come()
  await expect.poll(() => requested.at(-1)).toEqual([SECOND, SECOND])
})

test('whoever goes elsewhere while it plays sees the page made once, of where they went', async () => {
  const { requests: requested, goTo, come, actor } = await lookingBack()
  goTo(FIRST)
  come()
  await expect.poll(() => requested.at(-1)).toEqual([FIRST, FIRST])
  actor().send({ type: 'speed.choose', speed: 600 })
  actor().send({ type: 'play' })
  come()
  await expect.poll(() => actor().getSnapshot().context.shown).toBe(FIRST + MINUTE)
  goTo(SECOND)
  come()
  await expect.poll(() => requested.at(-1)).toEqual([SECOND, SECOND])
  expect(requested.every(([, to]) => to === FIRST || to === SECOND)).toBe(true)
})

test('nothing that can be pressed moves when it is known what the device carries', async () => {
  const budget = Promise.withResolvers<Answer>()
  await shown(undefined, { [`GET /things/${imei}/budget`]: () => budget.promise })
  await expect.element(known).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Acknowledge' })).toBeVisible()
  const before = pressable()
  budget.resolve({ body: { load: loadOf(), profile: null } })
  await expect.element(page.getByRole('link', { name: /Insulin, lot 7/ })).toBeVisible()
  const after = pressable()
  const moved = [...before].filter(([one, top]) => after.get(one) !== top)
  expect(moved.map(([one]) => one.textContent)).toEqual([])
})

/** Where each thing one can press stands, px from the top of the page. */
function pressable(): Map<Element, number> {
  const all = document.querySelectorAll('main :is(button, a, input)')
  return new Map(Array.from(all, (one) => [one, one.getBoundingClientRect().top]))
}
