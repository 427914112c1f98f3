import { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { verifyFiles } from '#machines/rules/dropped-files.ts'
import { NODE_CRYPTO } from '../../jobs/seals/keys.ts'
import { type Ask, buildTestServer, START, type TestServer } from './testing/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const imeiOf = (no: number) => String(350_000_000_000_000 + no)
const params = { groupId: 'indus', companyId: 'indus' }
const range = { startDate: START - DAY, endDate: START }

let server: TestServer
let top: string
let child: string
/** names of files that were read */
const read: string[] = []
beforeEach(async () => {
  read.length = 0
  server = await buildTestServer({
    reportFile: async (name) => {
      read.push(name)
      return new TextEncoder().encode(name.replace('.', ' '))
    },
  })
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
})
afterEach(() => server.close())

const requested = () =>
  server.store.log
    .readFacts(0, { types: ['report.requested'] })
    .flatMap((fact) => (fact.type === 'report.requested' ? [fact.data] : []))
const refusal = async (name: Parameters<TestServer['ask']>[0], ask: Ask) => {
  const answer = await server.ask(name, { token: top, params, ...ask })
  return [answer.statusCode, answer.json().message]
}
const append = async (...facts: NewFact[]) => {
  const { facts: stored } = await server.store.log.append('reports-indus', facts)
  await server.readModels.settled(stored.at(-1)?.seq ?? 0)
}
const origin = { at: START, companyId: 'indus' }
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
const completed = (reportId: string, [book, chart] = [`${reportId} 0`, `${reportId} 1`]): NewFact => ({
  ...origin,
  type: 'report.completed',
  data: {
    reportId,
    files: [
      {
        fileName: 'März "1".xlsx',
        contentType: 'application/x-book',
        bytes: book.length,
        sha256: sha256Of(book),
      },
      { fileName: 'chart.pdf', contentType: 'application/pdf', bytes: chart.length, sha256: sha256Of(chart) },
    ],
  },
})

describe('a report is asked for', () => {
  test('and taken: what the worker needs to know is in the record', async () => {
    const { _id } = await server.answer('requestDistanceReport', {
      params,
      token: top,
      body: { things: [imeiOf(1)], groups: ['sindh'], ...range },
    })
    expect(requested()).toEqual([
      {
        ...{ reportId: _id, groupId: 'indus', kind: 'distance', title: 'Distance Report' },
        ...{ things: [imeiOf(1)], groups: ['sindh'], from: START - DAY, to: START },
        ...{ types: null, minDistance: null, requestedBy: 'ayesha Malik', scheduleId: null },
        upTo: expect.any(Number),
      },
    ])
  })

  test('each call in its own words', async () => {
    const body = { things: [imeiOf(1)], groups: [], ...range }
    const types = ['LOW_TEMPERATURE_DETECTED']
    await server.answer('requestTemperatureReport', { params, token: top, body })
    await server.answer('requestPowerReport', { params, token: top, body })
    await server.answer('requestReport', { params, token: top, body: { ...body, type: types } })
    await server.answer('requestReport', { params, token: top, body: { ...body, type: ['ALL', ...types] } })
    const asText = { ...body, things: [imeiOf(0)] }
    for (const type of ['ALL', ...types])
      await server.answer('requestReport', { params, token: top, body: { ...asText, type } })
    const interval = { startDate: START - 2 * HOUR, endDate: START + 10 * HOUR }
    const observed = { vehicels: [imeiOf(0)], interval }
    await server.answer('requestObservationReport', { params, token: top, body: observed })
    const query = { token: 'x', companyId: 'indus' }
    await server.answer('requestTripReport', { query, token: child, body })
    expect(requested().map(({ title, groupId, types, to }) => [title, groupId, types, to - START])).toEqual([
      ['Temperature Report', 'indus', null, 0],
      ['Power Report', 'indus', null, 0],
      ['Event Report', 'indus', types, 0],
      ['Event Report', 'indus', null, 0],
      ['Event Report', 'indus', null, 0],
      ['Event Report', 'indus', types, 0],
      // what is still to come is left out
      ['Observation Report', 'indus', null, 0],
      ['Trip Report', 'punjab', null, 0],
    ])
  })

  test('and every call says so in the documents’ words', async () => {
    const body = { things: [imeiOf(1)], groups: [], ...range }
    const call = { params, token: top, body }
    const answers = await Promise.all([
      server.answer('requestReport', call),
      server.answer('requestDistanceReport', call),
      server.answer('requestPowerReport', call),
      server.answer('requestTemperatureReport', call),
      server.answer('requestObservationReport', {
        ...call,
        body: { vehicels: [imeiOf(1)], interval: range },
      }),
      server.answer('requestTripReport', { query: { token: 'x', companyId: 'indus' }, token: top, body }),
    ])
    const words = 'Your report is being generated. Please check log section.'
    expect(answers.map(({ message }) => message)).toEqual(answers.map(() => words))
  })

  test('twice within seconds it is one; later, or by another, it is another', async () => {
    const ask = (token: string) =>
      server.answer('requestPowerReport', {
        params: { groupId: 'punjab', companyId: 'indus' },
        token,
        body: { things: [imeiOf(1)], groups: [], ...range },
      })
    const [first, second] = await Promise.all([ask(top), ask(top)])
    expect(second._id).toBe(first._id)
    expect((await ask(child))._id).not.toBe(first._id)
    server.clock.at += 10_001
    expect((await ask(top))._id).not.toBe(first._id)
    expect(requested()).toHaveLength(3)
  })

  const day = (from: number, to = START) => ({ startDate: from, endDate: to })
  test.each<[string, object, string]>([
    ['eventReport', { things: [] }, 'Please select at least one vehicle.'],
    ['eventReport', day(START, START - 1), 'Start date cannot be greater than end date'],
    ['eventReport', day(START + 1, START + 2), 'Start date cannot be in the future.'],
    ['eventReport', day(START - 40 * DAY), 'End date can be at most one month after the start'],
    ['pjpReport', day(START - 2 * DAY), 'Please select interval of maximum two days'],
    ['vehicleHistoryReport', day(START - DAY - 1), 'Please select interval of maximum 24 hours'],
    ['PerformanceReport', {}, 'Please select geofence'],
    ['PerformanceReport', { geofences: ['f1'] }, 'This report cannot be made'],
    ['toString', {}, 'This report cannot be made'],
  ])('%s of %j is refused: %s', async (reportType, changes, message) => {
    const body = { things: [imeiOf(1)], groups: [], ...range, reportType, ...changes }
    expect(await refusal('requestReport', { body })).toEqual([422, message])
    expect(requested()).toEqual([])
  })

  test('a limit of speed and a least distance are those that were said, or the documents’', async () => {
    const body = { things: [imeiOf(1)], groups: [], ...range }
    const ask = (reportType: string, fields = {}) =>
      server.answer('requestReport', { params, token: top, body: { ...body, reportType, ...fields } })
    await ask('OverSpeedingVehiclesReport')
    await ask('OverSpeedingVehiclesReport', { speed: 100 })
    await ask('vehicleTravelReport')
    await ask('vehicleTravelReportGraph', { minDistance: 0 })
    await ask('StoppageReport', { speed: 100 })
    expect(requested().map(({ kind, speed, minDistance }) => [kind, speed, minDistance])).toEqual([
      ['speeding', 80, null],
      ['speeding', 100, null],
      ['travel', undefined, 25],
      ['travel-graph', undefined, 0],
      ['stoppage', undefined, null],
    ])
    expect(
      await refusal('requestReport', {
        body: { ...body, reportType: 'OverSpeedingVehiclesReport', speed: 0.5 },
      }),
    ).toEqual([400, expect.stringContaining('speed')])
  })

  test('pjp two calendar days and a history of a whole day are no refusal', async () => {
    const body = { things: [imeiOf(1)], groups: [], ...range }
    await server.answer('requestReport', { params, token: top, body: { ...body, reportType: 'pjpReport' } })
    await server.answer('requestReport', {
      params,
      token: top,
      body: { ...body, reportType: 'vehicleHistoryReport' },
    })
    expect(requested().map(({ kind }) => kind)).toEqual(['trip', 'observation'])
  })
})

const ask = async (groupId: string, token: string) =>
  server.answer('requestPowerReport', {
    params: { groupId, companyId: 'indus' },
    token,
    body: { things: [], groups: [groupId], ...range },
  })

describe('the log', () => {
  test('shows a group and all below it, newest first, from Pending to a link', async () => {
    const { _id: id } = await ask('punjab', top)
    await ask('sindh', top)
    const log = () => server.answer('companyReports', { params, token: top })
    expect((await log()).map(({ reportType, status }) => [reportType, status])).toEqual([
      ['Power Report', 'requested'],
      ['Power Report', 'requested'],
    ])
    expect(await server.answer('reportLog', { params: { companyId: 'indus' }, token: child })).toMatchObject([
      { _id: id, isCompleted: false, url: null, progress: 0, requestedBy: 'ayesha Malik', files: [] },
    ])
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const [, entry] = await log()
    expect(entry).toMatchObject({
      ...{
        isCompleted: true,
        status: 'completed',
        progress: 1,
        fileName: 'März "1".xlsx',
        size: `${id} 0`.length,
      },
      dateFrom: new Date(START - DAY).toISOString(),
      ...{ type: 'powerReport', reportType: 'Power Report' },
      selection: { groups: ['punjab'], groupCount: 1, devices: [], deviceCount: 0 },
    })
    expect(entry?.files).toHaveLength(2)
  })

  test('is answered whole, or the page of it that is asked for, however long it is', async () => {
    const { _id: id } = await ask('punjab', top)
    const [data] = requested()
    if (data === undefined) throw new Error('nothing was asked for')
    await append(
      ...Array.from(
        { length: 250 },
        (_, i): NewFact => ({
          ...origin,
          type: 'report.requested',
          data: { ...data, reportId: `r-${i}`, groupId: i % 2 === 0 ? 'punjab' : 'sindh' },
        }),
      ),
    )
    const log = async (token: string, query = {}) =>
      (await server.answer('reportLog', { params: { companyId: 'indus' }, query, token })).map(
        ({ _id }) => _id,
      )
    const all = await log(top)
    expect([all.length, all[0], all.at(-1)]).toEqual([251, 'r-249', id])
    expect(await log(top, { skip: 0, limit: 20 })).toEqual(all.slice(0, 20))
    expect(await log(top, { skip: 240 })).toEqual(all.slice(240))
    expect(await log(top, { limit: 5000 })).toEqual(all.slice(0, 100))
    const below = await log(child)
    expect(below).toHaveLength(126)
    expect(await log(child, { skip: 3, limit: 2 })).toEqual(below.slice(3, 5))
    const ofGroup = await server.answer('companyReports', {
      params,
      query: { skip: 1, limit: 2 },
      token: top,
    })
    expect(ofGroup.map(({ _id }) => _id)).toEqual(all.slice(1, 3))
  })

  test('ends a whole day at its last millisecond, and names what was chosen as far as the reader sees it', async () => {
    const midnight = START - (START % DAY)
    const things = [1, 2, 3].map(imeiOf)
    const body = { things, groups: ['sindh', 'punjab'], startDate: midnight - DAY, endDate: midnight - 1 }
    const at = { groupId: 'punjab', companyId: 'indus' }
    await server.answer('requestDistanceReport', { params: at, token: top, body })
    const [entry] = await server.answer('companyReports', { params: at, token: top })
    expect(entry).toMatchObject({
      dateFrom: new Date(midnight - DAY).toISOString(),
      dateTo: new Date(midnight - 1).toISOString(),
      type: 'distanceReport',
      selection: { groups: ['sindh', 'punjab'], groupCount: 2, deviceCount: 3 },
    })
    expect(entry?.selection?.devices).toHaveLength(3)
    const [seenBelow] = await server.answer('companyReports', { params: at, token: child })
    expect(seenBelow?.selection).toMatchObject({ groups: ['punjab'], groupCount: 2, deviceCount: 3 })
    expect(seenBelow?.selection?.devices).toEqual(['LES-1', 'LES-2'])
  })

  test('tells a Power Report of a schedule from one that somebody asked for', async () => {
    await ask('indus', top)
    const [data] = requested()
    if (data === undefined) throw new Error('nothing was asked for')
    const scheduled = { ...data, reportId: 'r-s', scheduleId: 's1' }
    await append({ ...origin, type: 'report.requested', data: scheduled })
    const entries = await server.answer('companyReports', { params, token: top })
    expect(entries.map(({ reportType, type }) => [reportType, type])).toEqual([
      ['Power Report', 'POWER_REPORT'],
      ['Power Report', 'powerReport'],
    ])
  })

  test('leads to each file, for whoever holds the link, for some hours', async () => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const links = async () =>
      (await server.answer('companyReports', { params, token: top }))[0]?.files?.map(({ url }) => url) ?? []
    const [book = '', chart = ''] = await links()
    const got = await server.app.inject(book)
    expect([got.statusCode, got.body]).toEqual([200, `${id} 0`])
    expect(got.headers).toMatchObject({
      'content-type': 'application/x-book',
      'content-disposition': `attachment; filename="M_rz _1_.xlsx"; filename*=UTF-8''M%C3%A4rz%20%221%22.xlsx`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    expect((await server.app.inject(chart)).body).toBe(`${id} 1`)
    expect((await server.app.inject(book.replace(id, 'r-other'))).statusCode).toBe(404)
    expect((await server.app.inject(chart.replace('file=1', 'file=0'))).statusCode).toBe(404)
    server.clock.at += 4 * HOUR
    expect((await server.app.inject(book)).statusCode).toBe(410)
    top = (await server.signIn('ayesha')).access_token
    expect((await server.app.inject((await links())[0] ?? '')).statusCode).toBe(200)
  })

  test('is read once for those who fetch it at a time, and not for its head', async () => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const [{ url = '' } = {}] = await server.answer('companyReports', { params, token: top })
    const fetched = (method: 'GET' | 'HEAD') => server.app.inject({ method, url: url ?? '' })
    const { statusCode, headers, body } = await fetched('HEAD')
    expect([statusCode, headers['content-length'], body]).toEqual([200, `${id} 0`.length.toString(), ''])
    expect(headers['content-disposition']).toContain('M_rz _1_.xlsx')
    expect(read).toEqual([])
    const all = await Promise.all(Array.from({ length: 5 }, () => fetched('GET')))
    expect(all.map((one) => one.body)).toEqual(Array(5).fill(`${id} 0`))
    expect(read).toEqual([`${id}.0`])
  })

  test('is fetched so often a minute by one address', async () => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const [{ url = '' } = {}] = await server.answer('companyReports', { params, token: top })
    const statuses = new Map<number, number>()
    for (let i = 0; i < 301; i++) {
      const { statusCode } = await server.app.inject({ method: 'HEAD', url: url ?? '' })
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [200, 300],
      [429, 1],
    ])
  })

  test('says so where what is kept is not what was made', async () => {
    const { _id: id } = await ask('punjab', top)
    const kept: [string, string] = [`${id} a`, `${id} b`]
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id, kept))
    const [{ url = '' } = {}] = await server.answer('companyReports', { params, token: top })
    const got = await server.app.inject(url ?? '')
    expect([got.statusCode, got.json().message]).toEqual([
      410,
      'The file is damaged or missing on the server: request the report again',
    ])
  })

  test('says so once a file is dropped', async () => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    server.clock.at += 90 * DAY
    const token = (await server.signIn('ayesha')).access_token
    expect(await server.answer('companyReports', { params, token })).toMatchObject([
      { isCompleted: true, url: null, reason: 'The file was dropped after 90 days' },
    ])
  })

  test('one that failed says why, and is made again when somebody asks', async () => {
    const { _id: id } = await ask('punjab', top)
    const retry = (token: string) => server.ask('retryReport', { params: { id }, token })
    expect((await retry(top)).statusCode).toBe(409)
    await append(
      { ...origin, type: 'report.started', data: { reportId: id } },
      { ...origin, type: 'report.failed', data: { reportId: id, reason: 'The disk is full' } },
    )
    const log = () => server.answer('companyReports', { params, token: top })
    expect(await log()).toMatchObject([{ status: 'failed', isCompleted: false, reason: 'The disk is full' }])
    expect((await retry(child)).statusCode).toBe(202)
    expect(await log()).toMatchObject([{ status: 'requested', reason: null }])
  })
})

describe('a report that nobody wants any more', () => {
  const log = () => server.answer('companyReports', { params, token: top })
  const cancel = async (id: string, token: string) => {
    const answer = await server.ask('cancelReport', { params: { id }, token })
    return [answer.statusCode, answer.json().message]
  }

  test('is cancelled once, and the log says by whom', async () => {
    const { _id: id } = await ask('punjab', top)
    expect(await cancel(id, child)).toEqual([200, 'The report is cancelled'])
    expect(await log()).toMatchObject([
      { status: 'cancelled', cancelledBy: 'danish Malik', isCompleted: false, url: null, files: [] },
    ])
    expect(await cancel(id, top)).toEqual([409, 'The report was cancelled by danish Malik already'])
  })

  test('is not found by who does not see it, and stays where it is made', async () => {
    const { _id: id } = await ask('indus', top)
    expect(await cancel(id, child)).toEqual([404, 'Not found'])
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    expect(await cancel(id, top)).toEqual([409, 'The report is completed already'])
    expect((await log())[0]?.files).toHaveLength(2)
  })
})

describe('a file with its seal', () => {
  test('is a ZIP of the bytes as they were made, which anybody can verify offline', async () => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const [{ files = [] } = {}] = await server.answer('companyReports', { params, token: top })
    await server.signRecord()
    const [{ url = '', sealedUrl = '' } = {}, chart] = files
    const answer = await server.app.inject(sealedUrl)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    expect(answer.headers['content-disposition']).toContain('M_rz _1_.xlsx.zip')
    const given = Object.entries(unzipSync(answer.rawPayload)).map(([name, bytes]) => ({ name, bytes }))
    expect(given.map(({ name }) => name)).toEqual(['März "1".xlsx', 'März "1".xlsx.seal.json'])
    expect(Buffer.from(given[0]?.bytes ?? [])).toEqual((await server.app.inject(url)).rawPayload)
    const { keys } = await server.answer('sealKeys')
    const { results } = await verifyFiles(NODE_CRYPTO, given, keys)
    expect(results).toMatchObject([{ name: 'März "1".xlsx', is: 'genuine', file: { reportId: id } }])
    expect((await server.app.inject(`${chart?.sealedUrl}`.replace('file=1', 'file=0'))).statusCode).toBe(404)
  })
})

describe('a file with its seal, before it is signed', () => {
  beforeEach(() => {
    vi.spyOn(timers, 'setTimeout').mockImplementation(async (_, value) => value)
    syncBuiltinESMExports()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })

  test.each(['GET', 'HEAD'] as const)('is refused, asked for by %s', async (method) => {
    const { _id: id } = await ask('punjab', top)
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    const [{ files = [] } = {}] = await server.answer('companyReports', { params, token: top })
    const download = () => server.app.inject({ method, url: files[0]?.sealedUrl ?? '' })
    expect((await download()).statusCode).toBe(409)
    await server.signRecord()
    expect((await download()).statusCode).toBe(200)
  })
})

describe('a report that lacks readings which came later', () => {
  const outdated = (reportId: string, readings = 7): NewFact => ({
    ...origin,
    type: 'report.outdated',
    data: { reportId, readings, upTo: 1_000_000 },
  })
  const log = () => server.answer('companyReports', { params, token: top })

  test('says how many, and is made once more, whoever asks twice', async () => {
    const { _id: id } = await ask('punjab', top)
    const make = (token: string) => server.ask('makeReportVersion', { params: { id }, token })
    await append({ ...origin, type: 'report.started', data: { reportId: id } }, completed(id))
    expect((await make(top)).statusCode).toBe(409)
    expect((await log())[0]).not.toHaveProperty('outdated')
    await append(outdated(id))
    expect(await log()).toMatchObject([{ outdated: { readings: 7, nextVersion: 2 } }])

    const made = await make(child)
    expect(made.statusCode).toBe(202)
    const { _id: second } = made.json()
    expect((await make(top)).json()).toMatchObject({ _id: second })
    const [next, first] = await log()
    expect(next).toMatchObject({ _id: second, status: 'requested', version: 2, versions: 2 })
    expect(first).toMatchObject({ _id: id, status: 'completed', version: 1, versions: 2 })
    expect(first).not.toHaveProperty('outdated')
    expect([next?.dateFrom, next?.dateTo, next?.selection]).toEqual([
      first?.dateFrom,
      first?.dateTo,
      first?.selection,
    ])

    await append({ ...origin, type: 'report.started', data: { reportId: second } }, completed(second))
    const files = (await log()).map(({ files }) => files?.[0]?.url ?? '')
    const bodies = await Promise.all(files.map(async (url) => (await server.app.inject(url)).body))
    expect(bodies).toEqual([`${second} 0`, `${id} 0`])
  })

  test('is not found by who does not see it', async () => {
    const { _id: id } = await ask('indus', top)
    await append(completed(id), outdated(id))
    const answer = await server.ask('makeReportVersion', { params: { id }, token: child })
    expect(answer.statusCode).toBe(404)
  })
})

describe('schedules', () => {
  const right = {
    groups: ['punjab'],
    vehicles: [imeiOf(1)],
    interval: 'Daily',
    emails: [' ops@indus.example', 'ops@indus.example'],
    reportTypes: ['POWER_REPORT'],
    speed: 80,
  }
  const list = () => server.answer('schedules', { params: { companyId: 'indus' }, token: top })

  test('are made, listed, changed and deleted', async () => {
    const reportTypes = ['OverSpeedingVehiclesReport']
    const made = await server.answer('scheduleReport', { token: child, body: { ...right, reportTypes } })
    expect(await list()).toEqual([made])
    expect(made).toMatchObject({
      company: 'indus',
      groups: [{ _id: 'punjab', name: 'punjab' }],
      vehicles: [{ _id: imeiOf(1), plateNumber: 'LES-1' }],
      emails: ['ops@indus.example'],
      speed: 80,
    })
    const page = (query: Record<string, number>) =>
      server.answer('schedules', { params: { companyId: 'indus' }, query, token: top })
    const other = await server.answer('scheduleReport', { token: child, body: right })
    expect(await page({ skip: 0, limit: 1 })).toEqual([made])
    expect(await page({ skip: 1 })).toEqual([other])
    await server.answer('deleteSchedule', { params: { id: other._id }, token: top })
    const id = { params: { id: made._id } }
    const body = { ...right, interval: 'Weekly' }
    expect(await server.answer('updateSchedule', { ...id, token: top, body })).toMatchObject({
      _id: made._id,
      interval: 'Weekly',
    })
    expect((await list())[0]).not.toHaveProperty('speed')
    expect(await server.answer('deleteSchedule', { ...id, token: top })).toEqual({
      message: 'Report Schedule Deleted',
    })
    expect(await list()).toEqual([])
  })

  test('are made by an address so often a minute', async () => {
    const make = () => server.ask('scheduleReport', { token: top, body: { ...right, emails: [] } })
    const statuses = await Promise.all(Array.from({ length: 61 }, make))
    // of those at once any may be the one too many
    expect(statuses.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(60).fill(422), 429])
  })

  test('that somebody else changed meanwhile are not changed of what they were', async () => {
    const { _id, version } = await server.answer('scheduleReport', { token: top, body: right })
    const of = (changes: object) => ({
      params: { id: _id },
      ...{ token: top, headers: { 'if-match': `"${version}"` }, body: { ...right, ...changes } },
    })
    expect((await server.ask('updateSchedule', of({ interval: 'Weekly' }))).statusCode).toBe(200)
    const late = await server.ask('updateSchedule', of({ emails: ['night@indus.example'] }))
    expect([late.statusCode, late.json().current]).toEqual([412, (await list())[0]])
    expect((await list())[0]).toMatchObject({ interval: 'Weekly', emails: ['ops@indus.example'] })
  })

  test('name only groups and vehicles that are there and in scope', async () => {
    const body = { ...right, groups: ['punjab', 'lahore'], vehicles: [imeiOf(1), imeiOf(2)] }
    const { _id } = await server.answer('scheduleReport', { token: child, body })
    const named = async (token: string) => {
      const [schedule] = await server.answer('schedules', { params: { companyId: 'indus' }, token })
      return [schedule?.groups.map((group) => group._id), schedule?.vehicles.map((vehicle) => vehicle._id)]
    }
    await append({ ...origin, type: 'group.updated', data: { groupId: 'lahore', parentId: 'sindh' } })
    expect(await named(child)).toEqual([['punjab'], [imeiOf(1)]])
    expect(await named(top)).toEqual([body.groups, body.vehicles])
    const changed = await server.answer('updateSchedule', { params: { id: _id }, token: child, body })
    expect(changed).toMatchObject({ groups: [{ _id: 'punjab' }], vehicles: [{ _id: imeiOf(1) }] })
    await append({ ...origin, type: 'device.retired', data: { no: 1, imei: imeiOf(1) } })
    expect(await named(top)).toEqual([['punjab'], []])
  })

  test('lacking something are refused in the words of the form, each field told', async () => {
    const body = { groups: [], vehicles: [], emails: [], reportTypes: [] }
    const answer = await server.ask('scheduleReport', { token: top, body })
    expect([answer.statusCode, answer.json().message]).toEqual([422, 'Please select at least one group.'])
    expect(answer.json().errors.map(({ path }: { path: string }) => path)).toEqual([
      'groups',
      'vehicles',
      'emails',
      'interval',
      'reportTypes',
    ])
    const unmade = await server.ask('scheduleReport', {
      token: top,
      body: { ...right, reportTypes: ['OilChangeReport'] },
    })
    expect(unmade.json()).toMatchObject({
      code: 422,
      message: 'Oil Change Report cannot be scheduled: needs oil changes, which nobody tells Frostline of.',
    })
    expect(await list()).toEqual([])
  })

  test('of all groups and vehicles are kept as that word, whatever there is by then', async () => {
    const body = { ...right, groups: [], vehicles: [], allGroups: true, allVehicles: true }
    const made = await server.answer('scheduleReport', { token: child, body })
    expect(made).toMatchObject({ groups: [], vehicles: [], allGroups: true, allVehicles: true })
    const id = { params: { id: made._id } }
    const some = await server.answer('updateSchedule', { ...id, token: child, body: right })
    expect(some).toMatchObject({ groups: [{ _id: 'punjab' }], vehicles: [{ _id: imeiOf(1) }] })
    expect(some).not.toHaveProperty('allVehicles')
  })

  const travel = { reportTypes: ['vehicleTravelReport'], startTime: '08:00', endTime: '17:30' }
  test('every type that can be made is taken, with its own fields', async () => {
    for (const reportTypes of [
      ['AlarmReport', 'TripDetailReport', 'distanceReport', 'ViolationReport', 'violationsGraph'],
      ['VehiclesNotRespondingReport', 'vehicleStatusReport', 'StoppageReport', 'OverSpeedingVehiclesReport'],
    ])
      expect(
        await server.answer('scheduleReport', { token: top, body: { ...right, reportTypes } }),
      ).toMatchObject({
        reportTypes,
      })
    const body = { ...right, ...travel, vehicleTravelDistance: 0 }
    expect(await server.answer('scheduleReport', { token: top, body })).toMatchObject({
      ...{ startTime: '08:00', endTime: '17:30', vehicleTravelDistance: 0 },
    })
  })

  test.each<[object, number, string, string]>([
    [{ reportTypes: ['OverSpeedingVehiclesReport'], speed: 79.5 }, 422, 'speed', 'whole speed of 1 to 200'],
    [{ reportTypes: ['OverSpeedingVehiclesReport'], speed: 201 }, 400, 'speed', 'between 1 and 200'],
    [{ ...travel, startTime: '8:00' }, 400, 'startTime', 'startTime'],
    [{ ...travel, startTime: undefined }, 422, 'startTime', 'Please select start time.'],
    [{ ...travel, endTime: '08:00' }, 422, 'endTime', 'End time must be after start time.'],
    [{ ...travel, vehicleTravelDistance: -1 }, 400, 'vehicleTravelDistance', 'between 0 and'],
    [{ allVehicles: 'yes' }, 400, 'allVehicles', 'boolean'],
  ])('%j is refused: %s at %s', async (changes, status, path, words) => {
    const answer = await server.ask('scheduleReport', { token: top, body: { ...right, ...changes } })
    expect(answer.statusCode).toBe(status)
    expect(answer.json().message).toContain(words)
    expect(JSON.stringify(answer.json())).toContain(path)
    expect(await list()).toEqual([])
  })
})
