import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { model as activationLink } from '#machines/activation-link/activation-link.samples.ts'
import { model as deviceUpdate } from '#machines/device-update/device-update.samples.ts'
import { model as session } from '#machines/session/session.samples.ts'
import { transitionsOf } from '#machines/testing/chart.ts'
import { fewest, pathTo } from '#machines/testing/choosing.ts'
import type { PathModel } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { begin, silenced } from '#machines/testing/replay.ts'
import { model as violation } from '#machines/violation/violation.samples.ts'

const MODELS: PathModel[] = [activationLink, deviceUpdate, session, violation]
const anyWalk = fc.record({
  model: fc.constantFrom(...MODELS),
  seed: fc.nat(),
  length: fc.integer({ min: 1, max: 30 }),
})

describe('a random walk', () => {
  test('is one the machine takes, by the transitions it says, step by step', () => {
    fc.assert(
      fc.property(anyWalk, ({ model, seed, length }) => {
        const [path] = walk(model, { by: { walks: 1, length, seed } }).paths
        const played = { ...model, machine: silenced(model) }
        const names = transitionsOf(played.machine)
        const player = begin(played)
        expect(path?.steps.length).toBeLessThanOrEqual(length + 1)
        for (const [i, { event, state }] of (path?.steps ?? []).entries()) {
          player.take(event)
          expect(player.state().value).toEqual(state.value)
          const taken = [...player.taken()].flatMap((one) => names.get(one) ?? [])
          expect(taken).toEqual(path?.takesAt[i])
          if (i > 0) expect(taken).not.toEqual([])
        }
        player.end()
        expect(new Set(path?.takes)).toEqual(new Set(path?.takesAt.flat()))
      }),
      { numRuns: 60 },
    )
  })

  test('is the same for the same seed, also when more are asked for', () => {
    fc.assert(
      fc.property(anyWalk, ({ model, seed, length }) => {
        const eventsOf = (walks: number) =>
          walk(model, { by: { walks, length, seed } }).paths.map(({ takesAt }) => takesAt)
        expect(eventsOf(4).slice(0, 2)).toEqual(eventsOf(2))
      }),
      { numRuns: 20 },
    )
  })

  test('goes elsewhere with another seed', () => {
    const walks = [1, 2].map((seed) => walk(session, { by: { walks: 3, length: 20, seed } }).paths)
    expect(walks[0]?.map(({ takesAt }) => takesAt)).not.toEqual(walks[1]?.map(({ takesAt }) => takesAt))
  })
})

describe.each(MODELS)('of $name', (model) => {
  const whole = walk(model)

  test('the fewest paths take all that all of them take, and are not more', () => {
    const few = fewest(whole.paths)
    expect(new Set(few.flatMap(({ takes }) => takes))).toEqual(new Set(whole.transitions))
    expect(few.length).toBeLessThanOrEqual(whole.paths.length)
  })

  test('the shortest path to each transition ends with it, and no path is there sooner', () => {
    for (const name of whole.transitions) {
      const path = pathTo(model, whole, name)
      expect(path?.takesAt.at(-1)).toContain(name)
      const soonest = whole.paths.map(({ takesAt }) => takesAt.findIndex((takes) => takes.includes(name)))
      expect(path?.steps.length).toBe(Math.min(...soonest.filter((at) => at >= 0)) + 1)
    }
  })

  test('a transition that is avoided is on no path, and no other transition is claimed in its place', () => {
    const [, avoided = ''] = whole.transitions
    const found = walk(model, { avoid: [avoided] })
    expect(found.paths.flatMap(({ takes }) => takes)).not.toContain(avoided)
    expect(found.unreached).toContain(avoided)
  })
})
