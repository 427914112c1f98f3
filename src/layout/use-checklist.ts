import { useDeferredValue, useMemo, useState } from 'react'
import { nothing, type Selection } from '../ui/options.ts'
import { useActiveOption } from '../ui/use-active-option.ts'
import {
  type DeviceScope,
  deviceOptions,
  deviceRows,
  imeisOf,
  maskOf,
  platedOptions,
  useDevices,
} from './device-options.ts'

export type Checklist = DeviceScope & {
  /** imeis chosen; `'all'`: every device of the scope, those yet to come too */
  selection: Selection
  onChange: (selection: Selection) => void
  /** what else to say of a device beside its plate number, instead of its group: make and model */
  detailOf?: (imei: string) => string | undefined
  isDisabled?: boolean
  /** those chosen stand first; they are put there anew when this is another */
  orderedBy?: unknown
  /** by plate number, the name beside it: for a place too narrow for both and the group */
  isPlated?: boolean
}

/** Which devices of a checklist are in its list. */
export type Shown = 'all' | 'chosen'

/** Devices that are searched for, and ticked. */
export function useChecklist({
  selection,
  onChange,
  kind,
  groups,
  detailOf,
  isDisabled,
  orderedBy,
  isPlated,
}: Checklist) {
  const { fleet, search, keeps, total, all } = useDevices({ kind, groups })
  const [query, setQuery] = useState('')
  const [shows, setShows] = useState<Shown>('all')
  const wanted = useDeferredValue(query)
  const isWhole = (text: string): boolean => text.trim() === '' && shows === 'all'
  const rowsOf = (text: string): Uint32Array => {
    const chosen = selection === 'all' ? undefined : maskOf(fleet, selection)
    const isShown = (row: number): boolean =>
      (keeps?.(row) ?? true) && (shows === 'all' || chosen === undefined || chosen[row] === 1)
    return deviceRows(fleet, search, text, isShown, chosen)
  }
  // As it was when the list was asked for: a row does not jump away under the pointer that ticks it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above; another `all` is another structure
  const rows = useMemo(
    () => (selection === 'all' && isWhole(wanted) ? all : rowsOf(wanted)),
    [fleet, search, all, wanted, shows, orderedBy],
  )
  const options = useMemo(
    () => (isPlated ? platedOptions(fleet, rows) : deviceOptions(fleet, rows, detailOf)),
    [fleet, rows, isPlated, detailOf],
  )
  const pick = (index: number): void => {
    if (isDisabled) return
    const { id } = options.at(index)
    const next = new Set(selection === 'all' ? imeisOf(fleet, all) : selection)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  const active = useActiveOption(options.length, pick)
  // A press means what is typed, though the list may still show what was typed before.
  const meant = (): string[] => imeisOf(fleet, query === wanted ? rows : rowsOf(query))
  return {
    /** devices of the scope */
    total,
    query,
    type(text: string): void {
      setQuery(text)
      active.setIndex(0)
    },
    shows,
    setShows,
    options,
    active,
    isTicked: (id: string): boolean => selection === 'all' || selection.has(id),
    pick,
    /** ticks all that are in the list */
    take: (): void =>
      onChange(isWhole(query) || selection === 'all' ? 'all' : new Set([...selection, ...meant()])),
    /** ticks none of them */
    letGo(): void {
      const before = selection === 'all' ? imeisOf(fleet, all) : selection
      onChange(isWhole(query) ? nothing : new Set(before).difference(new Set(meant())))
    },
  }
}
