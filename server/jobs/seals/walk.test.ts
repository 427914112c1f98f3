import { expect, test } from 'vitest'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { startSealWalk } from './walk.ts'

const DAY = 86_400_000

test('the record is held against its heads once a day, and what does not fit is told until a walk finds nothing', async () => {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => 5_000 } })
  const clock = { at: 0, wall: () => 7_000_000, uptime: () => clock.at }
  const found: string[] = []
  await store.log.append('seal', [
    { type: 'user.reset-required', at: 1, companyId: 'c', data: { userId: 'u1' } },
  ])
  while (await store.seals.extend());
  // signed by nobody the record knows, over a root it does not have
  const head = {
    size: 1,
    root: 'ab'.repeat(32),
    at: 1,
    keyId: 'ab'.repeat(8),
    signature: `${'A'.repeat(86)}==`,
  }
  const walk = startSealWalk({
    record: store,
    clock,
    lookMs: 0,
    onFinding: ({ part, key }) => found.push(`${part} ${key}`),
  })
  const whole = async () => {
    const { checkedAt } = walk.stats()
    clock.at += DAY
    do await walk.goOn()
    while (walk.stats().checkedAt === checkedAt && checkedAt === 0)
  }
  await walk.goOn()
  expect(walk.stats()).toEqual({ found: 0, checkedAt: 0 })
  await store.seals.keepHead(head, 1)
  await whole()
  expect([found, walk.stats()]).toEqual([['head 1', 'head 1'], { found: 2, checkedAt: 7_000_000 }])
  // the same day nothing is looked at
  await walk.goOn()
  expect(found).toHaveLength(2)
  await walk.stop()
  await store.close()
})
