import type { Reading } from '#machines/contracts/readings.ts'

/** A reading that was taken, and the server's clock at that moment. In the order they were taken. */
export type Accepted = { reading: Reading; storedAt: number }

/** `clearedAt` null: it goes on. */
export type Violation = { type: string; since: number; clearedAt: number | null }

/** Limits of the small server: 2 to 8 °C, two minutes of delay, back by 0.5 °C, ten minutes of patience. */
const LOW = 2
const HIGH = 8
const DELAY = 120_000
const MARGIN = 0.5
const GAP = 600_000

/** What one device's readings must lead to, worked out the plainest way there is. Without clocks that run ahead. */
export function modelOf(accepted: readonly Accepted[]) {
  const history = accepted.map(({ reading }) => reading).toSorted((a, b) => a.at - b.at)
  const newest = history.at(-1)
  return {
    history,
    latest: { at: newest?.at, temperature: newest?.temperature },
    violations: violationsOf(history),
  }
}

type Spell = { side: 'HIGH' | 'LOW'; since: number; violation: Violation | undefined }

/** Taken in the order of their times: in whatever order they came, in the end that is what is known. */
function violationsOf(readings: readonly Reading[]): Violation[] {
  const violations: Violation[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  let spell: Spell | undefined
  for (const { at, temperature: value } of readings) {
    if (value === undefined || at <= lastAt) continue
    const side = value > HIGH ? 'HIGH' : value < LOW ? 'LOW' : undefined
    if (spell?.violation !== undefined) {
      const isBack = spell.side === 'HIGH' ? value <= HIGH - MARGIN : value >= LOW + MARGIN
      if (isBack) {
        spell.violation.clearedAt = at
        spell = undefined
      }
    } else if (spell !== undefined && (spell.side !== side || at - lastAt > GAP)) spell = undefined
    if (spell === undefined && side !== undefined) spell = { side, since: at, violation: undefined }
    lastAt = at
    if (spell !== undefined && spell.violation === undefined && at - spell.since >= DELAY) {
      const { since } = spell
      spell.violation = { type: `${spell.side}_TEMPERATURE_DETECTED`, since, clearedAt: null }
      violations.push(spell.violation)
    }
  }
  return violations
}
