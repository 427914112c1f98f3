import { expect, test } from 'vitest'
import { emptyDirectory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import type { BudgetStatus } from '#machines/rules/budget-status.ts'
import type { Store } from '../../store/store.ts'
import { emptyLiveLoads } from './live-loads.ts'
import { restoreLoads, saveLoads } from './saved-loads.ts'

const exhaustions = [
  { at: 7, rule: 0, used: 365, allowed: 360 },
  { at: 9, rule: 1, used: 8.2, allowed: 8 },
]
const within: BudgetStatus = {
  ...{ state: 'within', percent: 12.5, most: 20.25, exhaustsAt: Number.POSITIVE_INFINITY },
  ...{ exhausted: undefined, exhaustions: [], leading: { least: 30, most: 48.6 } },
  ...{ gapMinutes: 15, isTooWarmSoFar: false },
}
const STATUSES: BudgetStatus[] = [
  within,
  { ...within, state: 'at-risk', exhaustsAt: 1_700_000_000_000, isTooWarmSoFar: true },
  { ...within, percent: Number.NaN, most: Number.NaN },
  { ...within, state: 'exhausted', exhausted: exhaustions[0], exhaustions },
]

test('what became of loads that are over is saved as it is, in few bytes however many there are', () => {
  const live = emptyLiveLoads()
  const directory = emptyDirectory()
  for (let i = 0; i < 1000; i++) {
    const loadId = `l${i}`
    live.over.set(loadId, STATUSES[i % 20] ?? within)
    const load = { loadId, companyId: 'c', deviceNo: i, openedAt: 0, closedAt: 1, changed: 1 }
    directory.loads.byId.set(loadId, load as LoadRecord)
  }
  let saved = new Uint8Array()
  const store = {
    checkpoints: {
      load: () => ({ seq: 1, bytes: saved }),
      save(_: string, __: number, make: () => Uint8Array) {
        saved = new Uint8Array(make())
        return true
      },
    },
    log: { head: () => 1 },
    telemetry: { batchesFrom: () => 1 },
  } as unknown as Store
  expect(saveLoads(store, live, 1)).toBe(true)
  expect(saved.length).toBeLessThan(100_000)
  expect(restoreLoads(store, directory, 2).live.over).toEqual(live.over)
})
