import { expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { FactOf } from '#machines/contracts/facts.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import type { Source } from '../notifier/mail/letter.ts'
import { letterOf } from '../notifier/mail/letters.ts'
import { createDailyHead } from './daily-head.ts'

const DAY = 86_400_000
const START = Date.parse('2026-06-14T23:00:00Z')
const headOf = (size: number, at: number): SealHead => ({
  size,
  root: 'ab'.repeat(32),
  at,
  keyId: '01'.repeat(8),
  signature: `${'A'.repeat(86)}==`,
})

test('the first head of each day goes to each address once, whichever node leads', async () => {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => START } })
  const to = ['auditor@example.org', 'quality@customer.example']
  const first = createDailyHead(store.log, to)
  await first(headOf(10, START))
  await first(headOf(11, START + 60_000))
  // another node takes over on the same day
  const second = createDailyHead(store.log, to)
  await second(headOf(12, START + 120_000))
  await second(headOf(20, START + 2 * 3_600_000))
  await createDailyHead(store.log, [])(headOf(30, START + 3 * DAY))
  const facts = store.log.readFacts(0, { types: ['seal.head-addressed'] }) as FactOf<'seal.head-addressed'>[]
  expect(facts.map(({ data }) => [data.head.size, data.to])).toEqual([
    [10, to[0]],
    [10, to[1]],
    [20, to[0]],
    [20, to[1]],
  ])
  const [fact] = facts
  const letter = fact && letterOf(fact, { publicUrl: 'https://portal.example' } as Source)
  expect(letter).toMatchObject({
    to: { address: to[0] },
    subject: 'The record on 2026-06-14: 10 entries',
    links: ['https://portal.example/api/seals/consistency?from=10'],
  })
  for (const said of [
    'Entries: 10',
    `Root: ${'ab'.repeat(32)}`,
    `--head 10:${'ab'.repeat(32)}`,
    fact?.data.head.signature,
  ])
    expect(letter?.text).toContain(said)
  await store.close()
})
