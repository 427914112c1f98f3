import { afterEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { buildTestServer, START, type TestServer } from '../../api/http/testing/test-app.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { startRetention } from './retention.ts'

const DAY = 86_400_000

let server: TestServer
afterEach(() => server.close())

const kept = (companyId: string, retentionDays: number | null): NewFact => ({
  type: 'company.settings-changed',
  at: START,
  companyId,
  data: { companyId, retentionDays },
})

test('readings of a company go after its days, and those of others stay; a shorter time counts at once', async () => {
  server = await buildTestServer({ facts: [kept('indus', 10)] })
  const { store, readModels, clock } = server
  const { devices } = readModels.directory
  const of = (companyId: string) => devices.find((device) => device?.companyId === companyId)?.no ?? -1
  const [mine, theirs] = [of('indus'), of('karakoram')]
  const ages = [1, 9, 11, 20]
  await server.read(
    ...ages.flatMap((days) =>
      [mine, theirs].map((device) => ({ device, at: START - days * DAY, temperature: days })),
    ),
  )
  clock.at += 3 * 3_600_000
  const compacted = async () => {
    while (await store.telemetry.maintain(clock.now()));
  }
  await compacted()
  const agesOf = async (device: number) => {
    const { at, length } = await store.telemetry.history(device, 0, clock.now())
    return Array.from({ length }, (_, i) => Math.round((START - (at[i] as number)) / DAY)).reverse()
  }
  const asideOf = async (device: number) =>
    (await store.aside.of(device, 0, clock.now())).map(({ reading }) =>
      Math.round((START - reading.at) / DAY),
    )
  await store.aside.add(
    [9, 11].flatMap((days) =>
      [mine, theirs].map((device) => ({
        kind: 'contradicted' as const,
        receivedAt: START,
        reading: { device, at: START - days * DAY },
      })),
    ),
  )
  const retention = startRetention({
    directory: readModels.directory,
    telemetry: store.telemetry,
    aside: store.aside,
    clock,
    warn: (message) => expect.fail(message),
  })
  await retention.look()
  expect([await agesOf(mine), await agesOf(theirs)]).toEqual([[1, 9], ages])
  expect([await asideOf(mine), await asideOf(theirs)]).toEqual([[9], [11, 9]])

  const { facts } = await store.log.append('company-indus', [kept('indus', 5)])
  await readModels.settled(facts[0]?.seq ?? 0)
  await retention.look()
  expect([await agesOf(mine), await agesOf(theirs)]).toEqual([[1], ages])

  clock.at += 6 * DAY
  await retention.look()
  expect(await agesOf(mine)).toEqual([])
  await retention.stop()
})

test.each([
  ['of the store', new StoreUnavailable('database disk image is malformed'), 0],
  ['of another kind', new RangeError('no such day'), 1],
])('a fault %s with the readings of one company keeps those of no other', async (_, fault, warned) => {
  server = await buildTestServer({ facts: [kept('indus', 10), kept('karakoram', 10)] })
  const { readModels, clock } = server
  const { directory } = readModels
  const dropped = new Set<string>()
  const warnings: string[] = []
  const retention = startRetention({
    directory,
    telemetry: {
      storedDays: async () => [Math.floor(START / DAY) - 20],
      async dropReadings(devices) {
        const companyId = directory.devices[devices[0] as number]?.companyId ?? ''
        if (companyId === 'indus') throw fault
        dropped.add(companyId)
      },
    },
    aside: { dropMeasured: async () => {} },
    clock,
    warn: (message) => warnings.push(message),
  })
  await retention.look()
  expect([...dropped]).toEqual(['karakoram'])
  expect(warnings).toHaveLength(warned)
  await retention.stop()
})
