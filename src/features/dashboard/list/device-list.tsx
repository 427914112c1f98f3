import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { Desk } from '../../../actors/desk.ts'
import { useIncidentOf } from '../../../layout/incidents/use-incident-of.ts'
import { lazyPart } from '../../../layout/lazy-part.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { classNames } from '../../../ui/class-names.ts'
import { rowByKey } from '../../../ui/row-keys.ts'
import { useHold } from '../../../ui/use-hold.ts'
import { type DeviceActions, deviceAt } from '../device.ts'
import { DeviceRow, type RowPress } from './device-row.tsx'
import { type ListLook, widthOf } from './list-look.ts'
import { ListSearch } from './list-search.tsx'
import { NoDevices } from './no-devices.tsx'
import type { PickedWish } from './picked-bar.tsx'
import { useSteadyRows } from './steady-rows.ts'
import { usePickedRows } from './use-picked-rows.ts'
import { useWalkedRows } from './use-walked-rows.ts'

const ColumnHeads = lazyPart(() => import('./column-heads.tsx'))
const PickedBar = lazyPart(() => import('./picked-bar.tsx'))

export type DeviceListProps = {
  fleet: Fleet
  desk: Desk
  /** rows of the fleet, worst first, or the best match of what is searched for */
  rows: Uint32Array
  /** what the rows answer; another object when something else was asked for */
  question: unknown
  /** in the search field */
  words: string
  onWords: (words: string) => void
  /** the rows are not all there are */
  isNarrowed: boolean
  look: ListLook
  onLook: (look: ListLook) => void
  selected: string | null
  /** the link is lost: values are those of then */
  isStale: boolean
  actions: DeviceActions
  onClear: () => void
}

/** The fleet as a list that arrow keys walk: the same as the map, in words. */
export function DeviceList(props: DeviceListProps) {
  const { fleet, question, words, onWords, look, onLook, selected, actions } = props
  const heads = useRef<HTMLDivElement>(null)
  const isTable = look.columns.length > 0
  const incidentOf = useIncidentOf()
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const rows = useSteadyRows(props.rows, question, touchedAt)
  const scroller = useRef<HTMLDivElement>(null)
  const walk = useWalkedRows({ fleet, rows, selected, scroller })
  const { virtual, activeIndex } = walk
  const picked = usePickedRows(fleet, rows)
  const [wish, setWish] = useState<PickedWish | null>(null)
  const isPickable = picked.isPicking || picked.rows.length > 0
  const onPress = useLatest((row: number, how: RowPress) => {
    touchedAt.current = performance.now()
    const index = rows.indexOf(row)
    if (how === 'through') {
      picked.through(activeIndex, index)
      walk.to(index)
    } else if (how === 'toggle' || picked.isPicking) {
      picked.toggle(row)
      walk.to(index)
    } else {
      picked.loosen()
      actions.select(fleet.names.of(row, 'imei'))
    }
  })
  // a finger has no Shift: the first that is held is picked, the next with all between
  const hold = useHold((on) => {
    const row = rows[Number(on.closest('li')?.ariaPosInSet) - 1]
    if (row === undefined) return
    picked.setPicking(true)
    onPress(row, picked.rows.length > 0 ? 'through' : 'toggle')
  })

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
      event.target instanceof HTMLElement &&
      row !== undefined &&
      event.target.id === walk.idOf(fleet.names.of(row, 'imei'))
    const to = isWithCommand(event) ? undefined : rowByKey(event.key, activeIndex, rows.length)
    if (!isOnRow || row === undefined) return
    else if (to !== undefined) {
      if (event.shiftKey) picked.through(activeIndex, Math.max(0, Math.min(rows.length - 1, to)))
      else picked.loosen()
      walk.to(to)
    } else if (isWithCommand(event)) {
      if (event.key !== 'a') return
      picked.all()
    } else if (event.key === 'x') picked.toggle(row)
    else if (WISHES[event.key] !== undefined) {
      // with nothing picked it is done with the row one stands on
      if (picked.rows.length === 0) picked.toggle(row)
      setWish(WISHES[event.key] as PickedWish)
    } else if (event.key === 'Escape' && isPickable) picked.clear()
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
          walk.stand(undefined)
          scroller.current?.scrollTo({ top: 0 })
        }}
        onKeyDown={onSearchKey}
        fleet={fleet}
        rows={rows}
        look={look}
        onLook={onLook}
        isPicking={picked.isPicking}
        onPicking={(isPicking) => (isPicking ? picked.setPicking(true) : picked.clear())}
        onShowAll={props.isNarrowed && rows.length > 0 ? props.onClear : undefined}
      />
      {isTable && (
        <ColumnHeads
          ref={heads}
          onScroll={(left: number) => scroller.current?.scrollTo({ left })}
          look={look}
          onLook={onLook}
          isPickable={isPickable}
        />
      )}
      {rows.length === 0 ? (
        <NoDevices isFleetEmpty={fleet.counts.total === 0} words={words} onClear={props.onClear} />
      ) : (
        // The keys come up from the rows inside, which hold the focus.
        // biome-ignore lint/a11y/noStaticElementInteractions: see above
        <div
          ref={scroller}
          onKeyDown={onListKey}
          onScroll={({ currentTarget }) => {
            if (heads.current) heads.current.scrollLeft = currentTarget.scrollLeft
          }}
          onPointerMove={() => {
            touchedAt.current = performance.now()
          }}
          onPointerLeave={({ pointerType }) => {
            // a finger leaves with each press
            if (pointerType === 'mouse') touchedAt.current = Number.NEGATIVE_INFINITY
          }}
          className={classNames(
            'min-h-0 flex-1 overscroll-contain',
            isTable ? 'overflow-auto' : 'overflow-y-auto',
          )}
        >
          <ul
            {...hold}
            aria-label="Devices"
            className="relative select-none"
            style={{
              height: virtual.getTotalSize(),
              ...(isTable && { minWidth: widthOf(look.columns) + (isPickable ? 24 : 0) }),
            }}
          >
            {virtual.getVirtualItems().map(({ index, start, size }) => {
              const device = deviceAt(fleet, rows[index] as number)
              return (
                <DeviceRow
                  key={device.imei}
                  device={device}
                  id={walk.idOf(device.imei)}
                  position={index + 1}
                  of={rows.length}
                  isActive={index === activeIndex}
                  isSelected={device.imei === selected}
                  isStale={props.isStale}
                  columns={look.columns}
                  isPicked={picked.has(device.row)}
                  isPickable={isPickable}
                  onPress={onPress}
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
      {isPickable && (
        <PickedBar
          fleet={fleet}
          desk={props.desk}
          rows={picked.rows}
          wish={wish}
          onWish={setWish}
          onAll={picked.all}
          onClear={picked.clear}
        />
      )}
    </div>
  )
}

const WISHES: Readonly<Record<string, PickedWish>> = { m: 'move', a: 'acknowledge', r: 'report' }

const isWithCommand = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey

/** The same function however often the list is drawn, doing what the newest one does: rows are not drawn anew for it. */
function useLatest<A extends unknown[]>(call: (...args: A) => void): (...args: A) => void {
  const latest = useRef(call)
  useLayoutEffect(() => {
    latest.current = call
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
