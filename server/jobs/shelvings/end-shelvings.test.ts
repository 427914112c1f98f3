import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createExecute } from '../../commands/execute.ts'
import { twoCompanies } from '../../commands/testing/company-facts.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { violationOpened } from '../../testing/facts.ts'
import { startEndingShelvings } from './end-shelvings.ts'

const START = Date.parse('2026-06-15T04:00:00Z')
const HOUR = 60 * 60_000
const kind = { imei: '350000000000002', type: 'HIGH_TEMPERATURE_DETECTED' } as const
const shelved = (hours: number): NewFact => ({
  type: 'violation.shelved',
  at: START,
  companyId: 'indus',
  by: 'u1',
  data: { ...kind, until: START + hours * HOUR, reason: 'Defrost', userName: 'Ayesha Malik' },
})

/** @param failing the device of which nothing can be appended */
async function openApp({ failing = '' } = {}) {
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const readModels = startProjecting(store)
  const commands = createExecute({ log: store.log, readModels, clock })
  const execute: typeof commands = (stream, command, decide) =>
    'imei' in command.data && command.data.imei === failing
      ? Promise.reject(new RangeError('Invalid time value'))
      : commands(stream, command, decide)
  const warnings: string[] = []
  // the test says when it looks at the clock
  const start = () =>
    startEndingShelvings({ readModels, execute, clock, warn: (line) => warnings.push(line), lookMs: 1e9 })
  let ending = start()
  onTestFinished(async () => {
    await ending.stop()
    readModels.stop()
    await store.close()
  })
  return {
    clock,
    warnings,
    async append(...facts: NewFact[]) {
      await store.log.append('told', facts)
      await readModels.settled(store.log.head())
    },
    /** what late readings say of the violation: over then, or that it lasts */
    async revise(clearedAt: number | null) {
      const before = { since: START, openedAt: START, clearedAt: null, threshold: 15, worst: 23.6 }
      const received = { receivedFrom: clock.at, receivedTo: clock.at, readingsLate: 1 }
      const violationId = `${kind.imei}-${START}`
      const data = { ...kind, violationId, before, after: { ...before, clearedAt }, ...received }
      await this.append({ type: 'violation.revised', at: clock.at, companyId: 'indus', data })
    },
    async restart() {
      await ending.stop()
      ending = start()
    },
    async ended() {
      await ending.settled()
      return store.log
        .readFacts(0, { types: ['violation.unshelved'] })
        .map(({ at, by, data }) => ({ at, by, data }))
    },
  }
}

test('what is shelved ends by itself once its time is over, and names what lasts', async () => {
  const app = await openApp()
  await app.append(...twoCompanies, shelved(1), violationOpened(kind.imei, START, {}, 'indus'))
  app.clock.at = START + HOUR - 1
  expect(await app.ended()).toEqual([])
  app.clock.at = START + HOUR
  const once = [{ at: START + HOUR, by: undefined, data: { ...kind, opened: twoCompanies.length + 2 } }]
  expect(await app.ended()).toEqual(once)
  app.clock.at = START + 5 * HOUR
  expect(await app.ended()).toEqual(once)
})

test('what ran out while the server was away ends at its start; shelved anew it goes on', async () => {
  const app = await openApp()
  await app.append(...twoCompanies, shelved(1), shelved(3))
  app.clock.at = START + 2 * HOUR
  await app.restart()
  expect(await app.ended()).toEqual([])
  app.clock.at = START + 4 * HOUR
  await app.restart()
  expect(await app.ended()).toMatchObject([{ at: START + 4 * HOUR, data: { opened: null } }])
  expect(app.warnings).toEqual([])
})

test('what late readings show to last, after it was over when its time ended, is told once, also after a restart', async () => {
  const app = await openApp()
  await app.append(...twoCompanies, shelved(1), violationOpened(kind.imei, START, {}, 'indus'))
  await app.revise(START + HOUR / 2)
  app.clock.at = START + HOUR
  const first = { at: START + HOUR, data: { opened: null } }
  expect(await app.ended()).toMatchObject([first])
  app.clock.at = START + 2 * HOUR
  await app.revise(null)
  const again = { at: START + 2 * HOUR, data: { ...kind, opened: twoCompanies.length + 2 } }
  expect(await app.ended()).toMatchObject([first, again])
  app.clock.at = START + 3 * HOUR
  await app.restart()
  await app.revise(null)
  expect(await app.ended()).toHaveLength(2)
  expect(app.warnings).toEqual([])
})

test('one that cannot be ended is told to operators once, and those after it end', async () => {
  const app = await openApp({ failing: kind.imei })
  const other = {
    ...shelved(1),
    data: { ...(shelved(1).data as object), imei: '350000000000001' },
  } as NewFact
  await app.append(...twoCompanies, shelved(1), other)
  app.clock.at = START + HOUR
  for (let look = 0; look < 2; look++)
    expect(await app.ended()).toMatchObject([{ data: { imei: '350000000000001' } }])
  expect(app.warnings).toEqual([
    `that a shelving is over cannot be said of ${kind.imei} ${kind.type}, trying again in a minute: RangeError: Invalid time value`,
  ])
})
