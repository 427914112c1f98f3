import { useEffect, useState } from 'react'
import { outlineOf } from '#machines/testing/outline.ts'
import { elk } from '../../machine-chart/elk.ts'
import { type Drawing, drawingOf } from '../../machine-chart/layout.ts'
import type { Walked } from './models.ts'

const drawings = new WeakMap<Walked, Promise<Drawing>>()

/** Where the boxes and lines of a chart are; laid out once a page. `failure`: why they are nowhere. */
export function useDrawing(of: Walked | undefined): { drawing?: Drawing; failure?: string } {
  const [shown, setShown] = useState<{ of: Walked; drawing?: Drawing; failure?: string }>()
  useEffect(() => {
    if (of === undefined) return
    let isShown = true
    const laidOut = drawings.get(of) ?? drawingOf(elk, outlineOf(of.model.machine))
    drawings.set(of, laidOut)
    laidOut.then(
      (drawing) => isShown && setShown({ of, drawing }),
      (error: unknown) => isShown && setShown({ of, failure: String(error) }),
    )
    return () => {
      isShown = false
    }
  }, [of])
  return shown?.of === of && shown !== undefined ? shown : {}
}
