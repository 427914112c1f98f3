import { useState } from 'react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'

/** Which incidents of a list are meant by what is done next. */
export type PickedIncidents = {
  /** in the order of the list; what was picked and is in it no more is not meant any more */
  meant: Incident[]
  has(violationId: string): boolean
  toggle(index: number): void
  /** picks all between two, these too */
  through(from: number, to: number): void
  clear(): void
}

export function usePickedIncidents(incidents: readonly Incident[]): PickedIncidents {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  return {
    meant: incidents.filter(({ violationId }) => picked.has(violationId)),
    has: (violationId) => picked.has(violationId),
    toggle(index) {
      const next = new Set(picked)
      const id = incidents[index]?.violationId
      if (id === undefined) return
      if (!next.delete(id)) next.add(id)
      setPicked(next)
    },
    through(from, to) {
      const between = incidents.slice(Math.min(from, to), Math.max(from, to) + 1)
      setPicked(new Set([...picked, ...between.map(({ violationId }) => violationId)]))
    },
    clear: () => setPicked(new Set()),
  }
}
