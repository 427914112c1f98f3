import { fileURLToPath } from 'node:url'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { sliceReadings } from '#machines/contracts/readings.ts'
import { companyFacts, numbered } from '../../server/commands/registration/register.ts'
import { makeFiles } from '../../server/jobs/reports/contents/make-files.ts'
import type { ReportFile, ReportOrder, ReportSource } from '../../server/jobs/reports/order.ts'
import { DAY, decodeChunk, encodeChunk } from '../../server/store/chunks/chunk.ts'
import { joined } from '../../server/store/reading-parts.ts'
import { loadScenario } from '../../simulator/world/load-scenario.ts'
import { createWorld } from '../../simulator/world/world.ts'
import { atMost, type Figure, say } from './figures.ts'

const STEP = 60_000
const DAYS = 31
const COMPANY = 'indus'
/** Devices whose month is worked out; each is told as several, since that takes far longer than a report. */
const DISTINCT = 50

/** `facts` and `chunksOf`: what a thread is handed out of them. */
export type Month = {
  source: ReportSource
  order: ReportOrder
  readings: number
  facts: readonly Fact[]
  chunksOf: (no: number) => readonly (readonly [day: number, bytes: Uint8Array])[]
}

/** A month of `devices` of the demo's largest company, a reading each `step` ms, in memory as chunks, the way the store keeps it. */
export async function monthOfDevices(devices: number, step = STEP): Promise<Month> {
  const scenario = await loadScenario(fileURLToPath(import.meta.resolve('#fixtures/scenarios/demo.json')))
  const world = createWorld(scenario, { devices: 2 * DISTINCT })
  const company = scenario.companies.find(({ id }) => id === COMPANY)
  if (company === undefined) throw new Error(`the demo has no company ${COMPANY}`)
  const distinct = world.registration.devices
    .filter(({ companyId }) => companyId === COMPANY)
    .slice(0, DISTINCT)
  const chunks = distinct.map(({ index }) =>
    daysOf(world.history(index, world.start - DAYS * DAY, world.start, step)).map(
      (day) => [Math.floor((day.at[0] as number) / DAY), encodeChunk(day)] as const,
    ),
  )
  const chunksOf = (no: number) => chunks[no % distinct.length] ?? []
  const registered = Array.from({ length: devices }, (_, no) => {
    const device = distinct[no % distinct.length] as (typeof distinct)[number]
    return { ...device, imei: String(350_000_000_000_000 + no), plateNumber: `${device.plateNumber}-${no}` }
  })
  const numbers = numbered({ devices: [], numbers: new Map() }, registered)
  const facts: NewFact[] = [
    ...companyFacts(company, [], scenario.timeZone, '', 0),
    ...numbers.map((data): NewFact => ({ type: 'device.registered', at: 0, companyId: COMPANY, data })),
  ]
  const groups = company.groups.map(({ id, ...group }) => ({ ...group, groupId: id }))
  const groupOf = new Map(groups.map((group) => [group.groupId, group]))
  const stored = facts.map((fact, seq) => ({ ...fact, seq, id: `f${seq}`, v: 1, recordedAt: 0 }) as Fact)
  const source: ReportSource = {
    devices: numbers.map((device) => ({
      ...device,
      groupName: groupOf.get(device.groupId ?? '')?.name ?? '',
      thresholds: groupOf.get(device.groupId ?? ''),
    })),
    groups,
    picked: { groups: [company.name], devices: [] },
    violations: company,
    deviceOf: () => undefined,
    keptFrom: 0,
    async readings(no, from, to) {
      const days = chunksOf(no).filter(([day]) => (day + 1) * DAY > from && day * DAY < to)
      return joined(days.map(([day, bytes]) => decodeChunk(bytes, no, day)))
    },
    async *facts(types) {
      yield stored.filter(({ type }) => (types as readonly string[]).includes(type)) as never
    },
  }
  const readings = numbers.reduce(
    (sum, { no }) =>
      sum + chunksOf(no).reduce((n, [day, bytes]) => n + decodeChunk(bytes, no, day).length, 0),
    0,
  )
  const order: ReportOrder = {
    reportId: 'r-bench',
    kind: 'temperature',
    title: 'Temperature Report',
    company: { companyId: COMPANY, name: company.name, timeZone: scenario.timeZone },
    group: { groupId: COMPANY, name: company.name },
    from: world.start - DAYS * DAY,
    to: world.start,
    types: null,
    minDistance: null,
    speed: null,
    partOfDay: null,
    requestedBy: 'Ayesha Siddiqui',
    requestedAt: world.start,
    upTo: facts.length,
  }
  return { source, order, readings, facts: stored, chunksOf }
}

/** How long a month of temperature of 500 devices takes: both files, in one thread. */
export async function measureContents(devices = 500): Promise<Figure[]> {
  const { source, order, readings } = await monthOfDevices(devices)
  const began = performance.now()
  await makeFilesOf({ source, order })
  const seconds = (performance.now() - began) / 1000
  const what = `contents of a report: temperature of ${devices} devices, ${say(readings)} readings`
  return [atMost(what, seconds, 30, 's', 1)]
}

export const makeFilesOf = ({ source, order }: Pick<Month, 'source' | 'order'>): Promise<ReportFile[]> =>
  makeFiles(order, source, () => {}, new AbortController().signal)

function daysOf(readings: ReadingColumns): ReadingColumns[] {
  const days: ReadingColumns[] = []
  for (let from = 0; from < readings.length; ) {
    const end = (Math.floor((readings.at[from] as number) / DAY) + 1) * DAY
    let to = from
    while (to < readings.length && (readings.at[to] as number) < end) to++
    days.push(sliceReadings(readings, from, to))
    from = to
  }
  return days
}
