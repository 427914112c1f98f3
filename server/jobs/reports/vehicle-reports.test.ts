import readExcelFile from 'read-excel-file/node'
import { extractText } from 'unpdf'
import { beforeAll, describe, expect, test } from 'vitest'
import { createReadings, pushReading, type Reading } from '#machines/contracts/readings.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { company, device, group } from '../../testing/facts.ts'
import { makeFiles } from './contents/make-files.ts'
import { createDataProvider } from './data-provider.ts'
import { createSources } from './source.ts'
import type { RequestedOrder } from './worker-messages.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** 20 November 2026, 00:00 in Karachi, five hours ahead of UTC. */
const START = Date.parse('2026-11-19T19:00:00Z')
const END = START + DAY
const at = (minute: number) => START + minute * MINUTE

/**
 * A day of a truck, by the minute of the day:
 * 0 to 500 it stands, from 480 on with the engine on; 500 to 561 it drives, 0.01° of a meridian (1.11195 km) a minute at
 * 60 km/h, but for 95 (and once 104) from 520 to 529, exactly 80 at 530, and 81 at 545; 561 to 600 it stands; then nothing
 * is heard until 720, from when on it stands until midnight.
 */
function truck(): Reading[] {
  const reading = (minute: number, fields: Partial<Reading>): Reading => ({
    ...{ device: 0, at: at(minute), lat: 30, lng: 71, speed: 0, ignition: 0, temperature: 5 },
    ...fields,
  })
  const every = (from: number, to: number, fields: Partial<Reading>) => {
    const rows: Reading[] = []
    for (let minute = from; minute <= to; minute += 5) rows.push(reading(minute, fields))
    return rows
  }
  const speedAt = (minute: number): number => {
    if (minute === 525) return 104
    if (minute >= 520 && minute < 530) return 95
    return minute === 530 ? 80 : minute === 545 ? 81 : 60
  }
  const drive: Reading[] = []
  for (let minute = 501; minute <= 560; minute++)
    drive.push(reading(minute, { lat: 30 + (minute - 500) / 100, speed: speedAt(minute), ignition: 1 }))
  return [
    ...every(0, 475, {}),
    ...every(480, 500, { ignition: 1 }),
    ...drive,
    ...every(561, 600, { lat: 30.61 }),
    reading(600, { lat: 30.61 }),
    ...every(720, 1435, { lat: 30.61, temperature: 9.25 }),
  ]
}

/** Tells only temperatures, until 18:00. */
const sensor = Array.from({ length: 217 }, (_, i): Reading => ({ device: 1, at: at(5 * i), temperature: 4 }))
/** Each was last heard at Lahore: one four hours before the day, one ten days before it. */
const lost: Reading[] = [
  { device: 2, at: START - 4 * HOUR, lat: 31.5, lng: 74.3, speed: 0, unplug: 1 },
  { device: 3, at: START - 10 * DAY, lat: 31.5, lng: 74.3, speed: 0, unplug: 0 },
]

const [TRUCK, SENSOR, UNPLUGGED, LOST, NEVER] = ['LES-0', 'LES-1', 'LES-2', 'LES-3', 'LES-4']

let store: ReturnType<typeof openSqliteStore>
let sourceOf: ReturnType<typeof createSources>
beforeAll(async () => {
  store = openSqliteStore({ dir: ':memory:', clock: { now: () => END } })
  await store.log.append('registry', [
    company('indus'),
    group('indus', 'indus', null),
    ...[0, 1, 2, 3, 4].map((no) =>
      device(no, `35000000000000${no}`, 'indus', 'indus', { plateNumber: `LES-${no}` }),
    ),
  ])
  // late, out of order, and some of it twice
  const all = [...truck(), ...sensor, ...lost]
  const late = all.filter((_, i) => i % 3 === 0)
  for (const batch of [all.filter((_, i) => i % 3 !== 0).reverse(), late.reverse(), all.slice(90, 130)]) {
    const columns = createReadings(batch.length)
    for (const one of batch) pushReading(columns, one)
    await store.telemetry.append(columns, END)
  }
  const directory = store.log.readFacts(0, {}).reduce(evolve, emptyDirectory())
  sourceOf = createSources(createDataProvider({ store, directory, clock: { now: () => END } }))
  return () => store.close()
})

type Cell = string | number | boolean | Date | null | undefined
type Row = Record<string, Cell>

async function make(fields: Partial<RequestedOrder>) {
  const { order, source } = await sourceOf({
    ...{ reportId: 'r1', kind: 'status', title: 'A Report', companyId: 'indus', groupId: 'indus' },
    ...{ devices: [], groups: ['indus'], from: START, to: END, types: null, minDistance: null },
    ...{ speed: null, partOfDay: null, requestedBy: 'Schedule', requestedAt: END, upTo: store.log.head() },
    ...fields,
  } as RequestedOrder)
  const files = await makeFiles(order, source, () => {}, new AbortController().signal)
  const sheets = await readExcelFile(Buffer.from(files[0]?.bytes ?? []))
  const rows = (name: string): Row[] => {
    const [heading = [], ...data] = sheets.find(({ sheet }) => sheet === name)?.data ?? []
    return data.map((row) => Object.fromEntries(heading.map((head, i) => [head, row[i] as Cell])))
  }
  return {
    files,
    rows,
    of: (name: string, plate: string | undefined) =>
      rows(name).filter((row) => row['Plate number'] === plate),
    cover: (sheets.find(({ sheet }) => sheet === 'Report')?.data ?? []) as Cell[][],
  }
}

/** What a time of a sheet, which is a clock of Karachi, is in minutes of the day. */
const minute = (cell: Cell): number | null =>
  cell === null || cell === undefined
    ? null
    : Math.round((Math.round(Number(cell) / 1000) * 1000 - 5 * HOUR - START) / MINUTE)
/** Durations are times since the day spreadsheets begin with. */
const minutes = (cell: Cell): number | null =>
  cell === null || cell === undefined ? null : Math.round((Number(cell) - Date.UTC(1899, 11, 30)) / 1000) / 60

describe('over-speeding', () => {
  test('is told with when, how fast and where it was fastest', async () => {
    const { of, cover } = await make({ kind: 'speeding', speed: 80 })
    const spells = of('Over-speeding', TRUCK).map((row) => [
      minute(row.Began),
      minute(row.Ended),
      minutes(row['Duration (h:mm:ss)']),
      row['Top speed (km/h)'],
      minute(row['Top speed at']),
      row.State,
    ])
    expect(spells).toEqual([
      [520, 530, 10, 104, 525, 'Ended'],
      [545, 546, 1, 81, 545, 'Ended'],
    ])
    expect(of('Over-speeding', TRUCK)[0]?.Place).toMatch(/ km /)
    const [truckRow] = of('Devices', TRUCK)
    expect(truckRow).toMatchObject({ 'Times over': 2, 'Top speed (km/h)': 104 })
    expect(minutes(truckRow?.['Time over (h:mm:ss)'])).toBe(11)
    expect(cover).toContainEqual(expect.arrayContaining(['Speed limit (km/h)', 80]))
  })

  test('is empty, not none, of a device that tells no speed', async () => {
    const { of } = await make({ kind: 'speeding', speed: 1 })
    expect(of('Devices', SENSOR)[0]).toMatchObject({
      'Speeds measured': 0,
      'Times over': null,
      'Time over (h:mm:ss)': null,
      'Top speed (km/h)': null,
    })
  })

  test('is what is faster than the limit that was chosen', async () => {
    const { of } = await make({ kind: 'speeding', speed: 100 })
    expect(of('Over-speeding', TRUCK).map((row) => [minute(row.Began), minute(row.Ended)])).toEqual([
      [525, 526],
    ])
  })
})

describe('stoppage', () => {
  test('is where a vehicle stood, since when, until when, and how long with the engine on', async () => {
    const { of } = await make({ kind: 'stoppage' })
    const stops = of('Stops', TRUCK).map((row) => [
      minute(row.Since),
      minute(row.Until),
      minutes(row['Duration (h:mm:ss)']),
      minutes(row['Of it engine on (h:mm:ss)']),
      row.State,
    ])
    expect(stops).toEqual([
      [0, 500, 500, 20, 'Drove on'],
      [561, 600, 39, 0, 'No data after'],
      [720, null, 715, 0, 'Still standing'],
    ])
    const [sum] = of('Devices', TRUCK)
    expect(sum).toMatchObject({ Stops: 3 })
    expect(minutes(sum?.['Known (h:mm:ss)'])).toBe(600 + 715)
    expect(minutes(sum?.['Stopped (h:mm:ss)'])).toBe(500 + 39 + 715)
    expect(minutes(sum?.['Longest stop (h:mm:ss)'])).toBe(715)
  })

  test('is empty, not none, of a device that tells nothing of its motion', async () => {
    const { of } = await make({ kind: 'stoppage' })
    expect(of('Devices', SENSOR)[0]).toMatchObject({ Stops: null, 'Stopped (h:mm:ss)': null })
    expect(of('Stops', SENSOR)).toEqual([])
  })
})

describe('vehicles not responding', () => {
  test('are told with every silence and their last word, also where that was before the day', async () => {
    const { rows } = await make({ kind: 'silence' })
    const silences = rows('Silences').map((row) => [
      row['Plate number'],
      minute(row['Last word']),
      minute(row['Heard again']),
      minutes(row['Silent for (h:mm:ss)']),
      row.Place,
      row.State,
    ])
    expect(silences).toEqual([
      [TRUCK, 600, 720, 120, expect.stringMatching(/ km /), 'Ended'],
      [SENSOR, 1080, null, 360, null, 'Still silent'],
      [UNPLUGGED, -240, null, 1680, 'Lahore', 'Still silent'],
      [LOST, -14_400, null, 15_840, 'Lahore', 'Still silent'],
    ])
  })

  test('and how each stood when the day ended; who was never heard is said to be just that', async () => {
    const { rows } = await make({ kind: 'silence' })
    const devices = rows('Devices').map((row) => [
      row['State at the end'],
      minute(row['Last word']),
      row['Times silent'],
      minutes(row['Silent in the time asked for (h:mm:ss)']),
    ])
    expect(devices).toEqual([
      ['Responding', 1435, 1, 120],
      ['Silent', 1080, 1, 360],
      ['Silent', -240, 1, 1440],
      ['Silent', -14_400, 1, 1440],
      ['Not heard', null, null, null],
    ])
  })
})

describe('vehicle status', () => {
  test('is how each stood when the day ended, with the newest it told', async () => {
    const { rows } = await make({ kind: 'status' })
    const status = rows('Devices').map((row) => [
      row.Status,
      minute(row['Last reading']),
      minutes(row['Silent for (h:mm:ss)']),
      row['Speed (km/h)'],
      row.Ignition,
      row['Temperature (°C)'],
      row['Temperature is'],
      row['Humidity (%)'],
    ])
    expect(status).toEqual([
      ['Online', 1435, 5, 0, 'Off', 9.25, 'Too warm', null],
      ['Offline', 1080, 360, null, null, 4, 'Within limits', null],
      ['Disconnected', -240, 1680, 0, null, null, null, null],
      ['Offline', -14_400, 15_840, 0, null, null, null, null],
      ['Disconnected', null, null, null, null, null, null, null],
    ])
    expect(rows('Devices').map((row) => row.Place)).toEqual([
      expect.stringMatching(/ km /),
      null,
      'Lahore',
      'Lahore',
      null,
    ])
  })
})

describe('vehicle travel', () => {
  const part = { startTime: '08:00', endTime: '09:00' }

  test('is what was driven in the part of the day, of days that are long enough', async () => {
    const { of, cover } = await make({ kind: 'travel', minDistance: 25, partOfDay: part })
    const [day] = of('Days', TRUCK)
    expect(day?.['Distance (km)']).toBeCloseTo(40 * 1.11195, 2)
    expect(minutes(day?.['Driving (h:mm:ss)'])).toBe(40)
    expect([minute(day?.['First set off']), minute(day?.['Last stopped'])]).toEqual([500, 540])
    expect(day).toMatchObject({ 'Top speed (km/h)': 104, 'Average speed (km/h)': 66.7 })
    expect(of('Devices', TRUCK)[0]).toMatchObject({ 'Days with positions': 1, 'Days that count': 1 })
    expect(cover).toContainEqual(expect.arrayContaining(['Part of each day', '08:00 to 09:00']))
    expect(cover).toContainEqual(expect.arrayContaining(['Least distance (km)', 25]))
  })

  test('leaves out days that are shorter; of the whole day all is told', async () => {
    const { of } = await make({ kind: 'travel', minDistance: 50, partOfDay: part })
    expect(of('Days', TRUCK)).toEqual([])
    expect(of('Devices', TRUCK)[0]).toMatchObject({ 'Days that count': 0, 'Distance (km)': null })
    const { of: whole } = await make({ kind: 'travel', minDistance: 50 })
    expect(whole('Days', TRUCK)[0]?.['Distance (km)']).toBeCloseTo(61 * 1.11195, 2)
  })

  test('is empty, not 0 km, of a device that did not tell where it was', async () => {
    const { of } = await make({ kind: 'travel', minDistance: 0 })
    for (const plate of [SENSOR, UNPLUGGED, LOST, NEVER])
      expect(of('Devices', plate)[0]).toMatchObject({
        'Days with positions': 0,
        'Days that count': null,
        'Distance (km)': null,
      })
  })

  test('comes as bars too, and says of whom there is no data', async () => {
    const { files } = await make({
      kind: 'travel-graph',
      title: 'Vehicle Travel Report Graph',
      minDistance: 25,
    })
    const { text } = await extractText(new Uint8Array(files[1]?.bytes ?? []))
    expect(text[0]).toContain('Vehicle Travel Report Graph')
    expect(text[0]).toContain('67.8 km')
    expect(text[0]?.match(/no data/g)).toHaveLength(4)
  })

  test('a bar too short to count is told as that, not as 0 km', async () => {
    const { files } = await make({ kind: 'travel-graph', minDistance: 100 })
    const { text } = await extractText(new Uint8Array(files[1]?.bytes ?? []))
    expect(text[0]).toContain('no day of 100 km')
    expect(text[0]).not.toContain('67.8 km')
  })
})

test.for(['speeding', 'stoppage', 'silence', 'status', 'travel', 'travel-graph', 'event-graph'] as const)(
  'the same order gives the same bytes, and a time without readings a file: %s',
  async (kind) => {
    const [first, second] = [await make({ kind }), await make({ kind })]
    for (const [i, { bytes }] of first.files.entries())
      expect(Buffer.compare(bytes, second.files[i]?.bytes ?? new Uint8Array())).toBe(0)
    const { cover } = await make({ kind, from: START - 60 * DAY, to: START - 59 * DAY })
    expect(cover[0]?.[0]).toBe('A Report')
  },
)
