import { type RefObject, useEffect, useMemo } from 'react'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type ScrolledRows, useScrolledRows } from '../../../ui/use-walk.ts'
import { DETAILS_HEIGHT } from './details-look.ts'

const ROW_HEIGHT = 60

export type WalkedRowsInput = {
  fleet: Fleet
  /** rows of the fleet in the order of the list */
  rows: Uint32Array
  /** imei of the selected device: its row is open */
  selected: string | null
  scroller: RefObject<HTMLDivElement | null>
}

/** Devices by imei: keys begin on the selected one, whose row is open and comes into view. */
export function useWalkedRows({ fleet, rows, selected, scroller }: WalkedRowsInput): ScrolledRows {
  const selectedIndex = useMemo(
    () => (selected === null ? -1 : indexOf(fleet, rows, selected)),
    [fleet, rows, selected],
  )
  const walk = useScrolledRows(
    scroller,
    (index) => ROW_HEIGHT + (index === selectedIndex ? DETAILS_HEIGHT : 0),
    {
      count: rows.length,
      keyAt: (index) => (index in rows ? fleet.names.of(rows[index] as number, 'imei') : undefined),
      indexOf: (imei) => indexOf(fleet, rows, imei),
      preferred: selected,
    },
  )
  const { virtual, stand } = walk
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes follow from which row is selected
  useEffect(() => virtual.measure(), [virtual, selectedIndex])
  // Selected on the map or in the list, it comes into view; not when the order changes around it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (selected !== null) stand(undefined)
    const room = scroller.current?.clientHeight ?? 0
    const align = room < 2 * (ROW_HEIGHT + DETAILS_HEIGHT) ? 'start' : 'auto'
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align })
  }, [selected])
  return walk
}

/** Place of a device among the rows; -1 where it is not. */
const indexOf = (fleet: Fleet, rows: Uint32Array, imei: string): number =>
  rows.indexOf(fleet.names.rowOf(imei))
