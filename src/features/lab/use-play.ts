import { useEffect, useRef, useState } from 'react'
import type { AnyEventObject, AnyStateNode } from 'xstate'
import { transitionsOf } from '#machines/testing/chart.ts'
import type { Path, PathModel } from '#machines/testing/path-model.ts'
import { begin, silenced } from '#machines/testing/replay.ts'

/** What one step did to the machine. */
export type Shot = {
  event: AnyEventObject
  /** names of transitions, in the order they were taken */
  takes: string[]
  /** names of the states it is in after it */
  within: string[]
  context: unknown
}

export type Play = {
  /** of the steps played so far */
  shots: readonly Shot[]
  isPlaying: boolean
  isOver: boolean
  /** why the machine did not follow */
  failure: string | undefined
  run: () => void
  pause: () => void
  step: () => void
  reset: () => void
}

/** Between two steps, ms. */
const BEAT = 900

/** Plays a path, step by step, on an actor of the machine whose own actors answer what the path says. */
export function usePlay(model: PathModel, { steps }: Path): Play {
  const [shots, setShots] = useState<readonly Shot[]>([])
  const [isPlaying, setPlaying] = useState(false)
  const [failure, setFailure] = useState<string>()
  const player = useRef<(event: AnyEventObject) => Shot>(undefined)
  const isOver = shots.length === steps.length

  function step(): void {
    const next = steps[shots.length]
    if (next === undefined) return
    try {
      player.current ??= playerOf(model)
      const shot = player.current(next.event)
      setShots([...shots, shot])
      if (shots.length + 1 === steps.length) setPlaying(false)
    } catch (error) {
      setFailure(String(error))
      setPlaying(false)
    }
  }

  function reset(): void {
    player.current = undefined
    setShots([])
    setFailure(undefined)
    setPlaying(false)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a beat after each step comes the next
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(step, shots.length === 0 ? 0 : BEAT)
    return () => clearTimeout(timer)
  }, [isPlaying, shots])

  return {
    shots,
    isPlaying,
    isOver,
    failure,
    run() {
      if (isOver || failure !== undefined) reset()
      setPlaying(true)
    },
    pause: () => setPlaying(false),
    step,
    reset,
  }
}

function playerOf(given: PathModel): (event: AnyEventObject) => Shot {
  const machine = silenced(given)
  const names = transitionsOf(machine)
  const player = begin({ ...given, machine })
  return (event) => {
    player.take(event)
    const { context, _nodes } = player.state()
    return {
      event,
      takes: [...player.taken()].flatMap((one) => names.get(one) ?? []),
      within: (_nodes as AnyStateNode[]).map((node) => node.path.join('.')).filter((name) => name !== ''),
      context,
    }
  }
}
