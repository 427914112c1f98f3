import { useCallback, useEffect, useMemo } from 'react'
import { useStore } from '../../../actors/store.ts'
import { useRoot, useSignedIn } from '../../../actors/use-root.ts'
import { useAddressPart } from '../../../layout/use-address.ts'
import { type ListSort, SORTABLE, type SortKey } from '../../../read-model/sort-keys.ts'
import { lookAddress } from '../dashboard-address.ts'

/** How the list is laid out and in which order: no columns is the list's own look, no sort the worst first. */
export type ListLook = { columns: readonly ColumnKey[]; sort: ListSort | null }

/** What a column can show: what the list can be sorted by, and who has what is open of a device. */
export type ColumnKey = SortKey | 'holder'

export const OWN_LOOK: ListLook = { columns: [], sort: null }

/** As one plain text, for a cookie or an address: `group.temperature~-at`; '' for the list's own look. */
export const textOfLook = ({ columns, sort }: ListLook): string =>
  columns.length === 0 && sort === null
    ? ''
    : `${columns.join('.')}~${sort === null ? '' : `${sort.isDescending ? '-' : ''}${sort.by}`}`

/** What stands over a column, and px it is wide. */
export const TITLES: Record<ColumnKey, string> = {
  name: 'Name',
  plate: 'Plate',
  imei: 'IMEI',
  group: 'Group',
  state: 'State',
  temperature: 'Temperature',
  humidity: 'Humidity',
  speed: 'Speed',
  at: 'Updated',
  budget: 'Budget used',
  lat: 'Latitude',
  lng: 'Longitude',
  holder: 'Who has it',
}
export const WIDTHS: Record<ColumnKey, number> = {
  // with the sign before it
  name: 184,
  plate: 104,
  imei: 144,
  group: 140,
  state: 116,
  temperature: 112,
  humidity: 96,
  speed: 88,
  at: 96,
  budget: 152,
  lat: 104,
  lng: 104,
  holder: 160,
}
/** Of all of it with the pencil, px. */
export const widthOf = (columns: readonly ColumnKey[]): number =>
  columns.reduce((sum, key) => sum + WIDTHS[key], WIDTHS.name + 64)

/** What is no column is passed over: the text may come from anywhere. */
export function lookOfText(text: string): ListLook {
  const [columns = '', sort = ''] = text.split('~')
  const by = sort.replace(/^-/, '')
  const wanted = new Set(columns.split('.'))
  return {
    columns: CHOICES.filter((key) => wanted.has(key)),
    sort: isKey(by) ? { by, isDescending: sort.startsWith('-') } : null,
  }
}

/** Columns that can be chosen, in the order they stand in; the name is always there. */
export const CHOICES: readonly ColumnKey[] = SORTABLE.flatMap((key): ColumnKey[] =>
  key === 'name' ? [] : key === 'state' ? [key, 'holder'] : [key],
)

const isKey = (text: string): text is SortKey => (SORTABLE as readonly string[]).includes(text)

/** Another press of the same turns it round, a third one is the worst first again; values begin with the highest. */
export function sortedBy({ sort }: ListLook, by: SortKey): ListSort | null {
  const begins = HIGHEST_FIRST.has(by)
  if (sort?.by !== by) return { by, isDescending: begins }
  return sort.isDescending === begins ? { by, isDescending: !begins } : null
}
const HIGHEST_FIRST: ReadonlySet<SortKey> = new Set([
  'state',
  'temperature',
  'humidity',
  'speed',
  'at',
  'budget',
])

/** The look that the address says; else the one somebody chose, remembered for them on this device, which the address says then. */
export function useListLook(): [ListLook, (look: ListLook) => void] {
  const { preferences } = useRoot()
  const { user } = useSignedIn()
  const kept = useStore(preferences).lists?.[user._id] ?? ''
  const [requested, ask] = useAddressPart(lookAddress, 'look', 'replace')
  useEffect(() => {
    if (requested === '' && kept !== '') ask(kept)
  }, [requested, kept, ask])
  const text = requested === '' ? kept : requested
  const look = useMemo(() => (text === '' ? OWN_LOOK : lookOfText(text)), [text])
  const choose = useCallback(
    (next: ListLook) => {
      const now = preferences.get()
      preferences.set({ ...now, lists: { ...now.lists, [user._id]: textOfLook(next) } })
      ask(textOfLook(next))
    },
    [preferences, user._id, ask],
  )
  return [look, choose]
}
