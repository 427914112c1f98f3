const LOOK_MS = 1000
const LOOKS = 5

/** How fast a world really is: a busy machine takes in less than its clock would let by. */
export type Reached = {
  /** world seconds in a real one over the last seconds; null while it stands, or it is not known yet */
  speed(): number | null
  stop(): void
}

/** @param clock `now`, epoch ms of the world; monotone real ms in `realNow` */
export function measureSpeed(
  clock: { now(): number; paused(): boolean },
  realNow: () => number = () => performance.now(),
): Reached {
  const looks: { world: number; real: number }[] = []
  const look = (): void => {
    if (clock.paused()) looks.length = 0
    else looks.push({ world: clock.now(), real: realNow() })
    if (looks.length > LOOKS) looks.shift()
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return {
    speed() {
      const [first] = looks
      const last = looks.at(-1)
      if (clock.paused() || first === undefined || last === undefined || last.real <= first.real) return null
      return Math.round(((last.world - first.world) / (last.real - first.real)) * 10) / 10
    },
    stop: () => clearInterval(timer),
  }
}
