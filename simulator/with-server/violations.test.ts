import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { type Device, deviceByImei, devicesWithin } from '#machines/projections/directory.ts'
import { notifiedAt } from '../../server/read-models/notification-of.ts'
import { startServerProcess } from '../../server/testing/server-process.ts'
import { startDemo } from '../testing/start-demo.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TYPES = Object.values(ViolationType.schema)
const OPERATOR = 'operator@indus.example'

type Open = Awaited<ReturnType<typeof startDemo>>
type Violation = Extract<Fact, { type: 'violation.opened' | 'violation.found' }>

/** Every violation in the log, however it got there. */
const violationsIn = ({ server }: Open): Violation[] =>
  server.app.core.store.log.readFacts(0, {
    types: ['violation.opened', 'violation.found'],
    limit: 1e6,
  }) as Violation[]

describe('counts of violations', () => {
  let open: Open
  let token: string
  let devices: Device[]
  let groups: string[]
  beforeAll(async () => {
    open = await startDemo()
    token = await open.signIn(OPERATOR)
    const { directory } = open.server.app.core.readModels
    const { world } = open.simulator.simulation
    devices = directory.devices.filter(
      ({ imei, companyId }) => companyId === 'indus' && world.indexOf(imei) !== undefined,
    )
    groups = [...directory.groups.values()]
      .filter(({ companyId, devices }) => companyId === 'indus' && devices.size > 0)
      .map(({ _id }) => _id)
      .concat('indus', 'indus-punjab')
    await trouble()
    await open.simulator.past
    await open.server.app.core.settled()
  })
  afterAll(() => open.server.close())

  /** Warm boxes, some of which are cut off meanwhile and tell it late, pulled sensors, and devices that change group. */
  async function trouble(): Promise<void> {
    const start = (await open.sim.status()).now
    for (const [i, { imei }] of devices.entries()) {
      if (i % 3 === 0) await open.sim.inject(imei, 'compressor-off', 3 * 3600)
      if (i % 6 === 0) await open.sim.inject(imei, 'offline', 2 * 3600)
      if (i % 8 === 5) await open.sim.inject(imei, 'sensor-unplugged', 1800)
    }
    await open.sim.advanceTo(start + 1.5 * HOUR)
    for (const [i, { imei, name }] of devices.entries())
      if (i % 5 === 0)
        await open.ask('updateThing', {
          params: { imei },
          body: { name, groupId: groups[i % groups.length] as string },
          token,
        })
    await open.sim.advanceTo(start + 4 * HOUR)
  }

  test('are those of a recount of the log, for any range, group, devices and types', async () => {
    const { readModels, store } = open.server.app.core
    const { directory } = readModels
    const violations = violationsIn(open)
    const isLate = ({ at, recordedAt, type }: Fact) =>
      type === 'violation.opened' && recordedAt - at > HOUR / 2
    expect(violations.some(isLate)).toBe(true)
    expect(violations.filter(({ type }) => type === 'violation.found').length).toBeGreaterThan(100)
    expect(store.log.readFacts(0, { types: ['device.updated'] }).length).toBeGreaterThan(3)
    const now = (await open.sim.status()).now
    const instant = fc.oneof(
      fc.integer({ min: now - 32 * DAY, max: now }),
      fc.integer({ min: now - 5 * HOUR, max: now }),
      fc.constantFrom(...violations.map(({ at }) => at)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(instant, instant),
        fc.constantFrom(...groups),
        fc.subarray(devices.map(({ imei }) => imei)),
        fc.subarray(TYPES),
        async (ends, groupId, imeis, types) => {
          const [startDate, endDate] = ends.sort((a, b) => a - b) as [number, number]
          const params = { groupId }
          const within = new Set(devicesWithin(directory, groupId))
          const ofGroup = violations.filter(({ data }) =>
            within.has(deviceByImei(directory, data.imei)?.no ?? -1),
          )
          const isInRange = (at: number) => at >= startDate && at <= endDate
          const inRange = ofGroup.filter(({ at }) => isInRange(at))
          const isMeant = ({ data }: Violation) => imeis.includes(data.imei) && types.includes(data.type)
          const requested = inRange.filter(isMeant)

          const stats = await open.ask('violationStats', {
            params,
            body: { startDate, endDate, devices: imeis, violations: types },
            token,
          })
          const countOf = (type: ViolationType, among = requested) =>
            among.filter(({ data }) => data.type === type).length
          expect(stats.counts).toEqual({
            ...Object.fromEntries(TYPES.map((type) => [type, countOf(type)])),
            total: requested.length,
          })
          const byDevice = Map.groupBy(requested, ({ data }) => data.imei)
          expect(new Map(stats.data.map(({ imei, plateNumber: _, ...bars }) => [imei, bars]))).toEqual(
            new Map(
              [...byDevice].map(([imei, theirs]) => [
                imei,
                {
                  LowTemperature: countOf('LOW_TEMPERATURE_DETECTED', theirs),
                  LowHumidity: countOf('LOW_HUMIDITY_DETECTED', theirs),
                  HighTemperature: countOf('HIGH_TEMPERATURE_DETECTED', theirs),
                  HighHumidity: countOf('HIGH_HUMIDITY_DETECTED', theirs),
                },
              ]),
            ),
          )

          const summary = await open.ask('summaryChart', { params, body: { startDate, endDate }, token })
          const affected = new Set(inRange.map(({ data }) => data.imei)).size
          expect(summary).toEqual({
            data: [
              { label: 'Violation Devices', value: affected },
              { label: 'Normal Devices', value: within.size - affected },
            ],
            numOfDevices: within.size,
            totalViolations: inRange.length,
          })

          const list = await open.ask('notifications', {
            params,
            body: { startDate, endDate, things: imeis, types, limit: 500 },
            token,
          })
          // what was found late is listed where it was notified, and where it happened too
          const listed = ofGroup
            .filter((one) => isMeant(one) && (isInRange(one.at) || isInRange(notifiedAt(one))))
            .sort((a, b) => notifiedAt(b) - notifiedAt(a) || b.seq - a.seq)
          expect(list.notificationsCount).toBe(listed.length)
          expect(list.notifications.map(({ _id }) => _id)).toEqual(listed.slice(0, 500).map(({ id }) => id))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('violations of before the record began', () => {
  const foundIn = (open: Open) =>
    violationsIn(open).flatMap(({ type, at, data }) => (type === 'violation.found' ? [{ at, data }] : []))

  test('are the same however fast time goes, and when the server is killed, closed and opened meanwhile', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'frostline-past-'))
    const few = { DEVICES: '12' }
    try {
      const calm = await startDemo(few)
      await calm.simulator.past
      const expected = foundIn(calm)
      await calm.server.close()
      expect(expected.length).toBeGreaterThan(50)

      const killed = await startServerProcess({ ...few, DATA_DIR: dir })
      killed.process.kill('SIGKILL')
      await killed.ended
      const cut = await startDemo({ ...few, DATA_DIR: dir })
      await cut.server.close()
      const fast = await startDemo({ ...few, DATA_DIR: dir })
      await fast.sim.ask('POST', '/clock', { paused: false, speed: 60 })
      await fast.simulator.past
      expect(foundIn(fast)).toEqual(expected)
      await fast.server.close()
    } finally {
      await rm(dir, { recursive: true })
    }
  })
})
