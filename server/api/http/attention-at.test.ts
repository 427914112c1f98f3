import { expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../../commands/testing/company-facts.ts'
import { given } from '../../commands/testing/given.ts'
import type { EventLog } from '../../store/store.ts'
import { violationOpened } from '../../testing/facts.ts'
import { countTurns } from '../../testing/turns-of-the-loop.ts'
import { attentionAt } from './attention-at.ts'

const IMEI = '350000000000001'

test('thousands of incidents of then are read a few hundred at a time, and others have their turn between', async () => {
  const published = Array.from({ length: 2_000 }, (_, i) => violationOpened(IMEI, i * 60_000, {}, 'indus'))
  const { directory, attention, stored } = given(...twoCompanies, ...published)
  const { now, stop } = countTurns()
  /** by turn of the loop */
  const read = new Map<number, number>()
  const note = (): Fact[] => {
    read.set(now(), (read.get(now()) ?? 0) + 1)
    return []
  }
  const log = { readStream: note, readFacts: () => [] as Fact[] } as Partial<EventLog> as EventLog
  const deps = { store: { log }, readModels: { attention, latest: undefined as never } }
  const cut = { at: 2_000 * 60_000, view: 'then' as const, seq: stored.length, directory }
  const { incidents } = await attentionAt(deps, stored.slice(twoCompanies.length), cut)
  stop()
  expect(incidents.open.size).toBe(2_000)
  expect(Math.max(...read.values())).toBeLessThan(500)
})
