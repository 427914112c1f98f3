import { CircleCheck } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Desk as Known } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import { useStore } from '../../../actors/store.ts'
import { useRoot } from '../../../actors/use-root.ts'
import { formatCount } from '../../../format/numbers.ts'
import { areAllWell, howAllAre } from '../../../layout/incidents/how-all-are.ts'
import { IncidentRow } from '../../../layout/incidents/incident-row.tsx'
import { ROW_HEIGHT } from '../../../layout/incidents/row-height.ts'
import { useGlances } from '../../../layout/incidents/use-glances.ts'
import { useWorstFirst } from '../../../layout/incidents/use-worst-first.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { pageAt } from './page-at.ts'

const NO_DEVICES = 'There are no devices yet.'
/** What has no room is shown after so long, ms. */
const TURN_MS = 15_000

export type WallIncidentsProps = {
  fleet: Fleet
  known: Known
  isShown: (imei: string) => boolean
  /** not all devices are shown */
  isNarrowed: boolean
}

/** What is open, the worst first, a page after the other; the first page comes twice as often where there are many. */
export function WallIncidents({ fleet, known, isShown, isNarrowed }: WallIncidentsProps) {
  const desk = useStore(useRoot().live)?.desk
  const list = useRef<HTMLUListElement>(null)
  const rows = useRoomFor(list)
  const ordered = useWorstFirst(fleet, known.open).filter(({ imei }) => isShown(imei))
  const first = rows * pageAt(useTurn(), Math.ceil(ordered.length / rows))
  const inSight = ordered.slice(first, first + rows)
  const glanceOf = useGlances(
    desk,
    inSight.map(({ imei }) => imei),
  )
  const shelvings = useMemo(() => new Map(known.shelved.map((one) => [kindKey(one), one])), [known])
  // of whom they are that are lost for longer is not known
  const count = ordered.length + (isNarrowed ? 0 : known.moreLost)
  const hasMore = isNarrowed && known.moreLost > 0
  const hasDevices = fleet.counts.total > 0
  const areWell = count === 0 && hasDevices && areAllWell(fleet, isShown)
  return (
    <>
      <h2 className="tabular flex shrink-0 justify-between px-4 pb-1 font-semibold">
        {count === 0 && !hasMore ? 'Nothing is open' : `Open ${formatCount(count)}${hasMore ? '+' : ''}`}
        {inSight.length < ordered.length && (
          <span className="font-normal text-ink-soft">
            {`${first + 1}–${first + inSight.length} of ${formatCount(ordered.length)}`}
          </span>
        )}
      </h2>
      <ul ref={list} aria-label="Open" className="@container min-h-0 flex-1 overflow-hidden px-4">
        {inSight.map((incident) => (
          <li key={incident.violationId} className="flex items-center" style={{ height: ROW_HEIGHT }}>
            <IncidentRow
              fleet={fleet}
              incident={incident}
              shelving={shelvings.get(kindKey(incident))}
              glance={glanceOf(incident.imei)}
            />
          </li>
        ))}
        {count === 0 && (
          <li className="flex items-center gap-2 py-4 text-ink-soft">
            {areWell && <CircleCheck size={20} aria-hidden />}
            {hasDevices ? howAllAre(areWell) : NO_DEVICES}
          </li>
        )}
      </ul>
    </>
  )
}

/** How often a page has been turned: one looks for as long, however fast the clock of the server goes. */
function useTurn(): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTurn((turns) => turns + 1), TURN_MS)
    return () => clearInterval(timer)
  }, [])
  return turn
}

/** How many rows a list has room for, one at least. */
function useRoomFor(list: { current: HTMLElement | null }): number {
  const [rows, setRows] = useState(1)
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const sizes = new ResizeObserver(() =>
      setRows(Math.max(1, Math.floor(element.clientHeight / ROW_HEIGHT))),
    )
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [list])
  return rows
}
