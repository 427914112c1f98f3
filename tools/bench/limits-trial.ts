import { setTimeout as pause } from 'node:timers/promises'
import { createReadings } from '#machines/contracts/readings.ts'
import { buildTestServer } from '../../server/api/http/testing/test-app.ts'
import { createReportWorker } from '../../server/jobs/reports/worker.ts'
import type { RequestedOrder, RequestName, Requests } from '../../server/jobs/reports/worker-messages.ts'
import { atMost, type Figure, percentile, say } from './figures.ts'
import { type Month, monthOfDevices } from './report-contents.ts'

const DAY = 86_400_000
const DEVICES = 1000
const LOOK_EVERY = 10
const MODULE = new URL('../../server/jobs/trials/try-limits.ts', import.meta.url).href
const CANDIDATES = [
  { low: -20, high: -15, delaySeconds: 600, margin: 0.5 },
  { low: -18, high: -12, delaySeconds: 0, margin: 0.5 },
  { low: 2, high: 8, delaySeconds: 1800, margin: 1 },
]

/** A month of 1,000 devices under three candidates on the thread; meanwhile a light request again and again. */
export async function measureLimitsTrial(): Promise<Figure[]> {
  const server = await buildTestServer()
  try {
    const quiet = await waitsDuring(server, () => pause(3_000))
    const figures: Figure[] = []
    for (const [seconds, devices] of [
      [300, DEVICES],
      [10, 20],
    ] as const) {
      const month = await monthOfDevices(devices, seconds * 1000)
      let taken = 0
      const waits = await waitsDuring(server, async () => {
        taken = await tried(month)
      })
      const what = `limits tried: a month of ${say(devices)} devices at a reading per ${seconds} s, three candidates`
      figures.push(
        seconds === 300
          ? atMost(what, taken, 20, 's', 1)
          : { what, measured: `${say(taken, 1)} s, ${say(taken / devices, 2)} s a device`, target: '' },
        atMost('… a light request meanwhile, more than without, p95', p95(waits) - p95(quiet), 10, 'ms', 1),
      )
    }
    return figures
  } finally {
    await server.close()
  }
}

const p95 = (waits: readonly number[]): number => percentile(waits, 0.95)

/** @returns how long it took, s */
async function tried({ order, source, facts, chunksOf }: Month): Promise<number> {
  const give = async <W extends RequestName>(
    want: W,
    ask: Requests[W]['ask'],
  ): Promise<Requests[W]['answer']> => {
    if (want === 'facts') {
      const { types } = ask as Requests['facts']['ask']
      return { facts: facts.filter(({ type }) => types.includes(type)), last: null } as never
    }
    const { no, from, to } = ask as Requests['readings']['ask']
    const days = chunksOf(no)
      .filter(([day]) => (day + 1) * DAY > from && day * DAY < to)
      .map(([day, bytes]) => ({ day, chunks: [bytes] }))
    return { packed: { device: no, days, tail: createReadings(0) }, from } as never
  }
  const worker = createReportWorker(give, MODULE)
  const { company, group, ...rest } = order
  const wanted: RequestedOrder = {
    ...rest,
    ...{ companyId: company.companyId, groupId: group.groupId, groups: [] },
    devices: source.devices.map(({ no }) => no),
  }
  const began = performance.now()
  await worker.make(
    {
      ...wanted,
      trial: { quantity: 'temperature', candidates: CANDIDATES, exhausted: [] },
    } as RequestedOrder,
    () => {},
    new AbortController().signal,
  )
  const seconds = (performance.now() - began) / 1000
  await worker.rest()
  return seconds
}

/** How long a light request took again and again while something is done, ms. */
async function waitsDuring(
  server: Awaited<ReturnType<typeof buildTestServer>>,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    await server.ask('time')
    waits.push(performance.now() - began)
    await pause(LOOK_EVERY)
  }
  await done
  return waits
}
