import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { startDemo } from '../testing/start-demo.ts'

const DAY = 86_400_000
/** No silence of the demo's devices is shorter, and none of its past's readings are further apart, ms. */
const SILENCE = 5 * 60_000

let open: Awaited<ReturnType<typeof startDemo>>
let token: string
beforeAll(async () => {
  open = await startDemo({ DEVICES: '400' })
  token = await open.signIn('operator@indus.example')
  await open.simulator.past
  await open.server.app.core.settled()
})
afterAll(() => open.server.close())

type Measured = { at: number; value: number }
function measuredIn(columns: ReadingColumns, field: 'temperature' | 'humidity'): Measured[] {
  return Array.from({ length: columns.length }, (_, row) => ({
    at: columns.at[row] as number,
    value: toUnits(field, columns[field][row] as number),
  })).filter((one): one is Measured => one.value !== undefined)
}

test('what is open since the start is told since when its readings say, in Why too', async () => {
  const { store, readModels } = open.server.app.core
  const now = (await open.sim.status()).now
  const body = { startDate: now - 31 * DAY, endDate: now }
  const { notifications } = await open.ask('notifications', { params: { groupId: 'indus' }, body, token })
  const lasting = notifications.filter(
    ({ violationId, clearedAt }) => violationId !== null && clearedAt === null,
  )
  expect(lasting.length).toBeGreaterThan(3)
  let before = 0
  for (const { _id, thing } of lasting) {
    const { violation } = await open.ask('why', { params: { id: _id }, token })
    const since = Date.parse(violation.since)
    const no = deviceByImei(readModels.directory, thing)?.no as number
    const columns = await store.telemetry.history(no, now - 31 * DAY, now + 1)
    const all = measuredIn(columns, violation.type.includes('TEMPERATURE') ? 'temperature' : 'humidity')
    const isBeyond = ({ value }: Measured): boolean =>
      violation.type.startsWith('HIGH') ? value > violation.threshold : value < violation.threshold
    const first = all.findIndex(({ at }) => at === since)
    expect(first, `${thing} has a reading at ${violation.since}`).toBeGreaterThanOrEqual(0)
    const history = await open.ask('observations', {
      params: { imei: thing },
      query: { data: { startDate: now - DAY, endDate: now } },
      token,
    })
    expect(history.violations).toContainEqual(
      expect.objectContaining({ type: violation.type, since: violation.since, clearedAt: null }),
    )
    expect(isBeyond(all[first] as Measured), `${thing} is beyond at ${violation.since}`).toBe(true)
    const last = all[first - 1]
    if (violation.isSinceBefore) expect(last).toBeUndefined()
    else
      expect(
        last === undefined || !isBeyond(last) || since - last.at > SILENCE,
        `${thing} is not beyond before ${violation.since}`,
      ).toBe(true)
    if (since < open.simulator.simulation.liveFrom) before++
  }
  expect(before).toBeGreaterThan(0)
})
