import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MKT_HOURS, type ProfileForm, type TimeRule } from '../contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '../contracts/entities/shipped-profiles.ts'
import {
  type BudgetState,
  budgetRules,
  createBudget,
  endBudget,
  releaseBudget,
  TIME,
  takeReading,
  timesOf,
} from './budget.ts'
import { budgetStatusOf, exhaustedOf, mktOf, usedMs, windowMktOf } from './budget-status.ts'
import { minutesBeyond } from './gap-bounds.ts'
import { kineticTerm } from './mean-kinetic.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FROM = Date.UTC(2026, 5, 15)
const profile = (id: string): ProfileForm => SHIPPED_PROFILES[id] as ProfileForm
const MEDICINES = profile('medicines-2-8')

/** °C for so many minutes each, a reading a minute; null: none for so long. */
type Course = readonly (readonly [minutes: number, celsius: number | null])[]

function load(
  form: ProfileForm,
  course: Course,
  { gap = 10 * MINUTE, every = 1, since = FROM } = {},
): BudgetState {
  const budget = createBudget(budgetRules(form), since, gap)
  let minute = 0
  for (const [minutes, celsius] of course) {
    const end = minute + minutes
    if (celsius !== null) {
      if (minute === 0) takeReading(budget, FROM, celsius)
      // half a step in, so that each stands for its whole step
      for (let at = minute + every / 2; at < end; at += every)
        takeReading(budget, FROM + at * MINUTE, celsius)
    }
    minute = end
  }
  const last = course.at(-1)?.[1]
  if (last != null) takeReading(budget, FROM + minute * MINUTE, last)
  return budget
}
/** Minutes used of the time rule of a limit. */
function used(budget: BudgetState, limit: number, which: 'used' | 'least' | 'most' = 'used'): number {
  const i = budget.rules.times.findIndex((rule) => rule.limit === limit)
  return usedMs(budget.sums, timesOf(i), budget.rules.times[i] as TimeRule, which) / MINUTE
}
const ruleOf = (budget: BudgetState) => {
  const at = exhaustedOf(budget)?.rule
  return at === undefined ? undefined : budget.rules.profile.rules[at]
}

describe('mean kinetic temperature of a load', () => {
  test.each([
    [
      [
        [1200, 5],
        [240, 12],
      ] as Course,
      6.65,
    ],
    [
      [
        [1080, 5],
        [360, 14],
      ] as Course,
      8.29,
    ],
    [
      [
        [29 * 1440, 22],
        [1440, 40],
      ] as Course,
      23.6,
    ],
    [
      [
        [600, 15],
        [600, 25],
      ] as Course,
      21.3,
    ],
    [
      [
        [600, -70],
        [600, -60],
      ] as Course,
      -62.68,
    ],
  ])('of %j is %d °C', (course, mkt) => {
    const { value, least, most } = mktOf(load(MEDICINES, course))
    expect([value, least, most].map((one) => one.toFixed(2))).toEqual(Array(3).fill(mkt.toFixed(2)))
  })

  test('weighs a reading by half the way to each neighbour', () => {
    const budget = createBudget(budgetRules(MEDICINES), FROM, 61 * MINUTE)
    for (const [minute, celsius] of [
      [0, 5],
      [60, 5],
      [61, 15],
      [62, 15],
    ] as const)
      takeReading(budget, FROM + minute * MINUTE, celsius)
    expect(mktOf(budget).value.toFixed(2)).toBe('5.45')
  })

  test('is between bounds over what was not measured', () => {
    const budget = createBudget(budgetRules({ ...MEDICINES, steepest: 0.05 }), FROM, 10 * MINUTE)
    for (let minute = 0; minute <= 240; minute += 5)
      if (minute <= 60 || minute >= 180) takeReading(budget, FROM + minute * MINUTE, minute <= 60 ? 5 : 9)
    const { value, least, most } = mktOf(budget)
    expect([value, least, most].map((one) => one.toFixed(2))).toEqual(['7.24', '6.79', '7.61'])
  })
})

describe('a gap', () => {
  const bounds = (before: number, after: number) => {
    const gap = { minutes: 60, before, after, steepest: 0.1, low: -30, high: 50 }
    const { least, most } = minutesBeyond(gap, 8, 'above')
    return [least, most].map((minutes) => Math.round(minutes * 1e6) / 1e6)
  }
  test('has the least and most minutes beyond the limit that its ends allow', () => {
    expect(bounds(7, 7.5)).toEqual([0, 45])
    expect(bounds(9, 8.5)).toEqual([15, 60])
    expect(bounds(9, 7)).toEqual([10, 50])
  })

  test('is a straight line where it changed faster than it may', () => {
    const gap = { minutes: 10, before: 4, after: 14, steepest: 0.1, low: -30, high: 50 }
    expect(minutesBeyond(gap, 8, 'above')).toMatchObject({ least: 6, most: 6 })
    expect(minutesBeyond(gap, 3, 'above')).toMatchObject({ least: 10, most: 10 })
    expect(minutesBeyond({ ...gap, before: 14, after: 4 }, 8, 'above')).toMatchObject({ least: 6, most: 6 })
  })

  test('is no warmer than any surroundings', () => {
    const gap = { minutes: 600, before: 20, after: 20, steepest: 0.5, low: -30, high: 40 }
    expect(minutesBeyond(gap, 45, 'above')).toMatchObject({ least: 0, most: 0 })
    expect(minutesBeyond(gap, 30, 'above').most).toBe(560)
  })

  test('a lower limit is the mirror of an upper one', () => {
    fc.assert(
      fc.property(gapOf, fc.double({ min: -20, max: 20, noNaN: true }), (gap, limit) => {
        const mirrored = { ...gap, before: -gap.before, after: -gap.after, low: -gap.high, high: -gap.low }
        expect(minutesBeyond(mirrored, -limit, 'below')).toEqual(minutesBeyond(gap, limit, 'above'))
      }),
    )
  })
})

const gapOf = fc.record({
  minutes: fc.integer({ min: 11, max: 240 }),
  before: fc.double({ min: -25, max: 45, noNaN: true }),
  after: fc.double({ min: -25, max: 45, noNaN: true }),
  steepest: fc.constantFrom(0.05, 0.1, 0.5),
  low: fc.constant(-30),
  high: fc.constant(50),
})

describe('medicines', () => {
  test('are exhausted by more than 24 h above 8 °C in all, not by 24 h', () => {
    const form: ProfileForm = { ...MEDICINES, mktDecides: false }
    const fits = load(form, [
      [1440, 8.5],
      [600, 5],
    ])
    expect([used(fits, 8), budgetStatusOf(fits).state, budgetStatusOf(fits).percent]).toEqual([
      1440,
      'at-risk',
      100,
    ])
    const over = load(form, [
      [1442, 8.5],
      [600, 5],
    ])
    expect(ruleOf(over)).toMatchObject({ limit: 8 })
    expect((exhaustedOf(over)?.at ?? 0) - FROM).toBeLessThanOrEqual(1443 * MINUTE)
  })

  test('are exhausted by one reading above 15 or below 2 °C, though it stand for no time', () => {
    const budget = load(MEDICINES, [[60, 5]])
    takeReading(budget, FROM + 5 * HOUR, 15.01)
    expect(ruleOf(budget)).toMatchObject({ limit: 15 })
    expect(
      ruleOf(
        load(MEDICINES, [
          [60, 5],
          [1, 1.99],
        ]),
      ),
    ).toMatchObject({ limit: 2, side: 'below' })
    expect(
      budgetStatusOf(
        load(MEDICINES, [
          [60, 15],
          [1, 2],
        ]),
      ).exhausted,
    ).toBeUndefined()
  })

  test('are exhausted by a day whose mean kinetic temperature is above 8 °C, and decide so only where they may', () => {
    const course: Course = [
      [1080, 5],
      [360, 14],
    ]
    expect(ruleOf(load(MEDICINES, course))).toMatchObject({ kind: 'mkt' })
    expect(budgetStatusOf(load({ ...MEDICINES, mktDecides: false }, course)).exhausted).toBeUndefined()
    expect(
      budgetStatusOf(
        load(MEDICINES, [
          [1200, 5],
          [241, 12],
        ]),
      ).exhausted,
    ).toBeUndefined()
  })

  test('are exhausted by a mean of what was measured in the day, however cold it may have been in its gaps', () => {
    const budget = load(MEDICINES, [
      [240, 5],
      [1200, null],
      [240, 9],
    ])
    expect(ruleOf(budget)).toMatchObject({ kind: 'mkt' })
    expect(windowMktOf(budget)?.least).toBeLessThan(8)
  })

  test('of a load shorter than a day are evaluated when it is over, and at risk until then', () => {
    const warm = load(MEDICINES, [[300, 9]])
    expect(budgetStatusOf(warm)).toMatchObject({ state: 'at-risk', exhausted: undefined })
    endBudget(warm)
    expect(budgetStatusOf(warm).state).toBe('exhausted')
    const cool = load(MEDICINES, [[300, 5]])
    endBudget(cool)
    expect(budgetStatusOf(cool).state).toBe('within')
  })

  test('that were released are evaluated by what came since, also where that is shorter than a day', () => {
    const warm = load(MEDICINES, [[1500, 9]])
    const released = FROM + 1500 * MINUTE
    releaseBudget(warm, released)
    for (let minute = 1; minute <= 300; minute++) takeReading(warm, released + minute * MINUTE, 9)
    expect(warm.again && budgetStatusOf(warm.again).exhausted).toBeUndefined()
    endBudget(warm)
    expect(warm.again && budgetStatusOf(warm.again).exhausted).toBeDefined()
  })

  test('that are cool for longer than a day since their excursion are neither at risk by the mean nor exhausted soon', () => {
    const rules = MEDICINES.rules.map((rule) => (rule.kind === 'mkt' ? { ...rule, limit: 7 } : rule))
    const form = { ...MEDICINES, rules }
    const course: Course = [
      [30, 9],
      [1440, 6],
      [6000, 7.5],
    ]
    expect(budgetStatusOf(load(form, course))).toMatchObject({
      ...{ state: 'within', exhaustsAt: Number.POSITIVE_INFINITY, exhausted: undefined },
    })
    const warm: Course = [...course, [5, 9]]
    expect(budgetStatusOf(load(form, warm)).exhausted).toBeDefined()
  })

  test('whose mean is too high only once their excursion is longer than a day ago are not exhausted then', () => {
    const rules = MEDICINES.rules.flatMap((rule) => (rule.kind === 'mkt' ? [{ ...rule, limit: 7 }] : []))
    const course: Course = [
      [1440, 2],
      [10, 9],
      [300, 2],
      [120, 7.1],
    ]
    expect(budgetStatusOf(load({ ...MEDICINES, rules }, course))).toMatchObject({
      ...{ state: 'within', exhaustsAt: Number.POSITIVE_INFINITY },
    })
  })

  test('of a load that was measured for less than a day are evaluated when it is over, however late that is', () => {
    const budget = load(MEDICINES, [[20 * 60, 9.5]])
    expect(budgetStatusOf(budget).exhausted).toBeUndefined()
    endBudget(budget)
    expect(ruleOf(budget)).toMatchObject({ kind: 'mkt' })
    expect(exhaustedOf(budget)?.at).toBe(FROM + 20 * HOUR)
  })

  test.each([
    [12, 7.92],
    [15, 4.52],
  ])('after a day at 5 °C, steadily at %d °C, are exhausted after %d h', (celsius, hours) => {
    // so warm that only the mean decides
    const rules = MEDICINES.rules.filter((rule) => rule.kind === 'mkt')
    const budget = load({ ...MEDICINES, rules }, [[1440, 5]])
    takeReading(budget, FROM + 1440 * MINUTE + 1, celsius)
    const { exhaustsAt, exhausted } = budgetStatusOf(budget)
    expect(exhausted).toBeUndefined()
    expect(((exhaustsAt - FROM - 1440 * MINUTE) / HOUR).toFixed(2)).toBe(hours.toFixed(2))
    for (let minute = 1441; minute < 3000; minute++) takeReading(budget, FROM + minute * MINUTE, celsius)
    expect(((exhaustedOf(budget)?.at ?? 0) - FROM - 1440 * MINUTE) / HOUR).toBeCloseTo(hours, 1)
  })

  test('at 20 to 25 °C are exhausted by 30 days above 25 °C in the mean', () => {
    const form = profile('medicines-20-25')
    expect(
      budgetStatusOf(
        load(form, [
          [29 * 1440, 22],
          [1439, 40],
        ]),
      ).exhausted,
    ).toBeUndefined()
    expect(ruleOf(load(form, [[31 * 1440, 25.5]]))).toMatchObject({ kind: 'mkt', hours: 720 })
    expect(windowMktOf(load(form, [[31 * 1440, 25.5]]))?.value).toBeCloseTo(25.5, 3)
  })
})

describe('other goods', () => {
  test('vaccines bear 45 °C for less than an hour at a stretch, and 30 °C for less than ten in all', () => {
    const form = profile('vaccine-who-1')
    const briefly: Course = [
      [59, 45],
      [10, 5],
      [59, 45],
      [10, 5],
    ]
    expect(budgetStatusOf(load(form, briefly)).exhausted).toBeUndefined()
    expect(ruleOf(load(form, [[61, 45]]))).toMatchObject({ limit: 45, spell: 'longest' })
    expect(
      ruleOf(
        load(
          form,
          Array.from(
            { length: 12 },
            () =>
              [
                [55, 30],
                [5, 5],
              ] as const,
          ).flat(),
        ),
      ),
    ).toMatchObject({
      limit: 30,
    })
    expect(ruleOf(load(form, [[61, -0.5]]))).toMatchObject({ limit: -0.5, side: 'below' })
  })

  test('quick-frozen goods are counted, and decided once the company says how long', () => {
    const form = profile('quick-frozen')
    const course: Course = [
      [90, -17],
      [10, -20],
    ]
    const budget = load(form, course)
    expect([used(budget, -18), budgetStatusOf(budget).state]).toEqual([90, 'within'])
    const rules = form.rules.map((rule) =>
      'minutes' in rule && rule.minutes === null ? { ...rule, minutes: 60 } : rule,
    )
    expect(budgetStatusOf(load({ ...form, rules }, course)).state).toBe('exhausted')
    expect(budgetStatusOf(load(form, [[5, -14.9]])).state).toBe('exhausted')
  })

  test('chilled food bears 6 h above 5 °C, but 4 h once it was above 21 °C', () => {
    const form = profile('chilled-food')
    expect(budgetStatusOf(load(form, [[300, 10]])).exhausted).toBeUndefined()
    expect(ruleOf(load(form, [[361, 10]]))).toBeDefined()
    const hot = load(form, [
      [300, 10],
      [2, 22],
    ])
    expect(exhaustedOf(hot)).toMatchObject({ rule: 0, allowed: 240 })
  })
})

describe('what is known', () => {
  test('at the present temperature it is exhausted when what is left is used', () => {
    const budget = load(profile('chilled-food'), [[120, 10]])
    const { exhaustsAt, state, percent } = budgetStatusOf(budget)
    expect([exhaustsAt - FROM, state]).toEqual([360 * MINUTE, 'within'])
    expect(percent).toBeCloseTo((120 / 360) * 100, 9)
    expect(budgetStatusOf(load(profile('chilled-food'), [[250, 10]])).state).toBe('at-risk')
    expect(
      budgetStatusOf(
        load(profile('chilled-food'), [
          [120, 10],
          [5, 4],
        ]),
      ).exhaustsAt,
    ).toBe(Number.POSITIVE_INFINITY)
  })

  test('nothing measured is not nothing used', () => {
    const budget = createBudget(budgetRules(MEDICINES), FROM, 10 * MINUTE)
    expect(budgetStatusOf(budget)).toMatchObject({ state: 'within', percent: Number.NaN })
    expect(mktOf(budget).value).toBeNaN()
  })

  test('what is used never shrinks, is at least what was measured, and at most what may have been', () => {
    fc.assert(
      fc.property(courses, fc.constantFrom(...Object.values(SHIPPED_PROFILES)), (course, form) => {
        const budget = createBudget(budgetRules(form), FROM, 10 * MINUTE)
        let before = new Float64Array(budget.sums.length)
        for (const [minute, celsius] of course) {
          takeReading(budget, FROM + minute * MINUTE, celsius)
          for (let i = 0; i < budget.rules.times.length; i++) {
            const at = timesOf(i)
            const now = budget.sums.subarray(at, at + TIME.all)
            const was = before.subarray(at, at + TIME.all)
            for (const place of [TIME.used, TIME.least, TIME.most, TIME.longestLeast, TIME.longestMost])
              expect(now[place]).toBeGreaterThanOrEqual(was[place] as number)
            expect(now[TIME.used]).toBeLessThanOrEqual((now[TIME.least] as number) + 1e-3)
            expect(now[TIME.least]).toBeLessThanOrEqual((now[TIME.most] as number) + 1e-3)
            expect(now[TIME.longestLeast]).toBeLessThanOrEqual((now[TIME.longestMost] as number) + 1e-3)
            expect(now[TIME.longestMost]).toBeLessThanOrEqual((now[TIME.most] as number) + 1e-3)
          }
          before = budget.sums.slice()
        }
      }),
    )
  })

  test('whatever filled a gap as slowly as it may, its minutes and its mean are within the bounds', () => {
    fc.assert(
      fc.property(fillings, ({ rows, from, to, limit }) => {
        const form: ProfileForm = {
          ...MEDICINES,
          rules: [
            {
              kind: 'time',
              side: 'above',
              limit,
              isInclusive: false,
              minutes: 1e4,
              isFullAllowed: true,
              spell: 'total',
            },
            {
              kind: 'time',
              side: 'above',
              limit,
              isInclusive: false,
              minutes: 1e4,
              isFullAllowed: true,
              spell: 'longest',
            },
          ],
        }
        const all = createBudget(budgetRules(form), FROM, 10 * MINUTE)
        const seen = createBudget(budgetRules(form), FROM, 10 * MINUTE)
        for (const [i, celsius] of rows.entries()) {
          const at = FROM + i * (MINUTE / 4)
          takeReading(all, at, celsius)
          if (i <= from || i >= to) takeReading(seen, at, celsius)
        }
        // a step of a quarter of a minute stands for itself: so exact is what is filled in
        const slack = MINUTE
        for (const i of [0, 1]) {
          const rule = seen.rules.times[i] as TimeRule
          const truth = usedMs(all.sums, timesOf(i), rule, 'used')
          expect(truth).toBeGreaterThanOrEqual(usedMs(seen.sums, timesOf(i), rule, 'least') - slack)
          expect(truth).toBeLessThanOrEqual(usedMs(seen.sums, timesOf(i), rule, 'most') + slack)
        }
        const { least, most } = mktOf(seen)
        expect(mktOf(all).value).toBeGreaterThanOrEqual(least - 0.15)
        expect(mktOf(all).value).toBeLessThanOrEqual(most + 0.15)
      }),
    )
  })

  test.each(MKT_HOURS)(
    'the mean kinetic temperature of the last %d h is that of its readings, but for what is past of its oldest part',
    (hours) => {
      const window = hours * HOUR
      const rules: ProfileForm['rules'] = [{ kind: 'mkt', limit: 60, hours, onlyAbove: null }]
      const gapMs = window / 24
      fc.assert(
        fc.property(fc.array(stepOf, { minLength: 20, maxLength: 300 }), (steps) => {
          const budget = createBudget(budgetRules({ ...MEDICINES, rules }), FROM, gapMs)
          const taken: { at: number; celsius: number }[] = []
          for (const [share, celsius] of steps) {
            const at = (taken.at(-1)?.at ?? FROM) + Math.ceil(share * gapMs)
            taken.push({ at, celsius })
            takeReading(budget, at, celsius)
          }
          const since = (taken.at(-1)?.at ?? FROM) - window
          const mean = meanTermSince(since, taken, gapMs)
          const { value = Number.NaN } = windowMktOf(budget) ?? {}
          if (Number.isNaN(mean)) expect(value).toBeNaN()
          else {
            // of the oldest part as much is left out as is past, wherever in it that was
            const part = window / 96
            const oldest = taken.filter(({ at }) => Math.abs(at - since) <= part + gapMs)
            const off = Math.max(0, ...oldest.map(({ celsius }) => Math.abs(kineticTerm(celsius) - mean)))
            const measured = Math.max(0, sumOf(weightsSince(since, taken, gapMs)) - part)
            expect(Math.abs(kineticTerm(value) - mean) * measured).toBeLessThanOrEqual(
              off * part + mean * measured * 1e-9,
            )
          }
        }),
      )
    },
  )

  test('taking a reading costs the same however old the load is: nothing grows but at the first gap', () => {
    const budget = load(MEDICINES, [
      [100, 5],
      [60, null],
      [3000, 7],
    ])
    expect(budget.sums.length).toBe(createBudget(budget.rules, FROM, 0).sums.length)
  })
})

/** How long after the one before, as a share of a gap, and °C: now and then there is a gap. */
const stepOf = fc.tuple(
  fc.oneof(
    { weight: 12, arbitrary: fc.double({ min: 0.01, max: 1, noNaN: true }) },
    { weight: 1, arbitrary: fc.double({ min: 1.1, max: 3, noNaN: true }) },
  ),
  fc.integer({ min: -250, max: 400 }).map((tenths) => tenths / 10),
)

type Taken = readonly { at: number; celsius: number }[]

/** Each reading's time since then, ms, without gaps: half the way to each neighbour. */
function weightsSince(since: number, taken: Taken, gapMs: number): number[] {
  const weights = taken.map(() => 0)
  for (let i = 1; i < taken.length; i++) {
    const [from, to] = [taken[i - 1]?.at ?? 0, taken[i]?.at ?? 0]
    if (to - from > gapMs) continue
    const half = (from + to) / 2
    weights[i - 1] = (weights[i - 1] as number) + Math.max(0, half - Math.max(from, since))
    weights[i] = (weights[i] as number) + Math.max(0, to - Math.max(half, since))
  }
  return weights
}
const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0)

/** Σ w·k(T) / Σ w of what was measured since then; NaN: nothing was. */
function meanTermSince(since: number, taken: Taken, gapMs: number): number {
  const weights = weightsSince(since, taken, gapMs)
  const all = sumOf(weights)
  if (all === 0) return Number.NaN
  return sumOf(taken.map(({ celsius }, i) => (weights[i] as number) * kineticTerm(celsius))) / all
}

/** Readings at ascending minutes, some with gaps between, °C. */
const courses = fc
  .array(fc.tuple(fc.constantFrom(1, 2, 5, 9, 30, 200), fc.integer({ min: -3000, max: 4800 })), {
    maxLength: 40,
  })
  .map((steps) => {
    let minute = 0
    return steps.map(([wait, hundredths]): [number, number] => {
      minute += wait
      return [minute, hundredths / 100]
    })
  })

/** A reading each quarter of a minute that changes by no more than 0.5 °C a minute, a part of which nobody saw, and a limit. */
const fillings = fc
  .record({
    start: fc.integer({ min: 0, max: 15 }),
    turns: fc.array(
      fc.tuple(fc.integer({ min: 20, max: 160 }), fc.double({ min: -0.125, max: 0.125, noNaN: true })),
      {
        minLength: 3,
        maxLength: 8,
      },
    ),
    limit: fc.integer({ min: 2, max: 20 }),
    cut: fc.tuple(
      fc.double({ min: 0.05, max: 0.4, noNaN: true }),
      fc.double({ min: 0.6, max: 0.95, noNaN: true }),
    ),
  })
  .map(({ start, turns, limit, cut }) => {
    const rows = [start]
    for (const [steps, slope] of turns)
      for (let i = 0; i < steps; i++) rows.push(Math.max(-30, Math.min(50, (rows.at(-1) as number) + slope)))
    const [from, to] = cut.map((share) => Math.floor(share * rows.length)) as [number, number]
    return { rows, from, to, limit }
  })
  // it is a gap from ten minutes on
  .filter(({ rows, from, to }) => to - from > 41 && to < rows.length)
