import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { Recording } from '#machines/contracts/recording.ts'
import { wordsOf } from './step-words.ts'
import { createWalker } from './walker.ts'

const files = import.meta.glob<string>('../../../fixtures/recordings/link-cut-and-resumed.json', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const recording = decodeJson(Object.values(files)[0] ?? '', Recording, 'recording')
const { steps } = recording

/** The same steps again and again: longer than the way between two places from which one can go on. */
const long: Recording = { ...recording, steps: Array.from({ length: 20 }, () => steps).flat() }

describe('going to and fro in a recording', () => {
  test('shows the same after a step whatever way one came', () => {
    const sceneAt = createWalker(long)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: long.steps.length }), { minLength: 1, maxLength: 6 }), (stops) => {
        for (const taken of stops) expect(sceneAt(taken)).toEqual(createWalker(long)(taken))
      }),
      { numRuns: 8 },
    )
  })

  test('keeps what it showed before', () => {
    const sceneAt = createWalker(recording)
    const before = sceneAt(0)
    sceneAt(steps.length)
    expect(before).toMatchObject({ machines: [{ machine: 'session', state: 'idle' }, {}], fleet: undefined })
  })

  test('shows the link that was cut, and the fleet that went on', () => {
    const sceneAt = createWalker(recording)
    const lost = steps.findIndex((step) => step.kind === 'event' && step.event.type === 'networkLost')
    const linkAt = (taken: number) => sceneAt(taken).machines.find(({ machine }) => machine === 'link')?.state
    expect([linkAt(lost), linkAt(lost + 1), linkAt(steps.length)]).toEqual([
      { linking: 'online' },
      'offline',
      { linking: 'online' },
    ])
    const { fleet } = sceneAt(steps.length)
    expect(fleet?.counts.total).toBe(40)
    expect(fleet?.seq).toBeGreaterThan(sceneAt(lost).fleet?.seq ?? 0)
  })
})

describe('a step in words', () => {
  test.each([
    ['a frame', 'bytes', { who: '/live', what: expect.stringMatching(/^(what was missed: )?\d+ devices?/) }],
    ['the fleet', 'fleet', { who: 'fleet', what: '40 devices fetched' }],
    ['a page', 'route', { who: 'page', what: '/login' }],
    ['a socket', 'wire', { who: '/live', what: 'opened' }],
  ])('%s', (_, kind, words) => {
    const step = steps.find((one) => one.kind === kind)
    expect(step && wordsOf(step)).toEqual(words)
  })

  test('says what of the machine it was, and where it is', () => {
    const rows = steps.flatMap((step) => (step.kind === 'event' ? [wordsOf(step)] : []))
    expect(rows).toContainEqual({ who: 'session', what: 'signIn answers → authenticated.fresh' })
    expect(rows).toContainEqual({ who: 'link', what: 'begins → linking.connecting' })
  })

  test('says so where it is not understood', () => {
    const step = { kind: 'bytes', t: 0, wire: 'live', way: 'in', data: 'AAAA' } as const
    expect(wordsOf(step).what).toBe('not understood: live frame: too short for a header')
  })
})
