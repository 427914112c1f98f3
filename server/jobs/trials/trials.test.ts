import { setImmediate as breath } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { alone } from '../../cluster/alone.ts'
import { trialFileName, trialFileNameBefore } from '../../store/report-files.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { company, device, group } from '../../testing/facts.ts'
import { createTrials, type KeptTrial, TrialsFull } from './trials.ts'

const NOW = Date.UTC(2026, 5, 15)
const DAY = 86_400_000
const clock = { now: () => NOW }
const CANDIDATE = { low: 2, high: 8, delaySeconds: 60, margin: 0.5 }

/** All nodes were started anew: of what was tried there are the files alone. */
function startedAnew() {
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  const store = openSqliteStore({ dir: ':memory:', clock })
  const opened: string[] = []
  const { get } = cluster.files
  const files = {
    ...cluster.files,
    get(name: string) {
      opened.push(name)
      return get(name)
    },
  }
  const trials = createTrials({
    ...{ store, directory: emptyDirectory(), clock, cluster: { ...cluster, files } },
    report: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(async () => {
    await trials.stop()
    await store.close()
  })
  const keep = async (companyId: string, n: number, nameOf: typeof trialFileName = trialFileName) => {
    const _id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}-${NOW + n * DAY}`
    const iso = new Date(NOW).toISOString()
    const figures = { episodes: 0, devices: 0, minutesOut: 0, told: 0, atNight: 0, floods: 0 }
    const kept: KeptTrial = {
      companyId,
      trial: {
        ...{ _id, groupId: 'g', quantity: 'temperature', from: iso, to: iso, startedAt: iso, userName: '' },
        ...{ candidates: [CANDIDATE], inForce: CANDIDATE, state: 'done', reason: null, done: 1, of: 1 },
      },
      result: { readings: 0, seconds: 0, inForce: figures, candidates: [], devices: [] },
    }
    await files.put(nameOf(companyId, _id), new TextEncoder().encode(JSON.stringify(kept)))
    return _id
  }
  return { trials, keep, opened, files, values: cluster.values }
}

const nameBefore: typeof trialFileName = (_, id) => trialFileNameBefore(id)

test.each([
  ['now', trialFileName],
  ['before', nameBefore],
])('a company has its own trials however many newer ones others have, by names of %s', async (_, nameOf) => {
  const { trials, keep } = startedAnew()
  const own = await keep('b', 1, nameOf)
  for (let n = 2; n < 22; n++) await keep('a', n, nameOf)
  expect((await trials.of('b', 'g')).map(({ _id }) => _id)).toEqual([own])
  expect((await trials.find('b', 'g', own))?._id).toBe(own)
  expect(await trials.find('a', 'g', own)).toBeUndefined()
  expect(await trials.of('a', 'g')).toHaveLength(20)
})

test('no file of another company is opened, and one whose name does not say whose it is only once', async () => {
  const { trials, keep, opened } = startedAnew()
  for (let n = 1; n < 4; n++) await keep('a', n)
  const before = await keep('a', 5, nameBefore)
  await trials.of('b', 'g')
  await trials.of('b', 'g')
  expect(opened).toEqual([trialFileName('b', before), trialFileNameBefore(before)])
  expect(await trials.of('a', 'g')).toHaveLength(4)
})

test('what is done stays so where another node wrote that it is still under way', async () => {
  const { trials, keep, values } = startedAnew()
  const [done, ended] = [await keep('a', 1), await keep('b', 2)]
  const [one] = await trials.of('a', 'g')
  const running = (_id: string) => ({ trial: { ...one, _id, state: 'running', done: 0 }, node: 'n' })
  await values.set('limits-trials.a', [running(done), running(ended)])
  const states = (await trials.of('a', 'g')).map(({ _id, state }) => [_id, state])
  expect(states).toEqual([
    [ended, 'failed'],
    [done, 'done'],
  ])
  expect(await trials.find('a', 'g', done)).toMatchObject({ state: 'done', done: 1 })
})

test('what was kept stays in the list when another is begun', async () => {
  const { trials, keep } = startedAnew()
  const kept = await keep('a', 3)
  const about = {
    groupId: 'g',
    quantity: 'temperature',
    candidates: [CANDIDATE],
    inForce: CANDIDATE,
  } as const
  const { _id } = await trials.begin(
    { ...about, candidates: [...about.candidates], from: NOW - DAY, to: NOW, things: ['350000000000001'] },
    { userId: 'u', userName: 'Ayesha', companyId: 'a' },
  )
  expect((await trials.of('a', 'g')).map((one) => one._id)).toEqual([_id, kept])
})

/** A company with one device, and how limits are tried on it. */
async function oneDevice() {
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  const store = openSqliteStore({ dir: ':memory:', clock })
  const imei = '350000000000001'
  const facts = [company('a'), group('g', 'a', null), device(0, imei, 'a', 'g')]
  const directory = emptyDirectory()
  const stored = await store.log.append('registry', facts)
  for (const fact of stored.facts) evolve(directory, fact)
  async function begin(deps: Pick<Parameters<typeof createTrials>[0], 'report' | 'patience'>) {
    const trials = createTrials({ store, directory, clock, cluster, ...deps })
    onTestFinished(async () => {
      await trials.stop()
      await store.close()
    })
    const about = { groupId: 'g', quantity: 'temperature', inForce: CANDIDATE } as const
    const beginNext = () =>
      trials.begin(
        { ...about, candidates: [CANDIDATE], from: NOW - DAY, to: NOW, things: [imei] },
        { userId: 'u', userName: 'Ayesha', companyId: 'a' },
      )
    const { _id } = await beginNext()
    return { trials, _id, beginNext }
  }
  return { cluster, store, begin }
}

/** Limits tried on one device, with a store that cannot be read for `fails` times. */
async function triedWhile(fails: number) {
  const { store, begin } = await oneDevice()
  const lost = () => Promise.reject(new StoreUnavailable('the connection was lost'))
  const read = vi.spyOn(store.telemetry, 'packed')
  for (let n = 0; n < fails; n++) read.mockImplementationOnce(lost)
  const reported: unknown[] = []
  const { trials, _id } = await begin({
    report: (error) => reported.push(String(error)),
    patience: { retryMs: 1, patienceMs: fails > 1 ? 0 : 60_000 },
  })
  await expect.poll(async () => (await trials.find('a', 'g', _id))?.state).not.toBe('running')
  return { trial: await trials.find('a', 'g', _id), reported }
}

test('a connection that is dropped once fails no trial', async () => {
  const { trial, reported } = await triedWhile(1)
  expect(trial).toMatchObject({ state: 'done', done: 1 })
  expect(reported).toEqual([expect.stringContaining('the connection was lost')])
})

test('a trial for which the store never answers fails, and says so', async () => {
  const { trial } = await triedWhile(9)
  expect(trial).toMatchObject({
    state: 'failed',
    reason: 'The store did not answer for 0 min. Try again later.',
  })
})

test('what came of a trial is the last word of it, however long the one before takes, and none waits for another', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { cluster, store, begin } = await oneDevice()
  const [readings, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { packed } = store.telemetry
  const reads = vi.spyOn(store.telemetry, 'packed').mockImplementation(async (...range) => {
    await readings.promise
    return packed(...range)
  })
  const { trials, _id } = await begin({ report: (error) => expect.unreachable(String(error)) })
  const { set } = cluster.values
  const sets = vi.spyOn(cluster.values, 'set').mockImplementationOnce(async (...value) => {
    await slow.promise
    await set(...value)
  })
  const kept = vi.spyOn(cluster.files, 'put')
  while (reads.mock.calls.length === 0) await breath()
  vi.advanceTimersByTime(5000)
  await breath()
  expect(sets).toHaveBeenCalledTimes(1)
  readings.resolve()
  while (kept.mock.calls.length === 0) await breath()
  for (let n = 0; n < 20; n++) await breath()
  slow.resolve()
  await trials.stop()
  expect(cluster.values.get('limits-trials.a')).toMatchObject([{ trial: { _id, state: 'done' } }])
})

test('what came of a trial while the store was away is put when it is back, and who cancels it does not wait for that', async () => {
  const { cluster, store, begin } = await oneDevice()
  vi.spyOn(store.telemetry, 'packed').mockReturnValue(new Promise(() => {}))
  const { trials, _id } = await begin({ report: () => {}, patience: { retryMs: 1 } })
  const away = vi
    .spyOn(cluster.values, 'set')
    .mockRejectedValue(new StoreUnavailable('the connection was lost'))
  await trials.cancel('a', _id)
  expect(await trials.find('a', 'g', _id)).toMatchObject({ state: 'cancelled' })
  away.mockRestore()
  await expect
    .poll(() => cluster.values.get('limits-trials.a'))
    .toMatchObject([{ trial: { _id, state: 'cancelled' } }])
})

test('the next trial of a company does not wait until what came of the one before is put', async () => {
  const { cluster, store, begin } = await oneDevice()
  vi.spyOn(store.telemetry, 'packed').mockReturnValue(new Promise(() => {}))
  const { trials, _id, beginNext } = await begin({ report: () => {}, patience: { retryMs: 1e9 } })
  const away = vi
    .spyOn(cluster.values, 'set')
    .mockRejectedValue(new StoreUnavailable('the connection was lost'))
  await trials.cancel('a', _id)
  await expect(beginNext()).rejects.toThrow(StoreUnavailable)
  away.mockRestore()
  const next = await beginNext()
  const states = async () => (await trials.of('a', 'g')).map((one) => [one._id, one.state])
  expect(await states()).toEqual([
    [next._id, 'running'],
    [_id, 'cancelled'],
  ])
  await expect(beginNext()).rejects.toThrow(TrialsFull)
  expect(await trials.find('a', 'g', _id)).toMatchObject({ state: 'cancelled' })
  expect(cluster.values.get('limits-trials.a')).toMatchObject([
    { trial: { _id, state: 'cancelled' } },
    { trial: { _id: next._id, state: 'running' } },
  ])
})

test('what came of a trial is put in its place where the next was begun meanwhile', async () => {
  const { cluster, store, begin } = await oneDevice()
  vi.spyOn(store.telemetry, 'packed').mockReturnValue(new Promise(() => {}))
  const { trials, _id, beginNext } = await begin({ report: () => {}, patience: { retryMs: 1 } })
  const { set } = cluster.values
  const lost = new StoreUnavailable('the connection was lost')
  const sets = vi.spyOn(cluster.values, 'set').mockRejectedValueOnce(lost).mockImplementation(set)
  await trials.cancel('a', _id)
  const next = await beginNext()
  await vi.waitUntil(() => sets.mock.calls.length >= 3)
  await expect
    .poll(() => cluster.values.get('limits-trials.a'))
    .toMatchObject([{ trial: { _id, state: 'cancelled' } }, { trial: { _id: next._id } }])
})

test('each company has one in line: it waits for those of others, and is cancelled at once meanwhile', async () => {
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  const store = openSqliteStore({ dir: ':memory:', clock })
  const directory = emptyDirectory()
  const imeiOf = (no: number) => `35000000000000${no}`
  const companies = ['a', 'b', 'c']
  const facts = companies.flatMap((id, no) => [
    company(id),
    group(`g${id}`, id, null),
    device(no, imeiOf(no), id, `g${id}`),
  ])
  const stored = await store.log.append('registry', facts)
  for (const fact of stored.facts) evolve(directory, fact)
  const gate = Promise.withResolvers<void>()
  const { packed } = store.telemetry
  const read: number[] = []
  const telemetry: typeof store.telemetry = {
    ...store.telemetry,
    async packed(no, ...range) {
      read.push(no)
      await gate.promise
      return packed(no, ...range)
    },
  }
  const report = (error: unknown) => expect.unreachable(String(error))
  const trials = createTrials({ store: { ...store, telemetry }, directory, clock, cluster, report })
  onTestFinished(async () => {
    await trials.stop()
    await store.close()
  })
  const begin = async (companyId: string) => {
    const { _id } = await trials.begin(
      {
        ...{ groupId: `g${companyId}`, quantity: 'temperature', inForce: CANDIDATE, candidates: [CANDIDATE] },
        ...{ from: NOW - DAY, to: NOW, things: [imeiOf(companies.indexOf(companyId))] },
      },
      { userId: 'u', userName: 'Ayesha', companyId },
    )
    return async () => (await trials.find(companyId, `g${companyId}`, _id))?.state
  }
  const [a, b, c] = [await begin('a'), await begin('b'), await begin('c')]
  await expect(begin('b')).rejects.toThrow(TrialsFull)
  await vi.waitUntil(() => read.length > 0)
  const [waiting] = await trials.of('b', 'gb')
  expect([await a(), waiting?.state, await c()]).toEqual(['running', 'running', 'running'])
  await trials.cancel('b', waiting?._id ?? '')
  expect([await a(), await b(), new Set(read)]).toEqual(['running', 'cancelled', new Set([0])])
  const again = await begin('b')
  gate.resolve()
  await expect.poll(again).toBe('done')
  expect([await a(), await c()]).toEqual(['done', 'done'])
  expect([...new Set(read)]).toEqual([0, 2, 1])
})
