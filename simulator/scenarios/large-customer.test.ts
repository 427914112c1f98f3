import { expect, test } from 'vitest'
import type { FactOf } from '#machines/contracts/facts.ts'
import { startDemo } from '../testing/start-demo.ts'
import { openScenarioRun } from './run-scenario.ts'
import { playedAt } from './testing/turned.ts'

test('large-customer: 100,000 devices in one server, all happens that must, and limits that are tried tell what live evaluation told', {
  timeout: 600_000,
}, async () => {
  const run = await openScenarioRun({ scenario: 'large-customer' })
  expect(run.devices).toBe(100_000)
  const findings = await run.outcomes()
  // each is read from all that is not compacted yet: all of them would take hours
  const { episodes, unlike } = await run.triedInForce(200)
  await run.close()
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
  expect(episodes).toBeGreaterThan(0)
  expect(unlike).toEqual([])
})

// two servers of 100,000 take a minute each: a device is the same in a smaller world
test('large-customer: the same at any speed', { timeout: 180_000 }, async () => {
  const options = { scenario: 'large-customer', devices: 600 }
  const slow = await playedAt(1, 3, options)
  await slow.run.close()
  const fast = await playedAt(1000, 3, options)
  const { unlike } = await fast.run.triedInForce()
  await fast.run.close()
  expect(fast.standing).toEqual(slow.standing)
  expect(unlike).toEqual([])
  expect(fast.standing.facts).toBeGreaterThan(600)
})

/** One more than a fleet may have whose whole past is written down. */
const LARGE = 5_001
const DAY = 86_400_000

test('of a large fleet a day is looked back: since when it lasts is told, and nothing before the record is counted', async () => {
  const { server, simulator, signIn, ask } = await startDemo({ DEVICES: `${LARGE}` })
  try {
    const { liveFrom, world } = simulator.simulation
    await simulator.past
    const { log } = server.app.core.store
    const revised = log.readFacts(0, {
      limit: 100_000,
      types: ['violation.revised'],
    }) as FactOf<'violation.revised'>[]
    const lookedBack = revised.flatMap(({ data }) => data.after ?? []).filter(({ since }) => since < liveFrom)
    expect(lookedBack.length).toBeGreaterThan(0)
    for (const { since } of lookedBack) expect(since).toBeGreaterThanOrEqual(liveFrom - DAY)
    expect(world.historyStart).toBeLessThan(liveFrom - DAY)
    const token = await signIn('lahore@indus.example')
    const { pending, countedFrom } = await ask('summaryChart', {
      params: { groupId: 'indus-lahore' },
      body: { startDate: world.historyStart, endDate: liveFrom },
      token,
    })
    expect([pending, Date.parse(countedFrom ?? '')]).toEqual([undefined, liveFrom])
  } finally {
    await server.close()
  }
})
