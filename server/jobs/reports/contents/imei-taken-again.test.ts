import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { company, device, group, violationOpened } from '../../../testing/facts.ts'
import { eventTables } from './event.ts'
import { startMaking } from './making.ts'
import { careOf } from './proof-care.ts'
import { sampleReport } from './testing/sample-report.ts'

const HOUR = 3_600_000
const IMEI = '350000000000000'
const FROM = Date.UTC(2026, 10, 1)
const TO = FROM + 24 * HOUR

/** `f5`: a violation of device 0, which gives its IMEI to device 1; `f8`: one of that, `f9`: a late word about the first. */
const FACTS: NewFact[] = [
  company('indus'),
  group('indus', 'indus', null),
  group('sindh', 'indus', 'indus'),
  device(0, IMEI, 'indus', 'indus'),
  violationOpened(IMEI, FROM + HOUR, {}, 'indus'),
  {
    ...{ type: 'device.tracker-replaced', at: FROM + 2 * HOUR, companyId: 'indus' },
    data: { no: 0, before: IMEI, after: '350000000000099' },
  },
  device(1, IMEI, 'indus', 'sindh'),
  violationOpened(IMEI, FROM + 3 * HOUR, {}, 'indus'),
  {
    ...{ type: 'notification.commented', at: FROM + 4 * HOUR, companyId: 'indus' },
    data: { notificationId: 'f5', imei: IMEI, commentId: 'c1', userName: 'ayesha', comment: 'Door' },
  } as NewFact,
]

test('what a report tells of violations is of the device that had the IMEI then, whatever tracker it has now', async () => {
  const { order, source } = sampleReport({ from: FROM, to: TO }, FACTS, [])
  const making = await startMaking(order, source, () => {}, new AbortController().signal)
  const counts: [number, number][] = []
  const [events] = await eventTables(making, ({ no }, each) => {
    counts.push([no, each.reduce((sum, n) => sum + n, 0)])
  })
  const names = [...((events?.rows ?? []) as Iterable<readonly unknown[]>)].map((row) =>
    row.filter((cell) => String(cell).startsWith('Reefer')),
  )
  expect(names).toEqual([['Reefer 0'], ['Reefer 1']])
  expect(counts).toEqual([
    [0, 1],
    [1, 1],
  ])
  const whys = async (no: number) => (await careOf(source, no, FROM, TO)).care.map(({ why }) => why)
  expect(await whys(0)).toEqual(['Door'])
  expect(await whys(1)).toEqual([])
})
