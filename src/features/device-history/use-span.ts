import { useState } from 'react'
import type { HistoryPreset, Range } from '#machines/history-search/history-search.machine.ts'
import { presetRange } from '#machines/rules/date-range.ts'
import type { useHistorySearch } from '../../actors/history-search.ts'
import { useRoot } from '../../actors/use-root.ts'
import { zoneName } from '../../format/time.ts'
import type { Addressed } from '../../layout/use-address.ts'
import type { HistoryRequest } from './history-address.ts'

/** Which span a device's page shows, said in its address too: one that is offered, one that is pressed on, one that is searched for. */
export function useSpan(
  actor: ReturnType<typeof useHistorySearch>,
  onRequested: Addressed<HistoryRequest>['write'],
) {
  const { clock } = useRoot()
  const [looks, setLooks] = useState(0)
  const look = (range: Range, preset: HistoryPreset | null = null): void => {
    setLooks(looks + 1)
    actor.send({ type: 'look', range, preset, now: clock.now() })
    onRequested(preset === null ? addressed(range) : { range: null, preset }, 'push')
  }
  return {
    /** another number with each that is pressed: what is typed gives way to it */
    looks,
    look,
    pick: (preset: HistoryPreset) => look(presetRange(preset, clock.now(), zoneName), preset),
    search(wanted: Range): void {
      actor.send({ type: 'search', range: wanted, now: clock.now() })
      const { message, range } = actor.getSnapshot().context
      if (message === null) onRequested(addressed(range), 'push')
    },
  }
}

/** Instants in an address are whole milliseconds. */
const addressed = ({ from, to }: Range): Partial<HistoryRequest> => ({
  range: { from: Math.round(from), to: Math.round(to) },
  preset: 'day',
})
