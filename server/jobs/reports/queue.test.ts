import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { importFileName } from '../../store/report-files.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { openReportApp, START } from './testing/report-app.ts'
import { DEATH } from './testing/worker.ts'

const DAY = 86_400_000
/** A thread takes its time to start where others are at work. */
const until = (condition: () => unknown) => vi.waitUntil(condition)

async function openQueue(options: Parameters<typeof openReportApp>[0] = {}) {
  const opened = await openReportApp(options)
  onTestFinished(() => opened.close())
  return opened
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-reports-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('a hundred asked for at once are made one at a time, in the order they were asked for', async () => {
  const { request, queue, published, reports } = await openQueue()
  const names = Array.from({ length: 100 }, (_, i) => `r${i}`)
  await request(...names.map((name) => `Report ${name}`))
  expect(queue.stats().waiting).toBe(100)
  await queue.settled()
  expect(published().slice(100)).toEqual(names.flatMap((name) => [`started ${name}`, `completed ${name}`]))
  expect([...reports.values()].every(({ status }) => status === 'completed')).toBe(true)
  expect(queue.stats()).toEqual({ waiting: 0, completed: 100, failed: 0 })
})

test('what is told of a file is what is kept', async () => {
  const { request, queue, fileFinder, reports } = await openQueue()
  await request('Power Report')
  await queue.settled()
  const bytes = (await fileFinder.file('r0', 0)) ?? new Uint8Array()
  expect(reports.get('r0')?.files).toEqual([
    {
      fileName: 'Power Report.json',
      contentType: 'application/json',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    },
  ])
  expect(await fileFinder.file('r0', 1)).toBeUndefined()
  expect(await fileFinder.file('r1', 0)).toBeUndefined()
})

test('it is of what the log held when it was asked for, whatever came since', async () => {
  const { request, queue, text, store, readModels, clock } = await openQueue({ begins: false })
  await request('before')
  await store.log.append('device-1', [
    {
      type: 'device.updated',
      at: clock.now(),
      companyId: 'indus',
      data: { imei: '350000000000001', name: 'Renamed since' },
    },
  ])
  await readModels.settled(store.log.head())
  queue.begin()
  await queue.settled()
  expect(await text('r0')).not.toContain('Renamed since')
  expect(await text('r0')).toContain('"name":"Reefer 1"')
})

test.each([
  ['throws', 'Something went wrong while it was made'],
  ['is refused', 'It would have more rows than a sheet'],
  ['dies', 'The report worker ended before it was done'],
  ['has a name too long for a file', 'Something went wrong while it was made'],
])(
  'one that %s fails with a reason people can read; the next is made, and it may be tried again',
  async (title, reason) => {
    const { request, queue, reports, retry, published } = await openQueue()
    await request(title, 'next')
    await queue.settled()
    expect(reports.get('r0')).toMatchObject({ status: 'failed', reason })
    expect(reports.get('r1')?.status).toBe('completed')
    expect(await retry('r1')).toMatchObject({ refused: { status: 409 } })
    await retry('r0')
    await queue.settled()
    expect(published().slice(2)).toEqual([
      ...['started r0', 'failed r0', 'started r1', 'completed r1'],
      ...['retried r0', 'started r0', 'failed r0'],
    ])
  },
)

test('a store that cannot answer for a moment fails no report: neither one being read for nor one being kept', async () => {
  const { request, queue, store, files, reports, warnings } = await openQueue({ begins: false })
  const lost = () => new StoreUnavailable('the connection was lost')
  const read = vi.spyOn(store.telemetry, 'packed').mockRejectedValueOnce(lost())
  const kept = vi.spyOn(files, 'put').mockRejectedValueOnce(lost())
  await request('whole')
  queue.begin()
  await queue.settled()
  expect(reports.get('r0')).toMatchObject({ status: 'completed', starts: 1 })
  expect(await files.get('r0.0')).toBeDefined()
  expect(kept).toHaveBeenCalledTimes(2)
  expect(read.mock.calls.length).toBeGreaterThan(1)
  expect(warnings).toEqual([expect.stringMatching(/^report r0 waits for the store: .*connection was lost/)])
})

test('one that the store never answers for fails, the next is made, and operators read why', async () => {
  const { request, queue, store, reports, warnings } = await openQueue({ begins: false, patienceMs: 0 })
  const packed = store.telemetry.packed
  vi.spyOn(store.telemetry, 'packed').mockImplementation((...args) =>
    reports.get('r0')?.status === 'failed'
      ? packed(...args)
      : Promise.reject(new StoreUnavailable('the disk is full')),
  )
  await request('damaged', 'next')
  queue.begin()
  await queue.settled()
  const reason = 'The store did not answer for 0 min. Try again later.'
  expect(reports.get('r0')).toMatchObject({ status: 'failed', reason })
  expect(reports.get('r1')).toMatchObject({ status: 'completed' })
  expect(warnings).toEqual([expect.stringMatching(/^report r0 waits for the store: .*the disk is full/)])
})

test.each([
  ['begun', 'report.start r0', []],
  ['said to be done, or to have failed', 'report.complete r0', ['started r0']],
])(
  'one that cannot be %s holds up no other, nor compaction, and is made a minute later',
  async (_, command, begun) => {
    const first = await openQueue({ begins: false })
    const hold = vi.spyOn(first.store.telemetry, 'hold')
    for (const each of [command, 'report.fail r0']) first.refused.add(each)
    await first.request('whole', 'next', 'last')
    first.queue.begin()
    await first.queue.settled()
    expect(first.published().slice(3)).toEqual([
      ...begun,
      ...['started r1', 'completed r1', 'started r2', 'completed r2'],
    ])
    expect(first.queue.stats()).toEqual({ waiting: 1, completed: 2, failed: 0 })
    expect(first.warnings.at(-1)).toBe(
      'what became of the report cannot be said of r0, trying again in a minute: RangeError: not such a fact',
    )
    expect(hold.mock.lastCall).toEqual([undefined])
    first.refused.clear()
    first.uptime.at = 60_000
    await until(() => first.reports.get('r0')?.status === 'completed')
    expect(first.published().slice(-2)).toEqual(['started r0', 'completed r0'])
  },
)

test('one that is being made and is cancelled is left at once, and the next is made; one that waits is never begun', async () => {
  const { request, queue, progress, published, cancel, reports, warnings, store } = await openQueue()
  const hold = vi.spyOn(store.telemetry, 'hold')
  await request('waits', 'waits', 'whole')
  await until(() => progress.of('r0') === 0.5)
  await cancel('r1')
  await cancel('r0')
  await queue.settled()
  expect(published().slice(3)).toEqual([
    'started r0',
    'cancelled r1',
    'cancelled r0',
    'started r2',
    'completed r2',
  ])
  expect(await cancel('r2')).toMatchObject({ refused: { status: 409 } })
  expect(reports.get('r0')).toMatchObject({ status: 'cancelled', cancelledBy: 'ayesha Malik' })
  expect(queue.stats()).toEqual({ waiting: 0, completed: 1, failed: 0 })
  expect([warnings, hold.mock.lastCall]).toEqual([[], [undefined]])
})

test('one that another node was told to cancel while its file was written leaves no file, and is not completed', async () => {
  const dir = await folder()
  const { request, queue, published, store, files, fileFinder } = await openQueue({ dir, begins: false })
  const { put } = files
  vi.spyOn(files, 'put').mockImplementationOnce(async (...file) => {
    await put(...file)
    const data = { reportId: 'r0', cancelledBy: 'Danish' }
    await store.log.append('reports-indus', [
      { type: 'report.cancelled', at: START, companyId: 'indus', by: 'u2', data },
    ])
  })
  await request('whole', 'next')
  queue.begin()
  await queue.settled()
  expect(published().slice(2)).toEqual(['started r0', 'cancelled r0', 'started r1', 'completed r1'])
  expect(await readdir(join(dir, 'reports'))).toEqual(['r1.0'])
  expect(await fileFinder.file('r0', 0)).toBeUndefined()
  expect(queue.stats()).toEqual({ waiting: 0, completed: 1, failed: 0 })
})

test('what was written of one that was cancelled goes with the next start, where its node ended', async () => {
  const dir = await folder()
  const first = await openReportApp({ dir, begins: false })
  await first.request('whole')
  await first.cancel('r0')
  await first.files.put('r0.0', new Uint8Array(3))
  await first.close()
  await openQueue({ dir, begins: false })
  await until(async () => (await readdir(join(dir, 'reports'))).length === 0)
})

test('a thread that dies between two reports is replaced', async () => {
  const gone = new Promise((resolve) => process.once('worker', (thread) => thread.once('exit', resolve)))
  const { request, queue, published } = await openQueue()
  await request('dies after it')
  await queue.settled()
  const channel = new BroadcastChannel(DEATH)
  channel.postMessage('now')
  await gone
  channel.close()
  await request('next')
  await queue.settled()
  expect(published().filter((line) => !line.startsWith('requested'))).toEqual([
    ...['started r0', 'completed r0'],
    ...['started r0', 'completed r0'],
  ])
})

test.each([
  [
    'cut short',
    (file: string) => truncate(file, 5),
    /^report file r0.0 \("whole.json"\) is damaged: 5 of \d+ bytes/,
  ],
  ['written over', (file: string) => writeFile(file, 'x', { flag: 'r+' }), /is damaged/],
  ['removed', (file: string) => rm(file), /^report file r0.0 \("whole.json"\) is missing/],
])(
  'a file that was %s is not handed out, and operators read of it; the others are',
  async (_, harm, warning) => {
    const dir = await folder()
    const { request, queue, fileFinder, warnings } = await openQueue({ dir })
    await request('whole', 'other')
    await queue.settled()
    await harm(join(dir, 'reports', 'r0.0'))
    expect(await fileFinder.file('r0', 0)).toBeUndefined()
    expect(await fileFinder.file('r1', 0)).toBeDefined()
    expect(warnings).toEqual([expect.stringMatching(warning)])
  },
)

test('operators read of what is no fault of who requested it', async () => {
  const { request, queue, warnings } = await openQueue()
  await request('throws', 'is refused')
  await queue.settled()
  expect(warnings).toEqual([
    expect.stringMatching(/^report r0 failed: TypeError: undefined is not a function/),
  ])
})

test('how far it is can be asked, and is told while it is made', async () => {
  const { request, progress } = await openQueue()
  const heard: string[] = []
  progress.onProgress(({ reportId }) => heard.push(`${reportId} ${progress.of(reportId)}`))
  await request('waits', 'next')
  await until(() => progress.of('r0') === 0.5)
  // the place of each that waits changes when another's turn has come
  expect(new Set(heard)).toEqual(new Set(['r0 0', 'r1 undefined', 'r0 0.5']))
  expect(progress.of('r1')).toBeUndefined()
})

test('cut off by the end of the server it is made by the next, once, and is the same', async () => {
  const dir = await folder()
  const first = await openReportApp({ dir, begins: false })
  await first.request('whole', 'waits', 'last')
  first.queue.begin()
  await until(() => first.progress.of('r1') === 0.5)
  await first.close()
  const second = await openQueue({ dir, begins: false })
  expect(second.published().slice(3)).toEqual(['started r0', 'completed r0', 'started r1'])
  second.queue.begin()
  await until(() => second.progress.of('r1') === 0.5)
  expect(second.published().slice(3)).toEqual(['started r0', 'completed r0', 'started r1', 'started r1'])
  expect(await second.text('r0')).toContain('"title":"whole"')
})

test('one that is cut off again and again is given up, so that the next has its turn; it may be tried again', async () => {
  const dir = await folder()
  for (let starts = 1; starts <= 5; starts++) {
    const cutOff = await openReportApp({ dir, begins: false })
    if (starts === 1) await cutOff.request('waits', 'next')
    cutOff.queue.begin()
    await until(() => cutOff.progress.of('r0') === 0.5)
    await cutOff.close()
  }
  const last = await openQueue({ dir })
  await last.queue.settled()
  expect(last.reports.get('r0')).toMatchObject({
    status: 'failed',
    reason: 'It was begun five times and never finished, as the server ended each time',
  })
  expect(last.reports.get('r1')?.status).toBe('completed')
  await last.retry('r0')
  expect(last.reports.get('r0')).toMatchObject({ status: 'requested', starts: 0 })
})

test('files are dropped after ninety days, and with them what a power cut left of one, or a report that failed', async () => {
  const dir = await folder()
  const first = await openReportApp({ dir })
  await first.request('old', 'throws')
  await first.queue.settled()
  expect(first.reports.get('r1')?.status).toBe('failed')
  first.clock.at = START + 90 * DAY - 1
  expect(await first.fileFinder.file('r0', 0)).toBeDefined()
  first.clock.at = START + 90 * DAY
  expect(await first.fileFinder.file('r0', 0)).toBeUndefined()
  const importing = importFileName('a-b', START + 1)
  for (const name of ['r1.0', 'r9.0.part', importing, importFileName('a-c', START), `${importing}.part`])
    await writeFile(join(dir, 'reports', name), 'half a f')
  await first.close()
  await openQueue({ dir, begins: false })
  // the clock of this one stands at the start again: the file is good, those of the report that failed and the half ones
  // are nobody's, and one list of devices is still being imported
  await until(async () => (await readdir(join(dir, 'reports'))).length <= 2)
  expect(await readdir(join(dir, 'reports'))).toEqual([importing, 'r0.0'])
})
