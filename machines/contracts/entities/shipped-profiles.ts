import type { MktRule, ProfileForm, TimeRule } from './profiles.ts'

const HOUR = 60

const beyond = (
  side: TimeRule['side'],
  limit: number,
  minutes: number | null,
  more: Partial<TimeRule> = {},
): TimeRule => ({
  kind: 'time',
  side,
  limit,
  isInclusive: false,
  minutes,
  isFullAllowed: true,
  spell: 'total',
  ...more,
})
const mkt = (limit: number, hours: MktRule['hours'], onlyAbove: number | null): MktRule => ({
  kind: 'mkt',
  limit,
  hours,
  onlyAbove,
})

/** Between readings surroundings change by no more than this, °C a minute, and stay within these, °C: choices of this project. */
export const STEEPEST = 0.5
export const SURROUNDINGS = { low: -30, high: 50 } as const

const shipped = (
  name: string,
  source: string,
  rules: ProfileForm['rules'],
  surroundings: ProfileForm['surroundings'] = { ...SURROUNDINGS },
): ProfileForm => ({ name, source, rules, mktDecides: true, steepest: STEEPEST, surroundings })

/**
 * The profiles that every company has from the start, by their ids. A company's own copy is made when one is first used or changed, so
 * that what stands here may be mended without a load of before being evaluated otherwise.
 */
export const SHIPPED_PROFILES: Readonly<Record<string, ProfileForm>> = {
  'medicines-2-8': shipped('Medicines 2–8 °C', 'USP <1079.2>', [
    beyond('above', 15, 0),
    beyond('above', 8, 24 * HOUR),
    beyond('below', 2, 0),
    mkt(8, 24, 8),
  ]),
  'medicines-20-25': shipped('Medicines 20–25 °C', 'USP <659>, <1079.2>', [
    beyond('above', 40, 0),
    beyond('above', 30, 24 * HOUR, { isFullAllowed: false }),
    beyond('below', 15, 0),
    mkt(25, 720, null),
  ]),
  'vaccine-who-1': shipped('Vaccine, WHO type 1', 'WHO PQS E006/TR07', [
    beyond('above', 45, HOUR, { isInclusive: true, isFullAllowed: false, spell: 'longest' }),
    beyond('above', 30, 10 * HOUR, { isInclusive: true, isFullAllowed: false }),
    beyond('below', -0.5, HOUR, { isInclusive: true, isFullAllowed: false, spell: 'longest' }),
  ]),
  'quick-frozen': shipped(
    'Quick-frozen',
    'Directive 89/108/EEC art. 5: brief rises of 3 °C in transport; your company says how many minutes',
    [beyond('above', -15, 0), beyond('above', -18, null)],
  ),
  'chilled-food': shipped('Chilled food', 'FDA Food Code 3-501.19, by analogy', [
    beyond('above', 5, 4 * HOUR, {
      isFullAllowed: false,
      ifNeverBeyond: { limit: 21, minutes: 6 * HOUR },
    }),
  ]),
}
