import type { KeyboardEvent } from 'react'
import type { Fleet } from '../../../read-model/fleet.ts'
import { rowByKey } from '../../../ui/row-keys.ts'
import type { ScrolledRows } from '../../../ui/use-walk.ts'
import type { DeviceActions } from '../device.ts'
import type { RowPress } from './device-row.tsx'
import type { PickedWish } from './picked-bar.tsx'
import type { PickedRows } from './use-picked-rows.ts'

/** What keys and presses find the list in. */
export type ListInHand = {
  fleet: Fleet
  /** rows of the fleet in the order of the list */
  rows: Uint32Array
  walk: ScrolledRows
  picked: PickedRows
  actions: DeviceActions
  /** asks what is to be done with those picked */
  wish: (what: PickedWish) => void
}

/** A row is pressed, or its box. */
export function pressRow(
  { fleet, rows, walk, picked, actions }: ListInHand,
  row: number,
  how: RowPress,
): void {
  const index = rows.indexOf(row)
  if (how === 'through') picked.through(walk.isMeant ? walk.activeIndex : index, index)
  else if (how === 'toggle' || picked.isPicking) picked.toggle(row)
  else {
    picked.loosen()
    actions.select(fleet.names.of(row, 'imei'))
    return
  }
  walk.to(index)
}

/** What a key on the row one stands on means; undefined: nothing, and it is left to others. */
export function actOfKey(list: ListInHand, event: KeyboardEvent): (() => void) | undefined {
  const { fleet, rows, walk, picked, actions } = list
  const { key } = event
  const row = rows[walk.activeIndex]
  if (row === undefined) return
  const imei = fleet.names.of(row, 'imei')
  if ((event.target as Element).id !== walk.idOf(imei)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return key === 'a' ? picked.all : undefined
  const to = rowByKey(key, walk.activeIndex, rows.length)
  if (to !== undefined) return () => walkTo(list, to, event.shiftKey)
  const wanted = WISHES[key]
  if (wanted !== undefined)
    return () => {
      // with nothing picked it is done with the row one stands on
      if (picked.rows.length === 0) picked.toggle(row)
      list.wish(wanted)
    }
  switch (key) {
    case 'x':
      return () => picked.toggle(row)
    case 'Escape':
      return picked.isPickable ? picked.clear : undefined
    case 'Enter':
      return () => actions.open(imei)
    case 'F2':
      return () => actions.edit(imei)
    default:
      return undefined
  }
}

function walkTo({ rows, walk, picked }: ListInHand, to: number, isThrough: boolean): void {
  if (isThrough) picked.through(walk.activeIndex, Math.max(0, Math.min(rows.length - 1, to)))
  else picked.loosen()
  walk.to(to)
}

const WISHES: Readonly<Record<string, PickedWish>> = {
  m: 'move',
  a: 'acknowledge',
  s: 'shelve',
  r: 'report',
}
