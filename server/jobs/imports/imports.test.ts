import { setImmediate as breath } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { alone } from '../../cluster/alone.ts'
import type { Registrar } from '../../commands/devices/register-devices.ts'
import { createExecute } from '../../commands/execute.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { openRecord } from '../../commands/testing/shared-record.ts'
import { company, group, user } from '../../testing/facts.ts'
import { createImports, ImportsFull } from './imports.ts'

const OF_INDUS = { at: 0, companyId: 'indus' }
const FACTS = [
  company('indus'),
  group('indus', 'indus', null),
  group('sindh', 'indus', 'indus'),
  user('u1', 'indus', 'indus', 'ayesha'),
  company('karakoram'),
  group('karakoram', 'karakoram', null),
  user('u2', 'karakoram', 'karakoram', 'nadia', { superAdmin: true }),
  {
    ...OF_INDUS,
    type: 'company.settings-changed',
    data: { companyId: 'indus', managersAddDevices: true },
  },
] satisfies NewFact[]
const MANAGER: Registrar = { userId: 'u1', companyId: 'indus', topId: 'indus', isSuperAdmin: false }
/** has entered Indus from a company of their own */
const SUPER_ADMIN: Registrar = { ...MANAGER, userId: 'u2', isSuperAdmin: true }

/** More than one slice, of which the last device alone is in a group below the top. */
const LIST = [
  'IMEI,Name,Group',
  ...Array.from({ length: 401 }, (_, n) => `${490_154_203_200_000 + n},Reefer,${n === 400 ? 'Sindh' : ''}`),
].join('\n')

/** The list as it ended, where something happens after the first slice was added. */
async function added(who: Registrar, meanwhile?: NewFact): Promise<DeviceImport> {
  const { log, readModels, directory } = openRecord(FACTS).node()
  const clock = { now: () => 0 }
  const append: typeof log.append = async (stream, facts, options) => {
    const stored = await log.append(stream, facts, options)
    if (meanwhile && directory.devices.length === 200) await log.append(STRUCTURE, [meanwhile])
    return stored
  }
  const imports = createImports({
    directory,
    execute: createExecute({ log: { ...log, append }, readModels, clock }),
    clock,
    cluster: alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' }),
    report: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(() => imports.stop())
  const { _id } = await imports.begin({ bytes: new TextEncoder().encode(LIST), fileName: 'fleet.csv' }, who)
  const until = (...states: DeviceImport['state'][]) =>
    vi.waitUntil(async () => {
      const list = await imports.find(_id, who)
      return list && states.includes(list.job.state) && list
    })
  await imports.apply(await until('checked'), who, false)
  const { job } = await until('done', 'failed')
  expect(job.added).toBe(directory.devices.length)
  return job
}

test.each<[string, Registrar, NewFact | undefined, Partial<DeviceImport>]>([
  ['who stays what they are', MANAGER, undefined, { state: 'done', added: 401 }],
  ['a super admin in another company', SUPER_ADMIN, undefined, { state: 'done', added: 401 }],
  [
    'who is moved into a group below, of what is there',
    MANAGER,
    { ...OF_INDUS, type: 'user.updated', data: { userId: 'u1', groupId: 'sindh' } },
    { state: 'done', added: 201 },
  ],
  [
    'a super admin who is gone, no further',
    SUPER_ADMIN,
    { ...OF_INDUS, type: 'user.deleted', data: { userId: 'u2' } },
    { state: 'failed', added: 200, reason: 'Who sent this list has no account any more' },
  ],
  [
    'a super admin of a company that is suspended, no further',
    SUPER_ADMIN,
    { ...OF_INDUS, type: 'company.suspended', data: { companyId: 'indus' } },
    {
      state: 'failed',
      added: 200,
      reason: 'Company is Suspended. Please Contact Business Account Manager!',
    },
  ],
])('a list is added for %s', async (_, who, meanwhile, ending) => {
  expect(await added(who, meanwhile)).toMatchObject(ending)
})

test('no list is taken beside another of its company, also by a node that has not heard of that yet', async () => {
  const { log, readModels, directory } = openRecord(FACTS).node()
  const clock = { now: () => 0 }
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  let heard: unknown
  const behind = {
    ...cluster.values,
    get: () => heard,
    refresh: async () => {
      heard = cluster.values.get('imports.indus')
    },
  }
  const [first, second] = [
    { node: 'n', values: cluster.values },
    { node: 'm', values: behind },
  ].map((own) => {
    const imports = createImports({
      directory,
      execute: createExecute({ log, readModels, clock }),
      clock,
      cluster: { ...cluster, ...own },
      report: (error) => expect.unreachable(String(error)),
    })
    onTestFinished(() => imports.stop())
    return () => imports.begin({ bytes: new TextEncoder().encode(LIST), fileName: 'fleet.csv' }, MANAGER)
  })
  await first?.()
  await expect(second?.()).rejects.toThrow(ImportsFull)
})

test('where the store does not answer no word of a list waits for another, and each second says no more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { log, readModels, directory } = openRecord(FACTS).node()
  const clock = { now: () => 0 }
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  const away = Promise.withResolvers<void>()
  const set = vi.spyOn(cluster.values, 'set')
  const imports = createImports({
    directory,
    execute: createExecute({ log, readModels, clock }),
    clock,
    cluster,
    report: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(() => imports.stop())
  const { _id } = await imports.begin(
    { bytes: new TextEncoder().encode(LIST), fileName: 'fleet.csv' },
    MANAGER,
  )
  let list = await imports.find(_id, MANAGER)
  while (list?.job.state !== 'checked') {
    await breath()
    list = await imports.find(_id, MANAGER)
  }
  set.mockClear()
  set.mockImplementation(() => away.promise)
  const applied = imports.apply(list, MANAGER, false)
  vi.advanceTimersByTime(20_000)
  away.resolve()
  await applied
  expect(set.mock.calls.length).toBeLessThan(5)
})

test('lists that a node has not in memory are read again one after the other', async () => {
  const { log, readModels, directory } = openRecord(FACTS).node()
  const clock = { now: () => 0 }
  const cluster = alone({ node: 'n', address: 'http://127.0.0.1:4000', dataDir: ':memory:' })
  const happened: string[] = []
  const get: typeof cluster.files.get = async (name) => {
    // whoever waited for the one before is told first
    await breath()
    happened.push('begun')
    return cluster.files.get(name)
  }
  const node = () => {
    const imports = createImports({
      directory,
      execute: createExecute({ log, readModels, clock }),
      clock,
      cluster: { ...cluster, files: { ...cluster.files, get } },
      report: (error) => expect.unreachable(String(error)),
    })
    onTestFinished(() => imports.stop())
    return imports
  }
  const first = node()
  const ids: string[] = []
  for (const fileName of ['one.csv', 'other.csv']) {
    const { _id } = await first.begin({ bytes: new TextEncoder().encode(LIST), fileName }, MANAGER)
    await vi.waitUntil(async () => (await first.find(_id, MANAGER))?.job.state === 'checked')
    ids.push(_id)
  }
  const later = node()
  const plans = ids.map(async (id) => {
    const list = await later.find(id, MANAGER)
    const plan = list && (await later.plan(list, MANAGER))
    happened.push('done')
    return plan?.devices.length
  })
  expect(await Promise.all(plans)).toEqual([401, 401])
  expect(happened).toEqual(['begun', 'done', 'begun', 'done'])
})
