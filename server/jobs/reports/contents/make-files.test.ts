import readExcelFile from 'read-excel-file/node'
import { extractText } from 'unpdf'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { distanceKm } from '#machines/rules/distance.ts'
import { company, device, group } from '../../../testing/facts.ts'
import type { ReportOrder } from '../order.ts'
import { makeFiles } from './make-files.ts'
import { sampleReport } from './testing/sample-report.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 20 November 2026, 00:00 in Karachi, five hours ahead of UTC. */
const START = Date.parse('2026-11-19T19:00:00Z')
const [FROM, TO] = [START, START + 48 * HOUR]
const ZONE_MS = 5 * HOUR

/** The second threshold came at noon of the second day. */
const LOOSER_AT = START + 36 * HOUR
const facts: NewFact[] = [
  company('indus', { name: 'Indus Cold Chain', violationDelaySeconds: 600 }),
  group('indus', 'indus', null, { lowTemperatureThreshold: 2, highTemperatureThreshold: 8 }),
  device(0, '350000000000000', 'indus', 'indus', { name: '=Reefer 0', plateNumber: 'LES-0' }),
  device(1, '350000000000001', 'indus', 'indus', { name: '@Kühlhaus', plateNumber: '' }),
  {
    type: 'group.updated',
    at: LOOSER_AT,
    companyId: 'indus',
    data: { groupId: 'indus', highTemperatureThreshold: 12 },
  },
]

/** Device 0 drives each day from 06:00 to 09:00, is too warm for some hours and silent for two; device 1 stands. */
const readings: Reading[] = []
for (let minute = 0; minute < 48 * 60; minute += 2) {
  const at = START + minute * MINUTE
  const ofDay = minute % 1440
  const isDriving = ofDay >= 360 && ofDay < 540
  const way = Math.floor(minute / 1440) * 180 + Math.min(Math.max(ofDay - 360, 0), 180)
  const isWarm = (minute >= 700 && minute < 790) || (minute >= 2300 && minute < 2360) || minute === 900
  if (!(minute > 1000 && minute < 1120))
    readings.push({
      device: 0,
      at,
      lat: 30.2 + way * 0.006 + (isDriving ? 0 : (minute % 3) * 0.0002),
      lng: 71.48,
      speed: isDriving ? 50 + (minute % 5) : (minute % 3) / 2,
      temperature: isWarm ? 10 + (minute % 7) / 10 : 5 + Math.round(20 * Math.sin(minute / 40)) / 10,
      humidity: 55,
      ignition: ofDay >= 350 && ofDay < 545 ? 1 : 0,
      unplug: minute >= 1300 && minute < 1330 ? 1 : 0,
      externalVoltage: 27 + (minute % 10) / 10,
      batteryVoltage: 4.1,
    })
  readings.push({ device: 1, at, lat: 31.5, lng: 74.3, temperature: 4 })
}

const PROFILE: ProfileForm = {
  name: 'Plain',
  source: '',
  rules: [
    {
      ...{ kind: 'time', side: 'above', limit: 8, isInclusive: false },
      ...{ minutes: 60, isFullAllowed: true, spell: 'total' },
    },
  ],
  mktDecides: false,
  steepest: 0.5,
  surroundings: { low: -30, high: 50 },
}

type Row = (string | number | boolean | Date | null | undefined)[]
type Book = Record<string, Row[]>

async function make(fields: Partial<ReportOrder>, more: NewFact[] = [], keptFrom = 0) {
  const { order, source } = sampleReport({ from: FROM, to: TO, ...fields }, [...facts, ...more], readings)
  const progress: number[] = []
  const files = await makeFiles(
    order,
    { ...source, keptFrom },
    (done) => progress.push(done),
    new AbortController().signal,
  )
  const sheets = await readExcelFile(Buffer.from(files[0]?.bytes ?? []))
  const book: Book = Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data as Row[]]))
  return { files, progress, book }
}

/** Two loads of the first device: one that is closed and rejected, one that is under way. */
function carried(): NewFact[] {
  const about = { imei: '350000000000000', userName: 'Ayesha Malik' }
  const at = (hours: number) => ({ at: START + hours * HOUR, companyId: 'indus' })
  return [
    {
      ...{ type: 'profile.set', ...at(1) },
      data: { companyId: 'indus', profileId: 'p', version: 1, ...PROFILE },
    },
    ...['l1', 'l2'].map(
      (loadId, i): NewFact => ({
        ...{ type: 'load.opened', ...at(2 + 30 * i) },
        data: { ...about, loadId, profileId: 'p', version: 1, reference: `Lot ${i + 1}` },
      }),
    ),
    { type: 'load.closed', ...at(25), data: { ...about, loadId: 'l1' } },
    { type: 'load.review-begun', ...at(26), data: { ...about, loadId: 'l1' } },
    { type: 'load.rejected', ...at(27), data: { ...about, loadId: 'l1', reason: 'Too warm' } },
    { type: 'load.review-begun', ...at(60), data: { ...about, loadId: 'l2' } },
  ]
}

const coverLines = ({ Report = [] }: Book): Row[] => Report.map((row) => row.filter((cell) => cell !== null))

/** Rows of a sheet by heading. */
function records(book: Book, sheet: string): Record<string, Row[number]>[] {
  const [heading = [], ...rows] = book[sheet] ?? []
  return rows.map((row) => Object.fromEntries(heading.map((name, i) => [name, row[i]])))
}
/** What a time of a sheet, which is a clock of Karachi, stands for. */
const instant = (cell: Row[number]): number => Math.round(Number(cell) / 1000) * 1000 - ZONE_MS
/** Durations are times since the day spreadsheets begin with. */
const hours = (cell: Row[number]): number => (Number(cell) - Date.UTC(1899, 11, 30)) / HOUR

const ofDevice = (no: number) => readings.filter((reading) => reading.device === no)
const pairs = (rows: Reading[]) => rows.slice(1).map((to, i): [Reading, Reading] => [rows[i] as Reading, to])
const GAP = 10 * MINUTE

describe('a report of distance', () => {
  let book: Book
  beforeAll(async () => {
    book = (await make({})).book
  })

  test('has of each device and day what a recount gives', () => {
    const recount = [0, 1].map((day) => {
      let [km, driving] = [0, 0]
      for (const [a, b] of pairs(ofDevice(0))) {
        const isOfDay = Math.floor((b.at - 1 - START) / (24 * HOUR)) === day
        const isDriving = ((a.speed ?? 0) + (b.speed ?? 0)) / 2 >= 5 && (a.ignition === 1 || b.ignition === 1)
        if (!isOfDay || !isDriving || b.at - a.at > GAP) continue
        km += distanceKm(a.lat as number, a.lng as number, b.lat as number, b.lng as number)
        driving += b.at - a.at
      }
      return [day, km, driving] as const
    })
    const days = records(book, 'Days').filter((row) => row.IMEI === '350000000000000')
    for (const [day, km, driving] of recount) {
      expect(km).toBeGreaterThan(100)
      expect(instant(days[day]?.Date)).toBe(START + day * 24 * HOUR)
      expect(days[day]?.['Distance (km)']).toBeCloseTo(km, 2)
      expect(hours(days[day]?.['Driving (h:mm:ss)'])).toBeCloseTo(driving / HOUR, 4)
    }
    const [sum] = records(book, 'Devices')
    expect(sum).toMatchObject({
      Name: '=Reefer 0',
      'Plate number': 'LES-0',
      Group: 'indus',
      'Days driven': 2,
    })
    expect(sum?.['Distance (km)']).toBeCloseTo((recount[0]?.[1] ?? 0) + (recount[1]?.[1] ?? 0), 2)
  })

  test('tells the whole of each day, and that nobody knows of the silence', () => {
    for (const row of records(book, 'Days')) {
      const spans = ['Driving', 'Standing, engine on', 'Standing', 'No data'].map((name) =>
        hours(row[`${name} (h:mm:ss)`]),
      )
      expect(spans.reduce((sum, h) => sum + h, 0)).toBeCloseTo(24, 3)
    }
    const [first] = records(book, 'Days')
    expect(hours(first?.['No data (h:mm:ss)'])).toBeCloseTo(2, 1)
  })

  test('has no kilometres of what stands, and leaves out days shorter than was asked', async () => {
    expect(records(book, 'Devices')[1]).toMatchObject({
      Name: '@Kühlhaus',
      'Distance (km)': 0,
      'Days driven': 0,
    })
    const { book: long } = await make({ minDistance: 50 })
    expect(records(long, 'Days').map((row) => row.Name)).toEqual(['=Reefer 0', '=Reefer 0'])
  })

  test('says on its cover what it is, of what, and by which thresholds', () => {
    const cover = (book.Report ?? []).map((row) => row.filter((cell) => cell !== null))
    expect(cover[0]).toEqual(['Distance Report'])
    expect(cover).toContainEqual(['Company', 'Indus Cold Chain'])
    expect(cover).toContainEqual(['Time zone of all times', 'Asia/Karachi'])
    expect(cover).toContainEqual(['Made from the log up to', 'position 4711'])
    expect(cover).toContainEqual(['Requested by', 'Ayesha Malik'])
    expect(cover).toContainEqual(['Groups picked', 'indus'])
    expect(cover).toContainEqual(['indus', 'the beginning', 2, 8, 20, 80])
    const changed = cover.find(([name, , , high]) => name === 'indus' && high === 12)
    expect(instant(changed?.[1])).toBe(LOOSER_AT)
    const from = cover.find(([label]) => label === 'From')
    expect(instant(from?.[1])).toBe(FROM)
  })
})

test('the cover has names without a blank whole, in lines', async () => {
  const { order, source } = sampleReport({ from: FROM, to: TO, kind: 'power' }, facts, readings)
  const [long, whole] = [`${'L'.repeat(148)}🧊`, 'A short one']
  const picked = { groups: [], devices: [whole, long] }
  const files = await makeFiles(order, { ...source, picked }, () => {}, new AbortController().signal)
  const sheets = await readExcelFile(Buffer.from(files[0]?.bytes ?? []))
  const rows = sheets[0]?.data ?? []
  const from = rows.findIndex(([label]) => label === 'Devices picked')
  expect(rows.slice(from, from + 3).map(([, text]) => text)).toEqual([
    'A short one,',
    'L'.repeat(105),
    `${'L'.repeat(43)}🧊`,
  ])
})

describe('a report of temperature', () => {
  let made: Awaited<ReturnType<typeof make>>
  beforeAll(async () => {
    made = await make({ kind: 'temperature', title: 'Temperature Report' })
  })
  const highAt = (at: number) => (at >= LOOSER_AT ? 12 : 8)

  test('has of each device what a recount gives', () => {
    const rows = ofDevice(0)
    let [sum, kinetic, measured, out] = [0, 0, 0, 0]
    for (const [i, { at, temperature = 0 }] of rows.entries()) {
      const sides = [at - (rows[i - 1]?.at ?? -Infinity), (rows[i + 1]?.at ?? Infinity) - at]
      const ms = sides.reduce((all, side) => all + (side <= GAP ? side / 2 : 0), 0)
      measured += ms
      sum += temperature * ms
      kinetic += Math.exp(-83_144 / (8.3144 * (temperature + 273.15))) * ms
      if (temperature > highAt(at) || temperature < 2) out += ms
    }
    const values = rows.map(({ temperature = 0 }) => temperature)
    const [first, second] = records(made.book, 'Devices')
    expect(out).toBeGreaterThan(0)
    expect(first).toMatchObject({
      Readings: rows.length,
      'Minimum (°C)': Math.min(...values),
      'Maximum (°C)': Math.max(...values),
    })
    expect(first?.['Mean (°C)']).toBeCloseTo(sum / measured, 2)
    expect(first?.['Mean kinetic temperature (°C)']).toBeCloseTo(
      83_144 / 8.3144 / -Math.log(kinetic / measured) - 273.15,
      2,
    )
    expect(first?.['Out of range (min)']).toBeCloseTo(out / MINUTE, 2)
    expect(first?.['Measured (min)']).toBeCloseTo(measured / MINUTE, 2)
    expect(second).toMatchObject({
      'Mean (°C)': 4,
      'Mean kinetic temperature (°C)': 4,
      'Out of range (min)': 0,
    })
  })

  test('says what was carried as it stood when its time ended: what people did after that is not in it', async () => {
    const { book, files } = await make({ kind: 'temperature', title: 'Temperature Report' }, carried())
    const [first, second, ...others] = records(book, 'Loads')
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{
        Name: '=Reefer 0',
        Load: 'Lot 1',
        Profile: 'Plain, version 1',
        State: 'Rejected',
        Why: 'Too warm',
      },
      ...{
        'Used (%)': 153.3,
        'By the rule': 'Above 8 °C for at most 1 h in all',
        'Decided by': 'Ayesha Malik',
      },
    })
    // warm from minute 700 on, and that reading stands for a minute before it: sixty are more than used up at 760
    expect(instant(first?.Exhausted)).toBe(START + 760 * MINUTE)
    expect(second).toMatchObject({ Load: 'Lot 2', State: 'At risk', 'Used (%)': 100, Closed: null })
    const { text } = await extractText(new Uint8Array(files[1]?.bytes ?? []), { mergePages: true })
    for (const words of ['Budgets exhausted', 'Lot 1', 'Lot 2', 'Rejected', 'under way'])
      expect(text).toContain(words)
  })

  test('says of what was carried how much is used at least where the first readings are no longer kept', async () => {
    const order = { kind: 'temperature', title: 'Temperature Report' } as const
    const { book, files } = await make(order, carried(), START + 40 * HOUR)
    const [first, second] = records(book, 'Loads')
    expect(first).toMatchObject({
      Load: 'Lot 1',
      State: 'Rejected',
      'Used (%)': null,
      'Used at most (%)': null,
    })
    expect(second).toMatchObject({ Load: 'Lot 2', 'Used (%)': expect.any(Number), 'Used at most (%)': null })
    const { text } = await extractText(new Uint8Array(files[1]?.bytes ?? []), { mergePages: true })
    expect(text).toContain('not kept')
    expect(text).toMatch(/from \d+ %/)
  })

  test('has every excursion that lasted, and no other', () => {
    const excursions = records(made.book, 'Excursions')
    // the single warm reading is too short, and the second warm spell is within the looser limit
    expect(excursions).toHaveLength(1)
    const [one] = excursions
    expect(one).toMatchObject({ Excursion: 'Too warm', 'Limit (°C)': 8, State: 'Ended', Name: '=Reefer 0' })
    expect([instant(one?.Began), instant(one?.Ended)]).toEqual([START + 700 * MINUTE, START + 790 * MINUTE])
    expect(hours(one?.['Duration (h:mm:ss)'])).toBeCloseTo(1.5, 4)
    expect(one?.['Worst (°C)']).toBe(10.6)
    expect(one?.Place).toBe('51 km E of Karor')
  })

  test('has days that add up', () => {
    const days = records(made.book, 'Days').filter((row) => row.Name === '=Reefer 0')
    const [first] = records(made.book, 'Devices')
    for (const name of ['Readings', 'Out of range (min)', 'Measured (min)'])
      expect(days.reduce((sum, row) => sum + Number(row[name]), 0)).toBeCloseTo(Number(first?.[name]), 1)
  })

  test('comes as a PDF too, a chart a device, with its worst excursions', async () => {
    const [, pdf] = made.files
    expect(pdf).toMatchObject({
      fileName: 'Temperature-Report-20261120-0000-to-20261122-0000.pdf',
      contentType: 'application/pdf',
    })
    const { text, totalPages } = await extractText(new Uint8Array(pdf?.bytes ?? []))
    expect(totalPages).toBe(2)
    expect(text[0]).toContain('Temperature Report')
    expect(text[0]).toContain('Indus Cold Chain')
    expect(text[1]).toContain('LES-0')
    expect(text[1]).toContain('@Kühlhaus')
    expect(text[1]).toContain('20-11-2026 11:40')
    expect(text[1]).toContain('1 h 30 min')
    expect(text[1]).toContain('Page 2 of 2')
  })
})

describe('other reports', () => {
  test('of observations are every reading, as the tables show them', async () => {
    const { book } = await make({ kind: 'observation', from: START, to: START + HOUR })
    const rows = records(book, 'Observations')
    const requested = [0, 1].flatMap((no) => ofDevice(no).filter(({ at }) => at < START + HOUR))
    expect(rows).toHaveLength(requested.length)
    for (const [i, reading] of requested.entries()) {
      const row = rows[i]
      expect(instant(row?.Timestamp)).toBe(reading.at)
      expect(row).toMatchObject({
        Imei: `35000000000000${reading.device}`,
        'Temperature (°C)': reading.temperature,
        'Humidity (%)': reading.humidity ?? null,
        'External_Voltage (V)': reading.externalVoltage ?? null,
        'Ignition (0/1)': reading.ignition ?? null,
        'Door (0/1)': reading.door ?? null,
        LatLng: `${Math.round((reading.lat as number) * 1e6) / 1e6}, ${reading.lng}`,
      })
      expect(row?.Location).toBe(reading.device === 0 ? 'Multan' : 'Lahore')
    }
  })

  test('of power have ignition, voltages and when it was unplugged', async () => {
    const { book } = await make({ kind: 'power' })
    const [first, second] = records(book, 'Devices')
    const volts = ofDevice(0).map(({ externalVoltage = 0 }) => externalVoltage)
    expect(first).toMatchObject({
      'Times started': 2,
      'Times unplugged': 1,
      'External voltage, minimum (V)': Math.min(...volts),
      'External voltage, maximum (V)': Math.max(...volts),
    })
    expect(first?.['External voltage, mean (V)']).toBeCloseTo(
      volts.reduce((a, b) => a + b, 0) / volts.length,
      3,
    )
    expect(hours(first?.['Ignition on (h:mm:ss)'])).toBeCloseTo((2 * 196) / 60, 2)
    expect(second).toMatchObject({ 'Times started': 0, 'External voltage, mean (V)': null })
    const [unplugged] = records(book, 'Unplugged')
    expect([instant(unplugged?.From), instant(unplugged?.To)]).toEqual([
      START + 1300 * MINUTE,
      START + 1330 * MINUTE,
    ])
    expect(unplugged).toMatchObject({ State: 'Plugged in' })
  })

  test('of trips have where and when each began and ended', async () => {
    const { book } = await make({ kind: 'trip' })
    const trips = records(book, 'Trips')
    expect(trips.map((row) => [instant(row['Set off']), row.From])).toEqual([
      [START + 358 * MINUTE, 'Multan'],
      [START + (1440 + 358) * MINUTE, expect.stringMatching(/ km /)],
    ])
    expect(trips[0]?.['Distance (km)']).toBeCloseTo(180 * 0.006 * 111.195, 0)
    expect(hours(trips[0]?.['Driving (h:mm:ss)'])).toBeCloseTo(182 / 60, 1)
    expect(records(book, 'Devices').map((row) => row.Trips)).toEqual([2, 0])
  })

  test('of events have what was told, when, where, until when and who took care', async () => {
    const opened = (
      violationId: string,
      at: number,
      type: 'HIGH_TEMPERATURE_DETECTED' | 'LOW_HUMIDITY_DETECTED',
    ): NewFact => ({
      type: 'violation.opened',
      at,
      companyId: 'indus',
      data: {
        violationId,
        imei: '350000000000000',
        type,
        threshold: 8,
        delaySeconds: 600,
        clearMargin: 0.5,
        since: at - 10 * MINUTE,
        value: 10.5,
        lat: 30.28,
        lng: 71.57,
        readings: [],
      },
    })
    const published: NewFact[] = [
      opened('v1', START + 710 * MINUTE, 'HIGH_TEMPERATURE_DETECTED'),
      opened('v2', START + 600 * MINUTE, 'LOW_HUMIDITY_DETECTED'),
      opened('v0', START - MINUTE, 'HIGH_TEMPERATURE_DETECTED'),
      {
        type: 'violation.acknowledged',
        at: START + 720 * MINUTE,
        companyId: 'indus',
        data: {
          violationId: 'v1',
          notificationId: 'n1',
          imei: '350000000000000',
          type: 'HIGH_TEMPERATURE_DETECTED',
          userName: 'Danish Malik',
          reason: 'Door open',
          comment: '=called the driver',
        },
      },
      {
        type: 'violation.cleared',
        at: START + 790 * MINUTE,
        companyId: 'indus',
        data: {
          violationId: 'v1',
          imei: '350000000000000',
          type: 'HIGH_TEMPERATURE_DETECTED',
          value: 7,
          worst: 10.6,
          durationSeconds: 5400,
          reason: 'back-inside',
        },
      },
    ]
    const { book } = await make({ kind: 'event' }, published)
    const events = records(book, 'Events')
    expect(events.map((row) => row.Event)).toEqual(['Low humidity', 'High temperature'])
    expect(events[1]).toMatchObject({
      Name: '=Reefer 0',
      'Value (°C or %)': 10.5,
      'Limit (°C or %)': 8,
      'Worst (°C or %)': 10.6,
      Place: '13 km NE of Multan',
      'Acknowledged by': 'Danish Malik',
      Comment: 'Door open: =called the driver',
    })
    expect([events[1]?.Time, events[1]?.Ended, events[1]?.['Acknowledged at']].map(instant)).toEqual([
      START + 710 * MINUTE,
      START + 790 * MINUTE,
      START + 720 * MINUTE,
    ])
    expect(events[0]?.Ended).toBeNull()
    expect(records(book, 'Devices')[0]).toMatchObject({ 'High temperature': 1, 'Low humidity': 1, Total: 2 })

    const { book: some } = await make({ kind: 'event', types: ['LOW_HUMIDITY_DETECTED'] }, published)
    expect(records(some, 'Events').map((row) => row.Event)).toEqual(['Low humidity'])
    expect(some.Report).toContainEqual(expect.arrayContaining(['Events', 'Low humidity']))
  })
})

describe('whatever is asked for', () => {
  const KINDS = ['distance', 'temperature', 'observation', 'event', 'power', 'trip'] as const

  test.for(KINDS)('the same order gives the same bytes: %s', async (kind) => {
    const [first, second] = [await make({ kind }), await make({ kind })]
    expect(first.files.map(({ fileName }) => fileName)).toEqual(second.files.map(({ fileName }) => fileName))
    for (const [i, { bytes }] of first.files.entries())
      expect(Buffer.compare(bytes, second.files[i]?.bytes ?? new Uint8Array())).toBe(0)
  })

  test('the second version has its number in its name and on its cover', async () => {
    const [first, second] = [await make({ kind: 'power' }), await make({ kind: 'power', version: 2 })]
    const [name] = first.files.map(({ fileName }) => fileName.replace('.xlsx', ''))
    expect(second.files.map(({ fileName }) => fileName)).toEqual([`${name}-version-2.xlsx`])
    expect(coverLines(second.book)).toContainEqual(['Version', '2, with readings that came later'])
    expect(coverLines(first.book).map(([label]) => label)).not.toContain('Version')
  })

  test.for(KINDS)('a time without readings gives a file that says so: %s', async (kind) => {
    const { files, book } = await make({ kind, from: START - 10 * HOUR, to: START - 9 * HOUR })
    expect(files[0]?.bytes.length).toBeGreaterThan(1000)
    expect(book.Report?.[0]?.[0]).toBe('Distance Report')
  })

  test('tells how far it is, never backwards, to the end', async () => {
    const { progress } = await make({ kind: 'temperature' })
    expect(progress.at(-1)).toBe(1)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  test('stops when it is told to, with the reason given', async () => {
    const { order, source } = sampleReport({ from: FROM, to: TO, kind: 'temperature' }, facts, readings)
    const stop = new AbortController()
    const reason = new Error('cancelled')
    const made = makeFiles(order, source, () => stop.abort(reason), stop.signal)
    await expect(made).rejects.toBe(reason)
  })
})
