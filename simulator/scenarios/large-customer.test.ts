import { expect, test } from 'vitest'
import { openScenarioRun } from './run-scenario.ts'
import { playedAt } from './testing/turned.ts'

test('large-customer: 100,000 devices in one server, and all happens that must', {
  timeout: 600_000,
}, async () => {
  const run = await openScenarioRun({ scenario: 'large-customer' })
  expect(run.devices).toBe(100_000)
  const findings = await run.outcomes()
  await run.close()
  expect(findings.length).toBeGreaterThan(0)
  expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
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
