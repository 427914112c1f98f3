/** What a list of devices can be sorted by. */
export const SORTABLE = [
  'name',
  'plate',
  'imei',
  'group',
  'state',
  'temperature',
  'humidity',
  'speed',
  'at',
  'budget',
  'lat',
  'lng',
] as const
export type SortKey = (typeof SORTABLE)[number]
export type ListSort = { by: SortKey; isDescending: boolean }
