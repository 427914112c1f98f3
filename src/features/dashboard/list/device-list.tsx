import { type KeyboardEvent, useRef } from 'react'
import { useIncidentOf } from '../../../layout/incidents/use-incident-of.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type DeviceActions, deviceAt } from '../device.ts'
import { DeviceRow } from './device-row.tsx'
import { ListSearch } from './list-search.tsx'
import { NoDevices } from './no-devices.tsx'
import { useSteadyRows } from './steady-rows.ts'
import { useWalkedRows } from './use-walked-rows.ts'

export type DeviceListProps = {
  fleet: Fleet
  /** rows of the fleet, worst first, or the best match of what is searched for */
  rows: Uint32Array
  /** what the rows answer; another object when something else was asked for */
  question: unknown
  /** in the search field */
  words: string
  onWords: (words: string) => void
  /** the rows are not all there are */
  isNarrowed: boolean
  selected: string | null
  /** the link is lost: values are those of then */
  isStale: boolean
  actions: DeviceActions
  onClear: () => void
}

/** The fleet as a list that arrow keys walk: the same as the map, in words. */
export function DeviceList(props: DeviceListProps) {
  const { fleet, question, words, onWords, selected, actions } = props
  const incidentOf = useIncidentOf()
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const rows = useSteadyRows(props.rows, question, touchedAt)
  const scroller = useRef<HTMLDivElement>(null)
  const walk = useWalkedRows({ fleet, rows, selected, scroller })
  const { virtual, activeIndex } = walk

  function onSearchKey(event: KeyboardEvent): void {
    const first = rows[0]
    if (event.key === 'ArrowDown') walk.to(0)
    else if (event.key === 'Enter' && first !== undefined) actions.select(fleet.names.of(first, 'imei'))
    else if (event.key === 'Escape' && words !== '') onWords('')
    else return
    event.preventDefault()
  }

  function onListKey(event: KeyboardEvent): void {
    touchedAt.current = performance.now()
    const row = rows[activeIndex]
    const isOnRow =
      event.target instanceof HTMLElement && row !== undefined && event.target.id === walk.idOf(row)
    const to = targetOf(event.key, activeIndex, rows.length)
    if (!isOnRow || row === undefined) return
    else if (to !== undefined) walk.to(to)
    else if (event.key === 'Enter') actions.open(fleet.names.of(row, 'imei'))
    else if (event.key === 'F2') actions.edit(fleet.names.of(row, 'imei'))
    else return
    event.preventDefault()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ListSearch
        words={words}
        onWords={(value) => {
          onWords(value)
          walk.forget()
          scroller.current?.scrollTo({ top: 0 })
        }}
        onKeyDown={onSearchKey}
        count={rows.length}
        onShowAll={props.isNarrowed && rows.length > 0 ? props.onClear : undefined}
      />
      {rows.length === 0 ? (
        <NoDevices isFleetEmpty={fleet.counts.total === 0} words={words} onClear={props.onClear} />
      ) : (
        // The keys come up from the rows inside, which hold the focus.
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <div
          ref={scroller}
          onKeyDown={onListKey}
          onPointerMove={() => {
            touchedAt.current = performance.now()
          }}
          onPointerLeave={() => {
            touchedAt.current = Number.NEGATIVE_INFINITY
          }}
          className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
        >
          <ul aria-label="Devices" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, size }) => {
              const device = deviceAt(fleet, rows[index] as number)
              return (
                <DeviceRow
                  key={device.imei}
                  device={device}
                  id={walk.idOf(device.row)}
                  position={index + 1}
                  of={rows.length}
                  isActive={index === activeIndex}
                  isSelected={device.imei === selected}
                  isStale={props.isStale}
                  open={incidentOf(device.imei)}
                  top={start}
                  height={size}
                  actions={actions}
                />
              )
            })}
          </ul>
        </div>
      )}
    </div>
  )
}

const PAGE = 8

function targetOf(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return from + 1
    case 'ArrowUp':
      return from - 1
    case 'PageDown':
      return from + PAGE
    case 'PageUp':
      return from - PAGE
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
