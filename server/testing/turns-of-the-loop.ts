/** Counts turns of the event loop: what is done within one keeps everybody else waiting. */
export function countTurns() {
  let turns = 0
  let next = setImmediate(function on() {
    turns++
    next = setImmediate(on)
  })
  return { now: () => turns, stop: () => clearImmediate(next) }
}
