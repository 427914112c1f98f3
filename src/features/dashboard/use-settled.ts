import { useEffect, useState } from 'react'
import type { Fleet } from '../../read-model/fleet.ts'
import { onBeat } from '../../ui/clock-context.ts'

/** Panels are told of news this often, ms; names, groups and a first fleet at once. */
const PAUSE_MS = 1000

/**
 * The fleet's version for panels of text: a number that changes at most once a second while only readings come in. One step to
 * another time is news at once.
 */
export function useSettledVersion(fleet: Fleet): number {
  const [version, setVersion] = useState(fleet.version)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let structure = fleet.structure
    let isOver = false
    let notifiedAt = 0
    const update = (): void => {
      clearTimeout(timer)
      timer = undefined
      structure = fleet.structure
      notifiedAt = performance.now()
      setVersion(fleet.version)
    }
    update()
    const unsubscribe = fleet.subscribe(() => {
      const isStep = fleet.drawEvery !== undefined && performance.now() - notifiedAt > PAUSE_MS
      if (structure !== fleet.structure || isStep) update()
      else timer ??= onBeat(PAUSE_MS, () => fleet.nextFrame(() => isOver || update()))
    })
    return () => {
      isOver = true
      unsubscribe()
      clearTimeout(timer)
    }
  }, [fleet])
  return version
}
