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

/** How far a path was played. */
type Progress = {
  of: Path | undefined
  shots: readonly Shot[]
  isPlaying: boolean
  failure: string | undefined
}

const atStart = (of: Path | undefined): Progress => ({ of, shots: [], isPlaying: false, failure: undefined })

/**
 * Plays a path, step by step, on an actor of the machine whose own actors answer what the path says. Another path begins
 * anew.
 */
export function usePlay(model: PathModel, path: Path | undefined): Play {
  const [kept, setProgress] = useState<Progress>(() => atStart(path))
  const player = useRef<Player>(undefined)
  const progress = kept.of === path ? kept : atStart(path)
  const { shots, isPlaying, failure } = progress
  const length = path?.steps.length ?? 0
  const isOver = shots.length === length

  function step(): void {
    const next = path?.steps[shots.length]
    if (path === undefined || next === undefined) return
    try {
      if (shots.length === 0) player.current = playerOf(model)
      const shot = player.current?.(next.event)
      if (shot === undefined) return
      const isLast = shots.length + 1 === length
      setProgress({ ...progress, shots: [...shots, shot], isPlaying: isPlaying && !isLast })
    } catch (error) {
      setProgress({ ...progress, isPlaying: false, failure: String(error) })
    }
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
      const from = isOver || failure !== undefined ? atStart(path) : progress
      setProgress({ ...from, isPlaying: true })
    },
    pause: () => setProgress({ ...progress, isPlaying: false }),
    step,
    reset: () => setProgress(atStart(path)),
  }
}

/** Takes an event; answers what came of it. */
type Player = (event: AnyEventObject) => Shot

function playerOf(given: PathModel): Player {
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
