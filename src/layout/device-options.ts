import { useMemo } from 'react'
import type { DeviceType } from '#machines/contracts/scalars.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { createSearchIndex, type SearchIndex } from '../read-model/search-index.ts'
import { useFleet, useFleetItself } from '../read-model/use-fleet.ts'
import type { FindOptions, Option, Options } from '../ui/options.ts'

/** Which devices of the fleet there are to choose from; what is left out is not narrowed. */
export type DeviceScope = {
  kind?: DeviceType | undefined
  /** ids of the groups they are directly in */
  groups?: ReadonlySet<string> | undefined
}

const KINDS: readonly DeviceType[] = ['vehicle', 'warehouse']

/** Whether a row is in a scope; undefined where all are. */
export function inScope(
  { columns, groups }: Fleet,
  scope: DeviceScope,
): ((row: number) => boolean) | undefined {
  if (scope.kind === undefined && scope.groups === undefined) return undefined
  const kind = scope.kind === undefined ? -1 : KINDS.indexOf(scope.kind)
  const isIn = Uint8Array.from(groups.list, ({ _id }) => ((scope.groups?.has(_id) ?? true) ? 1 : 0))
  return (row) => isIn[columns.group[row] as number] === 1 && (kind < 0 || columns.kind[row] === kind)
}

/**
 * Rows that fit a query: with no query those in `first` before the others, a search by how well it fits.
 * @param keeps leaves out rows it answers false for
 */
export function deviceRows(
  { columns }: Fleet,
  search: SearchIndex,
  query: string,
  keeps?: (row: number) => boolean,
  first?: Uint8Array,
): Uint32Array {
  if (query.trim() !== '') return search.find(query, Number.POSITIVE_INFINITY, keeps).rows
  const early: number[] = []
  const late: number[] = []
  for (let row = 0; row < columns.size; row++)
    if (keeps === undefined || keeps(row)) (first?.[row] === 1 ? early : late).push(row)
  return Uint32Array.from(early.concat(late))
}

/** 1 for each row whose imei is among these. */
export function maskOf({ names, columns }: Fleet, imeis: Iterable<string>): Uint8Array {
  const mask = new Uint8Array(columns.size)
  for (const imei of imeis) {
    const row = names.rowOf(imei)
    if (row >= 0) mask[row] = 1
  }
  return mask
}

/**
 * Rows as options: imei, name, plate number and group. They exist when they are looked at.
 * @param detailOf what to say of an imei instead of its group
 */
export function deviceOptions(
  fleet: Fleet,
  rows: Uint32Array,
  detailOf?: (imei: string) => string | undefined,
): Options {
  return { length: rows.length, at: (index) => deviceOption(fleet, rows[index] as number, detailOf) }
}

/** The same by plate number, with the name beside it; a device without a plate goes by its name. */
export function platedOptions({ names }: Fleet, rows: Uint32Array): Options {
  return {
    length: rows.length,
    at(index): Option {
      const row = rows[index] as number
      const name = names.of(row, 'name')
      const plate = names.of(row, 'plate')
      return { id: names.of(row, 'imei'), text: plate || name, ...(plate && { detail: name }) }
    },
  }
}

function deviceOption(
  { names, columns, groups }: Fleet,
  row: number,
  detailOf?: (imei: string) => string | undefined,
): Option {
  const id = names.of(row, 'imei')
  const detail = detailOf?.(id) ?? groups.list[columns.group[row] as number]?.name
  return {
    id,
    text: names.of(row, 'name'),
    detail: [names.of(row, 'plate'), detail].filter(Boolean).join(' · '),
  }
}

export const imeisOf = ({ names }: Fleet, rows: Uint32Array): string[] =>
  Array.from(rows, (row) => names.of(row, 'imei'))

const structureOf = (fleet: Fleet): number => fleet.structure

/** The devices of a scope, searchable: `total` in all, `rows` that fit a query, `find` as options of a selector. */
export function useDevices({ kind, groups }: DeviceScope = {}) {
  const fleet = useFleetItself()
  const structure = useFleet(structureOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: names and groups are others when the structure is
  return useMemo(() => {
    const search = createSearchIndex(fleet.names)
    const keeps = inScope(fleet, { kind, groups })
    const all = deviceRows(fleet, search, '', keeps)
    const find: FindOptions = (query) =>
      deviceOptions(fleet, query.trim() === '' ? all : deviceRows(fleet, search, query, keeps))
    return { fleet, search, keeps, total: all.length, all, find }
  }, [fleet, structure, kind, groups])
}
