import { describe, expect, test } from 'vitest'
import { given } from '../testing/given.ts'
import { type LoadEvent, loadMachine } from './load.machine.ts'
import { used } from './load.samples.ts'

const exhaust: LoadEvent = { type: 'exhaust', at: 10, data: used }
const review: LoadEvent = { type: 'begin review', at: 20, userName: 'Ayesha' }
const reject: LoadEvent = { type: 'reject', at: 30, userName: 'Ayesha', reason: 'Too warm' }
const release: LoadEvent = { type: 'release', at: 30, userName: 'Ayesha', reason: 'Stability data' }
const close: LoadEvent = { type: 'close', at: 40, userName: 'Danish' }
const stateAfter = (...events: LoadEvent[]) =>
  when(...events.slice(0, -1)).when(events.at(-1) as LoadEvent).snapshot.value
const when = (...events: LoadEvent[]) => given(loadMachine, undefined, events)

describe('a load', () => {
  test('is at risk and within its budget again as readings say', () => {
    const risk: LoadEvent = { type: 'measured', at: 5, state: 'at-risk' }
    when().when(risk).emits({ state: 'atRisk', facts: [] })
    when(risk).when({ type: 'measured', at: 6, state: 'within' }).emits({ state: 'within', facts: [] })
  })

  test('is told to be exhausted once, and stays so though it is cool again', () => {
    when()
      .when(exhaust)
      .emits({ state: 'exhausted', facts: [{ type: 'load.exhausted', at: 10, data: used }] })
    when(exhaust).when(exhaust).emits({ state: 'exhausted', facts: [] })
    when(exhaust).when({ type: 'measured', at: 11, state: 'within' }).emits({ state: 'exhausted', facts: [] })
  })

  test('says so where it was late readings that told it', () =>
    when()
      .when({ ...exhaust, receivedAt: 900 } as LoadEvent)
      .emits({
        state: 'exhausted',
        facts: [{ type: 'load.exhausted', at: 10, data: { ...used, receivedAt: 900 } }],
      }))

  test('is reviewed before it is decided about', () => {
    when(exhaust).when(reject).emits({ state: 'exhausted', facts: [] })
    when(exhaust)
      .when(review)
      .emits({
        state: 'inReview',
        facts: [{ type: 'load.review-begun', at: 20, data: { userName: 'Ayesha' } }],
      })
    const decided = when(exhaust, review).when(reject)
    const data = { userName: 'Ayesha', reason: 'Too warm' }
    decided.emits({ state: 'rejected', facts: [{ type: 'load.rejected', at: 30, data }] })
    expect(decided.snapshot.context.decision).toEqual({ ...data, at: 30 })
  })

  test('within its budget is not reviewed while it is under way, but may be once it is closed', () => {
    when().when(review).emits({ state: 'within', facts: [] })
    when()
      .when(close)
      .emits({ state: 'closed', facts: [{ type: 'load.closed', at: 40, data: { userName: 'Danish' } }] })
    expect(stateAfter(close, review, release)).toBe('released')
  })

  test('is closed once, and what is open about it stays open', () => {
    expect(stateAfter(exhaust, close)).toBe('exhausted')
    when(exhaust, close)
      .when({ ...close, at: 41 })
      .emits({ state: 'exhausted', facts: [] })
  })

  test('that late readings show was never exhausted goes back to where it would be', () => {
    const never: LoadEvent = { type: 'revise', at: 50, after: null, isAtRisk: false }
    when(exhaust)
      .when(never)
      .emits({
        state: 'within',
        facts: [{ type: 'load.revised', at: 50, data: { before: 10, after: null } }],
      })
    expect(stateAfter(exhaust, { ...never, isAtRisk: true })).toBe('atRisk')
    expect(stateAfter(exhaust, close, never)).toBe('closed')
    expect(stateAfter(exhaust, review, never)).toBe('inReview')
  })

  test('that was released is told of again when it is exhausted after that, one rejected is not', () => {
    expect(stateAfter(close, review, release, exhaust)).toBe('exhausted')
    when(exhaust, review, reject).when(exhaust).emits({ state: 'rejected', facts: [] })
  })
})
