import { afterEach, expect, test, vi } from 'vitest'
import { START, worldAt } from '#machines/director/director.samples.ts'
import type { World } from '#machines/director/doings.ts'
import type { AskSim } from '../../effects/sim.ts'
import type { Root } from '../root.ts'
import { directorCalls } from './calls.ts'
import { look } from './look.ts'

/** What the panel sees of a world, looked at by one page again and again. */
function lookerAt(world: World) {
  const answers: Record<string, unknown> = {
    '/status': world.status,
    '/faults': world.faults,
    '/links': world.links,
    '/actions': world.actions,
    '/scenarios': world.scenarios,
    '/script': world.people,
  }
  const root = { clock: { set() {} } } as unknown as Root
  const calls = directorCalls(root, (async ({ path }) => answers[path]) as AskSim)
  const { signal } = new AbortController()
  return {
    look: () => look(calls, signal),
    set: (path: string, answer: unknown) => Object.assign(answers, { [path]: answer }),
  }
}

afterEach(() => vi.useRealTimers())

test('a scenario that was saved elsewhere is listed', async () => {
  const world = worldAt(START)
  const page = lookerAt(world)
  expect((await page.look()).scenarios).toEqual(world.scenarios)
  const [first] = world.scenarios
  const saved = [...world.scenarios, { ...first, name: 'dairy-dawn-directed' }]
  page.set('/scenarios', saved)
  expect((await page.look()).scenarios).toEqual(saved)
})

test('a fault of the network ends by the clock of this machine, which is not the server’s', async () => {
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  const page = lookerAt(worldAt(START))
  const from = START + 3_600_000
  page.set('/links', [{ id: 'l1', fault: 'cut', from, until: from + 30_000, leftMs: 20_000 }])
  expect((await page.look()).links).toMatchObject([{ id: 'l1', until: START + 20_000 }])
})
