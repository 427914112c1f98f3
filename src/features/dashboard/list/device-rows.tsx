import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { useIncidentOf } from '../../../layout/incidents/use-incident-of.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useHold } from '../../../ui/use-hold.ts'
import { deviceAt } from '../device.ts'
import { useIsStale } from '../use-is-stale.ts'
import { DeviceRow, type RowPress } from './device-row.tsx'
import { actOfKey, type ListInHand, pressRow } from './list-acts.ts'
import { type ColumnKey, widthOf } from './list-look.ts'

export type DeviceRowsProps = {
  list: ListInHand
  /** chosen instead of the rows' own look; none: that */
  columns: readonly ColumnKey[]
  selected: string | null
  scroller: RefObject<HTMLDivElement | null>
  /** scrolled to the side with the rows */
  heads: RefObject<HTMLDivElement | null>
  /** when the visitor last moved in the list, by performance.now(); written here */
  touchedAt: RefObject<number>
}

/** The rows in view, in the box that scrolls them. */
export function DeviceRows(props: DeviceRowsProps) {
  const { list, columns, scroller, heads, touchedAt } = props
  const { fleet, rows, walk, picked, actions } = list
  const { virtual } = walk
  const isTable = columns.length > 0
  const incidentOf = useIncidentOf()
  const isStale = useIsStale()
  const touch = (): void => {
    touchedAt.current = performance.now()
  }
  const onPress = useLatest((row: number, how: RowPress) => {
    touch()
    pressRow(list, row, how)
  })
  // a finger has no Shift: the first that is held is picked, the next with all between
  const hold = useHold((on) => {
    const row = rows[Number(on.closest('li')?.ariaPosInSet) - 1]
    if (row === undefined) return
    picked.setPicking(true)
    onPress(row, picked.rows.length > 0 ? 'through' : 'toggle')
  })

  function onKeyDown(event: KeyboardEvent): void {
    touch()
    const act = actOfKey(list, event)
    if (act === undefined) return
    act()
    event.preventDefault()
  }

  return (
    // The keys come up from the rows inside, which hold the focus.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      ref={scroller}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => {
        if (heads.current) heads.current.scrollLeft = currentTarget.scrollLeft
      }}
      onPointerMove={touch}
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
        data-walked
        aria-label="Devices"
        className="relative select-none"
        style={{
          height: virtual.getTotalSize(),
          ...(isTable && { minWidth: widthOf(columns) + (picked.isPickable ? 24 : 0) }),
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
              isActive={index === walk.activeIndex}
              isSelected={device.imei === props.selected}
              isStale={isStale}
              columns={columns}
              isPicked={picked.has(device.row)}
              isPickable={picked.isPickable}
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
  )
}

/** The same function however often the list is drawn, doing what the newest one does: rows are not drawn anew for it. */
function useLatest<A extends unknown[]>(call: (...args: A) => void): (...args: A) => void {
  const latest = useRef(call)
  useLayoutEffect(() => {
    latest.current = call
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
