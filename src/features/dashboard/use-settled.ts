import { useEffect, useState } from 'react'
import type { Fleet } from '../../read-model/fleet.ts'

/** Panels are told of news this often, ms; names, groups and a first fleet at once. */
const PAUSE_MS = 1000

/** The fleet's version for panels of text: a number that changes at most once a second while only readings come in. */
export function useSettledVersion(fleet: Fleet): number {
  const [version, setVersion] = useState(fleet.version)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let toldAt = 0
    let structure = fleet.structure
    let isOver = false
    const tell = (): void => {
      clearTimeout(timer)
      timer = undefined
      toldAt = performance.now()
      structure = fleet.structure
      setVersion(fleet.version)
    }
    tell()
    const unsubscribe = fleet.subscribe(() => {
      const pause = structure === fleet.structure ? toldAt + PAUSE_MS - performance.now() : 0
      if (pause <= 0) tell()
      else timer ??= setTimeout(() => fleet.nextFrame(() => isOver || tell()), pause)
    })
    return () => {
      isOver = true
      unsubscribe()
      clearTimeout(timer)
    }
  }, [fleet])
  return version
}
