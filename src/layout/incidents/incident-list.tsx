import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Incident, isViolation, type Desk as Known } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { casePath } from '../../format/case-address.ts'
import { MOST_IN_ADDRESS, reportPath } from '../../format/report-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { classNames } from '../../ui/class-names.ts'
import { ActionBar } from './action-bar.tsx'
import { IncidentRow } from './incident-row.tsx'
import { type Proved, ShareIncident } from './share-incident.tsx'
import { useGlances } from './use-glances.ts'
import type { IncidentActions } from './use-incident-actions.ts'

/** Px. */
export const ROW_HEIGHT = 56

export type IncidentListProps = {
  fleet: Fleet
  desk: Desk
  known: Known
  /** in the order of the list */
  incidents: readonly Incident[]
  actions: IncidentActions
  /** imei of what is selected elsewhere too */
  selected?: string | null
  /** pressed once; its history where there is nothing to select it on */
  onPress: (imei: string) => void
  /** its proof */
  onOpen: (imei: string) => void
  /** what shows the list is left for another page; nothing where the page itself shows it */
  onLeave?: () => void
}

/** Incidents that keys walk: `j` `k` next and previous, `x` picks, `a` acknowledges, `s` shelves, `r` asks for a report, `p` sends the proof, `v` opens the case, Enter the proof. */
export function IncidentList(props: IncidentListProps) {
  const { fleet, desk, known, incidents, actions, selected, onPress, onOpen, onLeave } = props
  const { user } = useSignedIn()
  const { goTo } = useRoot()
  const listId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeId, setActive] = useState<string>()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [shared, share] = useState<Proved>()
  const active = Math.max(
    0,
    incidents.findIndex(({ violationId }) => violationId === activeId),
  )
  const virtual = useVirtualizer({
    count: incidents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), active])].sort((a, b) => a - b),
  })
  const items = virtual.getVirtualItems().filter(({ index }) => index < incidents.length)
  const glanceOf = useGlances(
    desk,
    items.map(({ index }) => (incidents[index] as Incident).imei),
  )
  const shelvings = new Map(known.shelved.map((one) => [kindKey(one), one]))
  // what was picked and is in the list no more is not meant any more
  const meant = incidents.filter(({ violationId }) => picked.has(violationId))
  const current = incidents[active]
  const aimed = meant.length > 0 ? meant : current ? [current] : []
  const [one] = aimed
  const openCase =
    one && aimed.length === 1 && isViolation(one) ? () => leaveFor(casePath(one.notificationId)) : undefined
  const idOf = (index: number): string => `${listId}-${incidents[index]?.violationId}`

  function leaveFor(path: string): void {
    onLeave?.()
    goTo(path)
  }
  function go(to: number): void {
    const index = Math.max(0, Math.min(incidents.length - 1, to))
    flushSync(() => setActive(incidents[index]?.violationId))
    virtual.scrollToIndex(index, { align: 'auto' })
    document.getElementById(idOf(index))?.focus({ preventScroll: true })
  }
  function pick(index: number, through = false): void {
    const next = new Set(picked)
    const [from, to] = through ? [Math.min(active, index), Math.max(active, index)] : [index, index]
    for (const { violationId } of incidents.slice(from, to + 1)) {
      if (!through && next.has(violationId)) next.delete(violationId)
      else next.add(violationId)
    }
    setPicked(next)
    setActive(incidents[index]?.violationId)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey || event.altKey || current === undefined) return
    const act = keys(event.key)
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  function keys(key: string): (() => void) | undefined {
    switch (key) {
      case 'j':
      case 'ArrowDown':
        return () => go(active + 1)
      case 'k':
      case 'ArrowUp':
        return () => go(active - 1)
      case 'Home':
        return () => go(0)
      case 'End':
        return () => go(incidents.length - 1)
      case 'Enter':
        return () => current && onOpen(current.imei)
      case 'x':
        return () => pick(active)
      case 'a':
        return () => actions.ask('acknowledge', aimed)
      case 's':
        return () => actions.ask('shelve', aimed)
      case 'c':
        return () => actions.ask('comment', aimed)
      case 'r':
        return () => leaveFor(reportPath(aimed.map(({ imei }) => imei).slice(0, MOST_IN_ADDRESS)))
      case 'p':
        return aimed.length === 1 ? () => share(aimed[0]) : undefined
      case 'v':
        return openCase
      case 't':
        return () => actions.take(aimed, user._id)
      case 'Escape':
        return meant.length > 0 ? () => setPicked(new Set()) : undefined
      default:
        return undefined
    }
  }

  return (
    <>
      {/* The keys come up from the rows inside, which hold the focus. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        ref={scroller}
        onKeyDown={onKeyDown}
        className="@container min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        <ul aria-label="Incidents" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const incident = incidents[index] as Incident
            const { violationId, imei } = incident
            const isPicked = picked.has(violationId)
            return (
              <li
                key={violationId}
                aria-posinset={index + 1}
                aria-setsize={incidents.length}
                className={classNames(
                  'absolute inset-x-2 flex items-center rounded-small',
                  isPicked || imei === selected ? 'bg-accent-soft/70' : 'hover:bg-hover',
                )}
                style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
              >
                <input
                  type="checkbox"
                  aria-label={`Pick ${fleet.names.rowOf(imei) < 0 ? imei : fleet.names.of(fleet.names.rowOf(imei), 'name')}`}
                  tabIndex={-1}
                  checked={isPicked}
                  onChange={() => {}}
                  onClick={(event) => pick(index, event.shiftKey)}
                  className="mr-1 ml-2 size-4 shrink-0 accent-accent"
                />
                <button
                  type="button"
                  id={idOf(index)}
                  tabIndex={index === active ? 0 : -1}
                  onClick={(event) => {
                    if (event.shiftKey) return pick(index, true)
                    setActive(violationId)
                    onPress(imei)
                  }}
                  onFocus={() => setActive(violationId)}
                  onDoubleClick={() => onOpen(imei)}
                  className="flex h-full min-w-0 flex-1 items-center rounded-small pr-1 pl-1 -outline-offset-2"
                >
                  <IncidentRow
                    fleet={fleet}
                    incident={incident}
                    shelving={incident.clearedAt === null ? shelvings.get(kindKey(incident)) : undefined}
                    glance={glanceOf(imei)}
                  />
                </button>
              </li>
            )
          })}
        </ul>
      </div>
      <ActionBar
        picked={meant.length}
        aimed={aimed}
        userId={user._id}
        actions={actions}
        onOpen={onOpen}
        onShare={share}
        onCase={openCase}
        onClear={() => setPicked(new Set())}
      />
      {shared && <ShareIncident of={shared} onClose={() => share(undefined)} />}
    </>
  )
}
