import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { initialTransition } from 'xstate'
import { decide, given } from '../testing/given.ts'
import { type ReportEvent, reportMachine } from './report.machine.ts'
import { file } from './report.samples.ts'

const files = [file]

const start: ReportEvent = { type: 'start', at: 1 }
const fail: ReportEvent = { type: 'fail', at: 2, reason: 'The disk is full' }
const retry: ReportEvent = { type: 'retry', at: 4, upTo: 9 }
const cancel: ReportEvent = { type: 'cancel', at: 3, cancelledBy: 'Bilal Ahmed' }
const when = (...events: ReportEvent[]) => given(reportMachine, undefined, events)

describe('a report', () => {
  test('is begun when its turn comes', () =>
    when()
      .when(start)
      .emits({ state: 'pending', facts: [{ type: 'report.started', at: 1, data: {} }] }))

  test('that was cut off is begun again, which is told again', () => {
    const decided = when(start, { type: 'progress', at: 2, done: 0.7 }).when(start)
    decided.emits({ state: 'pending', facts: [{ type: 'report.started', at: 1, data: {} }] })
    expect(decided.snapshot.context.progress).toBe(0)
  })

  test('is completed with its file', () =>
    when(start)
      .when({ type: 'complete', at: 3, files })
      .emits({ state: 'completed', facts: [{ type: 'report.completed', at: 3, data: { files } }] }))

  test('that failed says why, and waits again when somebody retries', () => {
    const failed = when(start).when(fail)
    failed.emits({
      state: 'failed',
      facts: [{ type: 'report.failed', at: 2, data: { reason: 'The disk is full' } }],
    })
    expect(failed.snapshot.context.reason).toBe('The disk is full')
    const retried = when(start, fail).when({ type: 'retry', at: 3, upTo: 9 })
    retried.emits({ state: 'requested', facts: [{ type: 'report.retried', at: 3, data: { upTo: 9 } }] })
    expect(retried.snapshot.context).toEqual({ progress: 0, reason: null })
  })

  test.each([
    ['waits', []],
    ['is being made', [start]],
  ])('that %s may be cancelled, by somebody with a name', (_, before) =>
    when(...before)
      .when(cancel)
      .emits({
        state: 'cancelled',
        facts: [{ type: 'report.cancelled', at: 3, data: { cancelledBy: 'Bilal Ahmed' } }],
      }),
  )

  test('that failed is over: there is nothing to cancel', () =>
    when(start, fail).when(cancel).emits({ state: 'failed', facts: [] }))

  test.each<[string, ReportEvent[]]>([
    ['completed', [start, { type: 'complete', at: 3, files }]],
    ['cancelled', [start, cancel]],
  ])('that is %s stays so, whatever comes', (state, before) => {
    for (const late of [start, fail, { type: 'complete' as const, at: 4, files }, retry, cancel])
      when(...before)
        .when(late)
        .emits({ state, facts: [] })
  })
})

const event: fc.Arbitrary<ReportEvent> = fc.oneof(
  fc.constantFrom<ReportEvent>(start, fail, { type: 'complete', at: 3, files }, retry, cancel),
  fc.record({ type: fc.constant('progress' as const), at: fc.constant(2), done: fc.double() }),
)

test('whatever happens, it is completed at most once, and progress never goes back while it is made', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let [snapshot] = initialTransition(reportMachine)
      let completed = 0
      for (const event of events) {
        const before = snapshot
        const decided = decide(reportMachine, snapshot, event)
        snapshot = decided.snapshot
        completed += decided.facts.filter(
          (fact) => (fact as { type: string }).type === 'report.completed',
        ).length
        expect(snapshot.context.progress).toBeGreaterThanOrEqual(0)
        expect(snapshot.context.progress).toBeLessThanOrEqual(1)
        if (event.type === 'progress')
          expect(snapshot.context.progress).toBeGreaterThanOrEqual(before.context.progress)
      }
      expect(completed).toBeLessThanOrEqual(1)
    }),
  )
})
