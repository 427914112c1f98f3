import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { SearchX } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '../../../format/numbers.ts'
import { relativeTime } from '../../../format/time.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import type { SearchIndex } from '../../../read-model/search-index.ts'
import { Button } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/clock-context.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { type DeviceActions, deviceAt } from '../device.ts'
import { DETAILS_HEIGHT } from './device-details.tsx'
import { DeviceRow } from './device-row.tsx'
import { useSteadyRows } from './steady-rows.ts'

export type DeviceListProps = {
  fleet: Fleet
  /** rows of the fleet, worst first */
  rows: Uint32Array
  /** what the rows answer; another object when something else was asked for */
  question: unknown
  search: SearchIndex
  selected: string | null
  /** the link is lost: values are those of then */
  isStale: boolean
  actions: DeviceActions
  onClear: () => void
  onDeselect: () => void
}

const ROW_HEIGHT = 60
/** Hits of the list's search beyond these are not worth walking. */
const MOST_FOUND = 2000

/** The fleet as a list that arrow keys walk: the same as the map, in words. */
export function DeviceList(props: DeviceListProps) {
  const { fleet, question, search, selected, actions } = props
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  const touchedAt = useRef(Number.NEGATIVE_INFINITY)
  const steady = useSteadyRows(props.rows, question, touchedAt)
  const rows = useMemo(() => found(search, wanted, steady), [search, wanted, steady])
  const scroller = useRef<HTMLDivElement>(null)
  const listId = useId()
  const now = useNow()
  const [activeImei, setActive] = useState<string | null>(null)

  const selectedIndex = useIndexOf(fleet, rows, selected)
  const activeIndex = Math.max(0, useIndexOf(fleet, rows, activeImei ?? selected))
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW_HEIGHT + (index === selectedIndex ? DETAILS_HEIGHT : 0),
    overscan: 4,
    // The row that Tab comes to exists wherever the list is scrolled: focus is never lost.
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range)
      if (activeIndex >= rows.length || inSight.includes(activeIndex)) return inSight
      return [...inSight, activeIndex].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes follow from which row is selected
  useEffect(() => virtual.measure(), [virtual, selectedIndex])
  // Selected on the map or in the list, it comes into view; not when the order changes around it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    setActive(null)
    const room = scroller.current?.clientHeight ?? 0
    const align = room < 2 * (ROW_HEIGHT + DETAILS_HEIGHT) ? 'start' : 'auto'
    if (selectedIndex >= 0) virtual.scrollToIndex(selectedIndex, { align })
  }, [selected])

  function walkTo(wanted: number): void {
    const index = Math.max(0, Math.min(rows.length - 1, wanted))
    const row = rows[index]
    if (row === undefined) return
    flushSync(() => setActive(fleet.names.of(row, 'imei')))
    virtual.scrollToIndex(index, { align: 'auto' })
    document.getElementById(`${listId}-${row}`)?.focus({ preventScroll: true })
  }

  function onSearchKey(event: KeyboardEvent): void {
    const first = rows[0]
    if (event.key === 'ArrowDown') walkTo(0)
    else if (event.key === 'Enter' && first !== undefined) actions.select(fleet.names.of(first, 'imei'))
    else if (event.key === 'Escape' && query !== '') setQuery('')
    else return
    event.preventDefault()
  }

  function onListKey(event: KeyboardEvent): void {
    touchedAt.current = performance.now()
    const row = rows[activeIndex]
    const isOnRow = event.target instanceof HTMLElement && event.target.id === `${listId}-${row}`
    const to = targetOf(event.key, activeIndex, rows.length)
    if (event.key === 'Escape' && selected !== null) props.onDeselect()
    else if (!isOnRow || row === undefined) return
    else if (to !== undefined) walkTo(to)
    else if (event.key === 'Enter') actions.open(fleet.names.of(row, 'imei'))
    else if (event.key === 'F2') actions.edit(fleet.names.of(row, 'imei'))
    else return
    event.preventDefault()
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="mx-2 rounded-small bg-sunken focus-within:outline-2 focus-within:outline-accent">
        <SearchInput
          aria-label="Find in the list"
          placeholder="Find by name, IMEI or plate"
          value={query}
          onChange={(value) => {
            setQuery(value)
            setActive(null)
            scroller.current?.scrollTo({ top: 0 })
          }}
          onKeyDown={onSearchKey}
          isPageSearch
        />
      </div>
      <div className="flex items-center gap-2 px-5 py-1.5 text-dense text-ink-soft">
        <output className="tabular flex-1">
          {rows.length >= MOST_FOUND && wanted !== ''
            ? `First ${formatCount(MOST_FOUND)} devices`
            : `${formatCount(rows.length)} ${rows.length === 1 ? 'device' : 'devices'}`}
        </output>
        <span>{wanted === '' ? 'Worst first' : 'Best match first'}</span>
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title="No data Found"
          icon={<SearchX size={22} aria-hidden />}
          action={
            <Button
              onPress={() => {
                setQuery('')
                props.onClear()
              }}
            >
              Show all devices
            </Button>
          }
        >
          No device is in what was picked.
        </EmptyState>
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
                  age={device.at === null ? 'never heard' : relativeTime(device.at, now)}
                  id={`${listId}-${device.row}`}
                  position={index + 1}
                  of={rows.length}
                  isActive={index === activeIndex}
                  isSelected={device.imei === selected}
                  isStale={props.isStale}
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

/** The rows that hold what was typed, in the order of the search; all while nothing is typed. */
function found(search: SearchIndex, query: string, rows: Uint32Array): Uint32Array {
  if (query.trim() === '') return rows
  const among = new Uint8Array(rows.reduce((most, row) => Math.max(most, row + 1), 0))
  for (const row of rows) among[row] = 1
  return search.find(query, MOST_FOUND, (row) => among[row] === 1).rows
}

/** Place of a device among the rows; -1 where it is not. */
function useIndexOf(fleet: Fleet, rows: Uint32Array, imei: string | null): number {
  return useMemo(() => (imei === null ? -1 : rows.indexOf(fleet.names.rowOf(imei))), [fleet, rows, imei])
}
