import { messageOf } from '#machines/rules/message-of.ts'
import type { Look, Playback, Shown, TimeMachineEvent } from '#machines/time-machine/time-machine.machine.ts'

const MINUTE = 60_000

export type Playing = {
  /** resolves with what shows it */
  askFor(look: Look, signal: AbortSignal): Promise<() => Shown>
  /** the server's clock, epoch ms */
  now(): number
  signal: AbortSignal
  send(event: TimeMachineEvent): void
}

type Requested = { at: number; answer: Promise<() => Shown> }

/**
 * One minute after the other, each when it is due by the clock that began to run with the first. The next one is asked for before
 * the one that is on its way has come: the server works on it while this one is drawn. One that is late is shown all the same; those
 * that were due meanwhile are left out, and none after it comes any later for that.
 */
export async function play(
  { speed, ...look }: Playback,
  { askFor, now, signal, send }: Playing,
): Promise<void> {
  const perMinute = MINUTE / speed
  const began = performance.now()
  /** real ms */
  const dueAt = (at: number): number => began + ((at - look.at) / MINUTE) * perMinute
  const askAt = (at: number): Requested => {
    const answer = askFor({ ...look, at }, signal)
    // thrown to whoever waits for it
    answer.catch(() => {})
    return { at, answer }
  }
  /** from when a minute is due until it is shown, as a rule: one that takes long alone says nothing of the next */
  let takes = 0
  /** the first after a minute that is due once that one is shown; undefined: there is none yet */
  const after = (at: number): Requested | undefined => {
    const last = Math.floor(now() / MINUTE) * MINUTE
    const passed = Math.floor((performance.now() + Math.max(takes, perMinute) - began) / perMinute)
    const next = Math.min(last, Math.max(at + MINUTE, look.at + passed * MINUTE))
    return at >= last ? undefined : askAt(next)
  }
  try {
    for (let coming = after(look.at); coming !== undefined; ) {
      const { at, answer } = coming
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt(at) - performance.now())))
      if (signal.aborted) return
      const waited = performance.now()
      coming = after(at)
      const put = await answer
      if (signal.aborted) return
      const { shown } = put()
      takes += (performance.now() - waited - takes) / 4
      send({ type: 'played', to: at, shown })
    }
    await new Promise((resolve) => setTimeout(resolve, perMinute))
    if (!signal.aborted) send({ type: 'played.out' })
  } catch (error) {
    if (!signal.aborted) send({ type: 'playback.failed', error: new Error(messageOf(error)) })
  }
}
