import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { type Device, deviceOfFact, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import type { ReportOrder, ReportSource } from '../../order.ts'

/** What was asked for, by whom and when; a test says what differs. */
const ORDER: ReportOrder = {
  reportId: 'r1',
  kind: 'distance',
  title: 'Distance Report',
  company: { companyId: 'indus', name: 'Indus Cold Chain', timeZone: 'Asia/Karachi' },
  group: { groupId: 'indus', name: 'indus' },
  from: 0,
  to: 0,
  types: null,
  minDistance: null,
  speed: null,
  partOfDay: null,
  requestedBy: 'Ayesha Malik',
  requestedAt: Date.UTC(2026, 10, 30),
  upTo: 4711,
}

/** An order and its source, of these facts and readings. Every device there is, is meant. */
export function sampleReport(
  fields: Partial<ReportOrder>,
  facts: readonly NewFact[],
  readings: readonly Reading[],
): { order: ReportOrder; source: ReportSource } {
  const stored = facts.map(
    (fact, i): Fact => ({ ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at }),
  )
  const directory = stored.reduce(evolve, emptyDirectory())
  const groups = [...directory.groups.values()].map((group) => ({ ...group, groupId: group._id }))
  const company = directory.companies.get('indus')
  if (company === undefined) throw new Error('a report needs a company')
  const nameOf = ({ groupId }: Device) => directory.groups.get(groupId ?? '')?.name ?? ''
  const devices = directory.devices.map((device) => ({
    ...device,
    groupName: nameOf(device),
    thresholds: directory.groups.get(device.groupId ?? ''),
  }))
  const source: ReportSource = {
    devices,
    groups,
    picked: { groups: ['indus'], devices: [] },
    violations: company,
    deviceOf: (fact) => devices[deviceOfFact(directory, fact)?.no ?? -1],
    keptFrom: 0,
    async readings(no, from, to) {
      const ours = readings.filter(({ device, at }) => device === no && at >= from && at < to)
      const columns = createReadings(ours.length)
      for (const reading of ours) pushReading(columns, reading)
      return columns
    },
    async *facts<T extends FactType>(types: readonly T[]) {
      const wanted = stored.filter((fact): fact is Extract<Fact, { type: T }> =>
        (types as readonly FactType[]).includes(fact.type),
      )
      for (const fact of wanted) yield [fact]
    },
  }
  return { order: { ...ORDER, ...fields }, source }
}
