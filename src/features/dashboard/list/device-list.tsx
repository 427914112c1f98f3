import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Desk } from '../../../actors/desk.ts'
import { lazyPart } from '../../../layout/lazy-part.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import type { DeviceActions } from '../device.ts'
import { DeviceRows } from './device-rows.tsx'
import type { ListLook } from './list-look.ts'
import { ListSearch } from './list-search.tsx'
import type { PickedWish } from './picked-bar.tsx'
import { useSteadyRows } from './steady-rows.ts'
import { usePickedRows } from './use-picked-rows.ts'
import { useWalkedRows } from './use-walked-rows.ts'

const ColumnHeads = lazyPart(() => import('./column-heads.tsx'))
const NoDevices = lazyPart(() => import('./no-devices.tsx'))
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
  /** the rows are of those words */
  isAnswered: boolean
  /** the rows are not all there are */
  isNarrowed: boolean
  look: ListLook
  onLook: (look: ListLook) => void
  selected: string | null
  actions: DeviceActions
  onClear: () => void
}

/** The fleet as a list that arrow keys walk: the same as the map, in words. */
export function DeviceList(props: DeviceListProps) {
  const { fleet, question, words, onWords, look, onLook, selected, actions } = props
  const heads = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const rows = useSteadyRows(props.rows, question, touchedAt)
  const walk = useWalkedRows({ fleet, rows, selected, scroller })
  const picked = usePickedRows(fleet, rows)
  const [wish, setWish] = useState<PickedWish | null>(null)

  // Enter means what is typed, though the list may still show what was typed before.
  const [entered, enter] = useState<string>()
  useEffect(() => {
    if (entered === undefined || !props.isAnswered) return
    enter(undefined)
    if (entered === words && rows[0] !== undefined) actions.select(fleet.names.of(rows[0], 'imei'))
  }, [entered, words, props.isAnswered, rows, actions, fleet])

  function onSearchKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') walk.to(0)
    else if (event.key === 'Enter') enter(words)
    else if (event.key === 'Escape' && words !== '') onWords('')
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
      {look.columns.length > 0 && (
        <ColumnHeads
          ref={heads}
          onScroll={(left: number) => scroller.current?.scrollTo({ left })}
          look={look}
          onLook={onLook}
          isPickable={picked.isPickable}
        />
      )}
      {rows.length === 0 ? (
        <NoDevices isFleetEmpty={fleet.counts.total === 0} words={words} onClear={props.onClear} />
      ) : (
        <DeviceRows
          list={{ fleet, rows, walk, picked, actions, wish: setWish }}
          columns={look.columns}
          selected={selected}
          scroller={scroller}
          heads={heads}
          touchedAt={touchedAt}
        />
      )}
      {picked.isPickable && (
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
