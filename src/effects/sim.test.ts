import { expect, test } from 'vitest'
import { SIM_CALLS } from '#machines/contracts/calls/sim-calls.ts'
import { createSim, TokenNeeded } from './sim.ts'

test('a token that no header can hold is asked for again, as any that is not the right one', async () => {
  const requests: (string | null)[] = []
  let token = 'geheim – ключ'
  const ask = createSim({
    baseUrl: 'http://portal',
    token: () => token,
    fetch: async (_, init) => {
      requests.push(new Headers(init?.headers).get('x-sim-token'))
      return Response.json([])
    },
  })
  await expect(ask(SIM_CALLS.simLinks, {})).rejects.toThrow(TokenNeeded)
  token = 'sésame'
  expect(await ask(SIM_CALLS.simLinks, {})).toEqual([])
  expect(requests).toEqual(['sésame'])
})
