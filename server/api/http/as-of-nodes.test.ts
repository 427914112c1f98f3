import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { startKeptNodes } from './testing/kept-server.ts'
import { asOf, listsOf, randomSteps, type Step } from './testing/random-record.ts'

type Nodes = Awaited<ReturnType<typeof startKeptNodes>>
let kept: Nodes

const { step, forget } = randomSteps(() => kept)
const steps = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: step },
    { weight: 1, arbitrary: fc.constant<Step>(() => kept.kill()) },
    {
      weight: 1,
      // its users see nothing meanwhile
      arbitrary: fc.constantFrom('suspended', 'resumed').map(
        (to): Step =>
          () =>
            suspend(to === 'suspended'),
      ),
    },
  ),
  { minLength: 10, maxLength: 40 },
)

let isSuspended = false
async function suspend(is: boolean): Promise<void> {
  if (is === isSuspended) return
  isSuspended = is
  if (is) await kept.happens('company.suspended', { companyId: 'indus' })
  else await kept.happens('company.resumed', { companyId: 'indus' })
}

test(
  'two nodes say of each minute what both showed then, though leaders were killed, users suspended, and readings came late to either',
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        kept = await startKeptNodes(await emptyDatabase())
        try {
          forget()
          isSuspended = false
          const token = await kept.tokenOf('ayesha')
          const clock = kept.server.clock
          const live: { at: number; lists: unknown }[] = []
          for (const [n, take] of [...taken, () => kept.passMinutes(1)].entries()) {
            const { at } = clock
            await take(n)
            await kept.settle()
            if (clock.at === at || isSuspended) continue
            live.push({ at: clock.at, lists: await listsOf(kept, token) })
          }
          await suspend(false)
          await kept.settle()
          for (const { at, lists } of live)
            expect(await listsOf(kept, token, asOf(at, 'then'))).toEqual(lists)
        } finally {
          await kept.stop()
        }
      }),
      { numRuns: inject('isNightly') ? 30 : 3 },
    )
  },
  A_SERVER_STARTS,
)
