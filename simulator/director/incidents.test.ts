import { expect, test } from 'vitest'
import { runToNextIncident } from './incidents.ts'

test('a way that ends without an incident found none, and one that was stopped cannot say so', async () => {
  const nothing = async () => {}
  const went = (isHalted: boolean) =>
    runToNextIncident(
      { advance: async () => isHalted },
      { readModels: { onAdvance: () => () => {} }, settled: nothing } as never,
      { tick: nothing } as never,
      60,
    )
  expect([await went(false), await went(true)]).toEqual([null, undefined])
})
