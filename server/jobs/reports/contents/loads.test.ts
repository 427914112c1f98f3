import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { company, device, group } from '../../../testing/facts.ts'
import { loadsReported } from './loads.ts'
import { startMaking } from './making.ts'
import { sampleReport } from './testing/sample-report.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** 1 November 2026, 00:00 in Karachi. */
const START = Date.parse('2026-10-31T19:00:00Z')
const about = { imei: '350000000000000', loadId: 'l', userName: 'Ayesha Malik' }
/** At noon of a day, from 1 on. */
const noon = (day: number) => ({ at: START + (day - 0.5) * DAY, companyId: 'indus' })
const exhausted = (day: number): NewFact => ({
  ...{ type: 'load.exhausted', ...noon(day) },
  data: { ...about, rule: 0, used: 61, allowed: 60 },
})

/** A load of day 2, too warm at noon of the fourth day and released the day after. */
const facts: NewFact[] = [
  company('indus'),
  group('indus', 'indus', null),
  device(0, about.imei, 'indus', 'indus'),
  {
    ...{ type: 'profile.set', ...noon(1) },
    data: {
      ...{ companyId: 'indus', profileId: 'p', version: 1, name: 'Plain', source: '' },
      rules: [
        {
          ...{ kind: 'time', side: 'above', limit: 8, isInclusive: false },
          ...{ minutes: 60, isFullAllowed: true, spell: 'total' },
        },
      ],
      ...{ mktDecides: false, steepest: 0.5, surroundings: { low: -30, high: 50 } },
    },
  },
  {
    ...{ type: 'load.opened', ...noon(2) },
    data: { ...about, profileId: 'p', version: 1, reference: 'Lot 1' },
  },
  exhausted(4),
  { ...{ type: 'load.released', ...noon(5) }, data: { ...about, reason: 'Stable enough' } },
]
const isWarm = (at: number) => Math.abs(at - noon(4).at) < 120 * MINUTE
const readings = Array.from({ length: 20 * 288 }, (_, i) => START + i * 5 * MINUTE).map((at) => ({
  ...{ device: 0, at, temperature: isWarm(at) ? 12 : 5 },
}))

/** The load in a report of the first ten days. */
async function reported(record: readonly NewFact[], keptFrom = 0) {
  const { order, source } = sampleReport(
    { kind: 'temperature', from: START, to: START + 10 * DAY },
    record,
    readings,
  )
  const making = await startMaking(order, { ...source, keptFrom }, () => {}, new AbortController().signal)
  const device = source.devices[0]
  if (device === undefined) throw new Error('there is a device')
  const loads = await (await loadsReported(making))(device, await source.readings(0, order.from, order.to))
  return loads[0]
}

test('what exhausts a load after the time of a report does not change how it stood then', async () => {
  expect(await reported(facts)).toMatchObject({ state: 'released' })
  expect(await reported([...facts, exhausted(20)])).toEqual(await reported(facts))
})

test('that it was exhausted in that time is known where its first readings are not kept, whatever came after', async () => {
  const kept = START + 6 * DAY
  const then = await reported(facts, kept)
  expect(then?.status.exhausted).toMatchObject({ at: noon(4).at })
  expect(await reported([...facts, exhausted(20)], kept)).toEqual(then)
  const takenBack: NewFact = {
    ...{ type: 'load.revised', ...noon(21) },
    data: { ...about, before: noon(20).at, after: null },
  }
  expect(await reported([...facts, exhausted(20), takenBack], kept)).toEqual(then)
})
