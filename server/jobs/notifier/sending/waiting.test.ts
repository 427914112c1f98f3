import { expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { createWaiting } from './waiting.ts'

const factOf = (seq: number, companyId: string) => ({ seq, companyId, type: 'alert.due' }) as unknown as Fact

test('companies take turns: one alarm of a company leaves second, however many another has waiting', () => {
  const waiting = createWaiting({ log: {}, checkpoints: {} } as never, {
    ...{ name: 'mail', types: [], isToSend: () => true, endedBy: () => undefined },
  })
  for (let seq = 1; seq <= 100; seq++) waiting.take(factOf(seq, 'thar'))
  waiting.take(factOf(101, 'indus'))
  waiting.take(factOf(102, 'indus'))
  const left: number[] = []
  for (let n = 0; n < 6; n++) {
    const { due } = waiting.next(0)
    if (due === undefined) break
    left.push(due.fact.seq)
    waiting.done(due)
  }
  expect(left).toEqual([1, 101, 2, 102, 3, 4])
})
