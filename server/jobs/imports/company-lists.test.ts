import { setImmediate as breath } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { alone } from '../../cluster/alone.ts'
import { createCompanyLists, type SentList } from './company-lists.ts'

const listAt = (state: 'checked' | 'adding'): SentList => ({
  job: {
    ...{ _id: 'list', fileName: 'fleet.csv', state, reason: null },
    ...{ lines: 1, toAdd: 1, known: 0, differing: 0, faults: 0, warnings: 0, added: 0 },
  },
  ...{ userId: 'u1', node: 'n', keptUntil: 1 },
})

test('the word that is put last is the one that stays, however long the one before takes', async () => {
  const { values, files, node } = alone({ node: 'n', address: 'http://127.0.0.1', dataDir: ':memory:' })
  const { promise: slow, resolve: goOn } = Promise.withResolvers<void>()
  const set = vi.fn(values.set)
  set.mockImplementationOnce(async (...value) => {
    await slow
    await values.set(...value)
  })
  const lists = createCompanyLists({
    ...{ values: { ...values, set }, files, node },
    clock: { now: () => 0 },
    worksOn: () => true,
    report: (error) => expect.unreachable(String(error)),
  })
  const puts = [lists.put('indus', listAt('checked')), lists.put('indus', listAt('adding'))]
  await breath()
  goOn()
  await Promise.all(puts)
  expect(lists.of('indus').map(({ job }) => job.state)).toEqual(['adding'])
})
