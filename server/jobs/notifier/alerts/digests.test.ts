import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FactOf } from '#machines/contracts/facts.ts'
import {
  type Digests,
  type Due,
  dueAt,
  emptyDigests,
  foldRaised,
  forgetQuiet,
  gather,
  nextAt,
} from './digests.ts'

const MINUTE = 60_000
const AYESHA = { userId: 'u1', channel: 'email' } as const

type Notified = FactOf<'violation.opened'> | FactOf<'alert.raised'>

const opened = (seq: number, recordedAt: number) =>
  ({
    seq,
    recordedAt,
    type: 'violation.opened',
    data: { imei: '350000000000000', type: 'HIGH_TEMPERATURE_DETECTED' },
  }) as FactOf<'violation.opened'>

function fold(digests: Digests, fact: Notified): void {
  if (fact.type === 'alert.raised') foldRaised(digests, fact)
  else gather(digests, [AYESHA], fact)
}

/** One addressee, and a clock that goes by minutes; what was told is in `record`, from which all can be folded again. */
function alerting() {
  const record: Notified[] = []
  let digests = emptyDigests()
  let now = 0
  const alerts: { at: number; about: number[]; quiet: number }[] = []
  const raise = (): void => {
    for (const due of dueAt(digests, now, () => true)) {
      const fact = {
        seq: record.length + 1,
        type: 'alert.raised',
        at: now,
        data: due,
      } as unknown as FactOf<'alert.raised'>
      record.push(fact)
      fold(digests, fact)
      alerts.push({ at: now / MINUTE, about: due.about, quiet: due.quietSeconds / 60 })
    }
  }
  return {
    alerts,
    record,
    open() {
      const fact = opened(record.length + 1, now)
      record.push(fact)
      fold(digests, fact)
    },
    raise,
    pass(minutes: number) {
      for (let i = 0; i < minutes; i++) {
        now += MINUTE
        raise()
      }
    },
    /** as a start finds it: folded anew, from the beginning or from what was saved */
    restart(saved = 0, state = emptyDigests()) {
      digests = state
      for (const fact of record.slice(saved)) fold(digests, fact)
    },
    state: () => structuredClone(digests),
    forget: () => forgetQuiet(digests, now),
    nextAt: () => nextAt(digests),
  }
}

test('the first is told at once, what follows at the end of ten minutes, then of twenty, forty, an hour', () => {
  const app = alerting()
  for (let minute = 0; minute < 240; minute++) {
    app.open()
    app.raise()
    app.pass(1)
  }
  expect(app.alerts.map(({ at, about }) => [at, about.length])).toEqual([
    [0, 1],
    [10, 9],
    [30, 20],
    [70, 40],
    [130, 60],
    [190, 60],
  ])
})

test('a storm of a day is 26 messages', () => {
  const app = alerting()
  for (let minute = 0; minute < 24 * 60; minute++) {
    app.open()
    app.pass(1)
    app.raise()
  }
  expect(app.alerts).toHaveLength(26)
})

test('a time without anything ends the storm: the next is told at once', () => {
  const app = alerting()
  app.open()
  app.raise()
  app.open()
  app.pass(31)
  app.open()
  app.raise()
  expect(app.alerts).toEqual([
    { at: 0, about: [1], quiet: 10 },
    { at: 10, about: [3], quiet: 20 },
    { at: 31, about: [5], quiet: 10 },
  ])
})

test('an opening that came late may still last: it is told at once, and what is found behind newer readings a quarter of an hour later', () => {
  const digests = emptyDigests()
  const late = opened(1, 0)
  gather(digests, [AYESHA], { ...late, data: { ...late.data, receivedAt: -5 * MINUTE } })
  gather(digests, [AYESHA], {
    ...late,
    seq: 2,
    type: 'violation.found-late',
  } as unknown as FactOf<'violation.found-late'>)
  const alertedAt = (now: number) => dueAt(digests, now, () => true).flatMap(({ about }) => about)
  expect(alertedAt(0)).toEqual([1])
  expect(alertedAt(15 * MINUTE - 1)).not.toContain(2)
  expect(alertedAt(15 * MINUTE)).toContain(2)
})

test('when next is known, so that a clock need not be looked at', () => {
  const app = alerting()
  expect(app.nextAt()).toBe(Number.POSITIVE_INFINITY)
  app.open()
  expect(app.nextAt()).toBe(0)
  app.raise()
  expect(app.nextAt()).toBe(Number.POSITIVE_INFINITY)
  app.open()
  expect(app.nextAt()).toBe(10 * MINUTE)
})

test('what nobody wants to hear of any more is not told', () => {
  const digests = emptyDigests()
  for (const seq of [1, 2, 3]) gather(digests, [AYESHA], opened(seq, 0))
  const [due] = dueAt(digests, 0, (_, { seq }) => seq !== 2) as [Due]
  expect(due.about).toEqual([1, 3])
})

test('more than one message can tell is told in several, at once', () => {
  const digests = emptyDigests()
  for (let seq = 1; seq <= 12_000; seq++) gather(digests, [AYESHA], opened(seq, 0))
  const due = dueAt(digests, 0, () => true)
  expect(due.map(({ about }) => about.length)).toEqual([5_000, 5_000, 2_000])
  expect(new Set(due.flatMap(({ about }) => about)).size).toBe(12_000)
})

describe('whatever comes, and whenever the server starts anew', () => {
  const steps = fc.array(
    fc.oneof(
      fc.constant('open' as const),
      fc.constant('restart' as const),
      fc.constant('save' as const),
      fc.constant('resume' as const),
      fc.constant('forget' as const),
      fc.integer({ min: 1, max: 45 }),
    ),
    { maxLength: 80 },
  )

  function run(taken: readonly (string | number)[]) {
    const app = alerting()
    let saved = 0
    let state = emptyDigests()
    for (const step of taken) {
      if (step === 'open') app.open()
      else if (step === 'restart') app.restart()
      else if (step === 'resume') app.restart(saved, structuredClone(state))
      else if (step === 'forget') app.forget()
      else if (step === 'save') [saved, state] = [app.record.length, app.state()]
      else app.pass(Number(step))
      app.raise()
    }
    app.pass(61)
    return app
  }

  test('each violation is told once, within an hour', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { record, alerts } = run(taken)
        const violations = record.filter((fact) => fact.type === 'violation.opened')
        expect(alerts.flatMap(({ about }) => about)).toEqual(violations.map(({ seq }) => seq))
        for (const { at, about } of alerts)
          for (const seq of about) {
            const { recordedAt } = record[seq - 1] as FactOf<'violation.opened'>
            expect(at * MINUTE - recordedAt).toBeLessThanOrEqual(60 * MINUTE)
          }
      }),
    )
  })

  test('between two alerts there is as much time as the first said, ten minutes to an hour', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { alerts } = run(taken)
        for (const [i, { at, quiet }] of alerts.entries()) {
          expect([10, 20, 40, 60]).toContain(quiet)
          const next = alerts[i + 1]
          if (next) expect(next.at - at).toBeGreaterThanOrEqual(quiet)
        }
      }),
    )
  })

  test('a restart changes nothing', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const undisturbed = taken.filter((step) => step === 'open' || typeof step === 'number')
        expect(run(taken).alerts).toEqual(run(undisturbed).alerts)
      }),
    )
  })
})
