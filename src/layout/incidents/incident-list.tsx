import { type KeyboardEvent, useRef, useState } from 'react'
import type { Glance, Incident, Desk as Known, Shelving } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { classNames } from '../../ui/class-names.ts'
import { useHold } from '../../ui/use-hold.ts'
import { useScrolledRows } from '../../ui/use-walk.ts'
import { ActionBar } from './action-bar.tsx'
import { actOfKey, caseOf, holdIncident, pickIncident } from './incident-acts.ts'
import { IncidentRow } from './incident-row.tsx'
import { nameOf } from './lines.ts'
import { ROW_HEIGHT } from './row-height.ts'
import { type Proved, ShareIncident } from './share-incident.tsx'
import { useGlances } from './use-glances.ts'
import type { IncidentActions } from './use-incident-actions.ts'
import { usePickedIncidents } from './use-picked-incidents.ts'

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
  /** rows in sight at most, the others are scrolled to; where left out, as many as there is room for */
  inSight?: number
}

/** Incidents that keys walk: `j` `k` next and previous, `x` picks, `a` acknowledges, `s` shelves, `m` moves, `r` asks for a report, `p` sends the proof, `v` opens the case, Enter the proof. */
export function IncidentList(props: IncidentListProps) {
  const { fleet, desk, known, incidents, actions, selected, onPress, onOpen, onLeave, inSight } = props
  const { user } = useSignedIn()
  const { goTo } = useRoot()
  const scroller = useRef<HTMLDivElement>(null)
  const [first] = useState(incidents[0]?.violationId ?? null)
  const walk = useScrolledRows(scroller, () => ROW_HEIGHT, {
    count: incidents.length,
    keyAt: (index) => incidents[index]?.violationId,
    indexOf: (id) => incidents.findIndex(({ violationId }) => violationId === id),
    preferred: first,
  })
  const items = walk.virtual.getVirtualItems()
  const picked = usePickedIncidents(incidents)
  const [shared, share] = useState<Proved>()
  const glanceOf = useGlances(
    desk,
    items.map(({ index }) => (incidents[index] as Incident).imei),
  )
  const shelvings = new Map(known.shelved.map((one) => [kindKey(one), one]))
  const current = incidents[walk.activeIndex]
  const aimed = picked.meant.length > 0 ? picked.meant : current && walk.isMeant ? [current] : []
  const leaveFor = (path: string): void => {
    onLeave?.()
    goTo(path)
  }
  const move = (): void => {
    const imeis = new Set(aimed.filter(({ clearedAt }) => clearedAt === null).map(({ imei }) => imei))
    if (imeis.size > 0) actions.move([...imeis], picked.clear)
  }
  const list = { incidents, walk, picked, aimed, actions, userId: user._id, onOpen, leaveFor, share, move }
  const hold = useHold((on) => holdIncident(list, Number(on.closest('li')?.ariaPosInSet) - 1))

  function onKeyDown(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey || event.altKey || current === undefined) return
    const act = actOfKey(list, event.key, current)
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <>
      {/* The keys come up from the rows inside, which hold the focus. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        ref={scroller}
        onKeyDown={onKeyDown}
        className={classNames(
          '@container overflow-y-auto print:overflow-visible',
          inSight === undefined ? 'min-h-0 flex-1 overscroll-contain' : 'shrink-0',
        )}
        style={inSight ? { height: Math.min(incidents.length, inSight) * ROW_HEIGHT } : {}}
      >
        <ul
          {...hold}
          data-walked
          aria-label="Incidents"
          className="relative select-none print:h-auto!"
          style={{ height: walk.virtual.getTotalSize() }}
        >
          {items.map(({ index, start }) => {
            const incident = incidents[index] as Incident
            const { violationId, imei } = incident
            const isActive = index === walk.activeIndex
            return (
              <IncidentItem
                key={violationId}
                fleet={fleet}
                incident={incident}
                id={walk.idOf(violationId)}
                position={index + 1}
                of={incidents.length}
                top={start}
                isActive={isActive}
                isAimed={isActive && walk.isMeant}
                isPicked={picked.has(violationId)}
                isSelected={imei === selected}
                shelving={incident.clearedAt === null ? shelvings.get(kindKey(incident)) : undefined}
                glance={glanceOf(imei)}
                onPick={(through) => pickIncident(list, index, through)}
                onPress={() => {
                  walk.stand(violationId)
                  onPress(imei)
                }}
                onFocus={() => isActive || walk.stand(violationId)}
                onOpen={() => onOpen(imei)}
              />
            )
          })}
        </ul>
      </div>
      <ActionBar
        fleet={fleet}
        picked={picked.meant.length}
        aimed={aimed}
        next={current}
        userId={user._id}
        actions={actions}
        onOpen={onOpen}
        onShare={share}
        onMove={move}
        onCase={caseOf(list)}
        onClear={picked.clear}
        onNext={() => walk.stand(current?.violationId)}
      />
      {shared && <ShareIncident of={shared} onClose={() => share(undefined)} />}
    </>
  )
}

type ItemProps = {
  fleet: Fleet
  incident: Incident
  id: string
  /** from 1 on */
  position: number
  of: number
  /** px */
  top: number
  isActive: boolean
  /** what is done next is done to it, while none is picked */
  isAimed: boolean
  isPicked: boolean
  isSelected: boolean
  shelving: Shelving | undefined
  glance: Glance | undefined
  /** `through`: all up to it from the one the keys stand on */
  onPick: (through: boolean) => void
  onPress: () => void
  onFocus: () => void
  onOpen: () => void
}

function IncidentItem(props: ItemProps) {
  const { fleet, incident, isPicked, onPick, onPress } = props
  return (
    <li
      aria-posinset={props.position}
      aria-setsize={props.of}
      className={classNames(
        'absolute inset-x-2 flex items-center rounded-small border-l-2 print:static print:transform-none!',
        props.isAimed ? 'border-accent' : 'border-transparent',
        isPicked || props.isSelected ? 'bg-accent-soft/70' : 'hover:bg-hover',
      )}
      style={{ transform: `translateY(${props.top}px)`, height: ROW_HEIGHT }}
    >
      <input
        type="checkbox"
        aria-label={`Pick ${nameOf(fleet, incident.imei)}`}
        tabIndex={-1}
        checked={isPicked}
        onChange={() => {}}
        onClick={(event) => onPick(event.shiftKey)}
        className="mr-1 ml-1.5 size-4 shrink-0 accent-accent"
      />
      <button
        type="button"
        id={props.id}
        tabIndex={props.isActive ? 0 : -1}
        // else the focus stands on it before the press is known to pick all up to it
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => (event.shiftKey ? onPick(true) : onPress())}
        onFocus={props.onFocus}
        onDoubleClick={props.onOpen}
        className="flex h-full min-w-0 flex-1 items-center rounded-small pr-1 pl-1 -outline-offset-2"
      >
        <IncidentRow fleet={fleet} incident={incident} shelving={props.shelving} glance={props.glance} />
      </button>
    </li>
  )
}
