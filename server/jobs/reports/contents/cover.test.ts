import { expect, test } from 'vitest'
import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import { company, group } from '../../../testing/facts.ts'
import { coverOf } from './cover.ts'
import { startMaking } from './making.ts'
import { sampleReport } from './testing/sample-report.ts'

const LABELS: Record<ReportKind, string[]> = {
  distance: ['Driving', 'Empty cells', 'Gaps'],
  temperature: ['Means', 'Mean kinetic temperature', 'Out of range', 'Excursions', 'Loads', 'Gaps'],
  observation: ['Location'],
  event: ['Events'],
  'event-graph': ['Events'],
  power: ['Ignition', 'Unplugged', 'Gaps'],
  trip: ['Driving', 'Empty cells', 'Trips', 'Gaps'],
  speeding: ['Over-speeding', 'Empty cells', 'Gaps'],
  stoppage: ['Driving', 'Stops', 'Engine on', 'Gaps'],
  silence: ['Not responding', 'Last word'],
  status: ['Status', 'Values'],
  travel: ['Driving', 'Empty cells', 'Days', 'Gaps'],
  'travel-graph': ['Driving', 'Empty cells', 'Days', 'Gaps'],
  proof: [],
  case: [],
}

test.each(Object.keys(LABELS) as ReportKind[])('a cover says how a %s report is reckoned', async (kind) => {
  const rules = await rulesOf(kind)
  expect([...rules.keys()]).toEqual(LABELS[kind])
})

test('a cover says it with the figures of the company', async () => {
  const excursions =
    'Beyond the limit for 7.5 min, until back inside by 0.7 °C or 3 % of humidity, unless its group has set otherwise, as violations are published.'
  expect((await rulesOf('event')).get('Events')).toBe(excursions)
  expect((await rulesOf('temperature')).get('Excursions')).toBe(
    `${excursions} One that began before the time asked for is reported from its first reading in it.`,
  )
  expect((await rulesOf('distance')).get('Gaps')).toBe(
    'A silence longer than 15 min is no data: neither time nor distance is made up for it.',
  )
})

/** What stands under "How it is reckoned", by label, the lines of each joined. */
async function rulesOf(kind: ReportKind): Promise<Map<string, string>> {
  const figures = {
    violationDelaySeconds: 450,
    clearMarginTemperature: 0.7,
    clearMarginHumidity: 3,
    patienceSeconds: 900,
  }
  const facts = [company('indus', figures), group('indus', 'indus', null)]
  const { order, source } = sampleReport({ kind, to: 1 }, facts, [])
  const making = await startMaking(order, source, () => {}, new AbortController().signal)
  const { lines = [] } = coverOf(making).find(({ heading }) => heading === 'How it is reckoned') ?? {}
  const rules = new Map<string, string>()
  let label = ''
  for (const [begun, text] of lines) {
    label = String(begun) || label
    rules.set(label, [rules.get(label) ?? [], String(text)].flat().join(' '))
  }
  return rules
}
