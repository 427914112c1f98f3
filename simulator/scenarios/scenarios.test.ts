import { expect, inject, test } from 'vitest'
import { playedAt } from './testing/turned.ts'

/**
 * `span`: minutes that are played twice, at ×1 and at ×1000; in each something goes wrong. The demo is played with fewer
 * devices than it has.
 */
const SCENARIOS = [
  { scenario: 'dairy-dawn', span: 10 },
  { scenario: 'network-outage', span: 8 },
  { scenario: 'night-in-the-valley', span: 10 },
  { scenario: 'demo', span: 5, devices: 400 },
]
const NIGHTLY = [
  { scenario: 'quiet-day', span: 11 },
  { scenario: 'heat-wave', span: 11 },
  { scenario: 'vaccine-run', span: 12 },
]

test.each(inject('isNightly') ? [...SCENARIOS, ...NIGHTLY] : SCENARIOS)(
  '$scenario: the same at any speed, and all happens that must',
  async ({ span, ...options }) => {
    const { scenario } = options
    const slow = await playedAt(1, span, options)
    await slow.run.close()
    const { run, standing } = await playedAt(1000, span, options)
    expect(standing).toEqual(slow.standing)
    expect(standing.facts).toBeGreaterThanOrEqual(run.devices)
    const findings = await run.outcomes()
    const { episodes, unlike } = await run.triedInForce()
    await run.close()
    expect(findings.length).toBeGreaterThan(0)
    expect(findings.filter(({ isMet }) => !isMet)).toEqual([])
    expect(unlike).toEqual([])
    expect(episodes > 0).toBe(scenario !== 'quiet-day')
  },
)
