import type { AnyEventObject, AnyTransitionDefinition } from 'xstate'
import type { PathModel, PathStep, RandomOptions } from './path-model.ts'
import { begin, isWait } from './replay.ts'
import { enabledBy, type Traversal } from './traversal.ts'

/** Time goes on until a wait ends, whichever ends first. */
const TIME = 'time'

/**
 * Walks at random: at each step one of the events that do something there, or the next wait's end, all equally likely.
 * The same seed gives the same walks, and more of them begin with these.
 * @param model its machine is `silenced`
 */
export function wander(
  model: PathModel,
  { events }: Traversal,
  isAvoided: (transition: AnyTransitionDefinition) => boolean,
  { walks, length, seed }: RandomOptions,
): PathStep[][] {
  return Array.from({ length: walks }, (_, walk) => {
    const random = mulberry32(Math.imul(seed, 0x9e3779b1) ^ Math.imul(walk + 1, 0x85ebca6b))
    const player = begin(model)
    const steps: PathStep[] = [{ event: { type: 'xstate.init' }, state: player.state() }]
    player.taken()
    while (steps.length <= length) {
      const state = player.state()
      const enabled = events(state).filter((event) => enabledBy(model, state, event).length > 0)
      const choices: (AnyEventObject | typeof TIME)[] = enabled.filter(({ type }) => !isWait(type))
      if (choices.length < enabled.length && player.isWaiting()) choices.push(TIME)
      const choice = choices[Math.floor(random() * choices.length)]
      if (choice === undefined) break
      const event = choice === TIME ? player.waitForNext() : choice
      if (event === undefined) break
      if (choice !== TIME) player.take(event)
      if ([...player.taken()].some(isAvoided)) break
      steps.push({ event, state: player.state() })
    }
    player.end()
    return steps
  })
}

/** Numbers in [0, 1), the same for the same seed (Tommy Ettinger's mulberry32, in the public domain). */
function mulberry32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
