import type { NewFact } from '#machines/contracts/facts.ts'
import {
  type Device,
  type Directory,
  deviceByImei,
  type Group,
  isWithin,
} from '#machines/projections/directory.ts'

/**
 * Where everything is decided about who and what belongs where, of all companies: one thing at a time, so that
 * nothing is put into a group while it is deleted, and no address is given twice.
 */
export const STRUCTURE = 'structure'

/** Facts about one company, by whoever gave the command. */
export const originOf = (
  { at, by }: { at: number; by: string | null },
  companyId: string,
): Pick<NewFact, 'at' | 'companyId' | 'by'> => ({ at, companyId, ...(by === null ? {} : { by }) })

/** The group of an id; undefined where it is out of scope or deleted. */
export function groupInScope(directory: Directory, id: string, topId: string): Group | undefined {
  const group = directory.groups.get(id)
  return group !== undefined && isWithin(directory, id, topId) ? group : undefined
}

/** The device of an imei; undefined where it is out of scope, retired, or none at all. */
export function deviceInScope(directory: Directory, imei: string, topId: string): Device | undefined {
  const device = deviceByImei(directory, imei)
  const isMeant = device?.retired === null && isWithin(directory, device.groupId, topId)
  return isMeant ? device : undefined
}

/** The devices of these imeis, each once; undefined where one is out of scope, retired, or none at all. */
export function devicesInScope(
  directory: Directory,
  imeis: readonly string[],
  topId: string,
): Device[] | undefined {
  const devices = new Map<string, Device>()
  for (const imei of imeis) {
    const device = deviceInScope(directory, imei, topId)
    if (device === undefined) return undefined
    devices.set(imei, device)
  }
  return [...devices.values()]
}

/** Devices go into a group; what is in it already stays without a word. */
export const moved = (
  devices: Iterable<Device>,
  groupId: string,
  origin: Pick<NewFact, 'at' | 'companyId' | 'by'>,
): NewFact[] =>
  [...devices]
    .filter((device) => device.groupId !== groupId)
    .map(({ imei }) => ({ ...origin, type: 'device.updated', data: { imei, groupId } }))

/** Those of `wanted` that say something else than `now`. */
export function changesOf<T extends object>(
  now: T,
  wanted: { [K in keyof T]?: T[K] | undefined },
): Partial<T> {
  const changes: Partial<T> = {}
  for (const name of Object.keys(wanted) as (keyof T)[]) {
    const value = wanted[name]
    if (value !== undefined && !Object.is(value, now[name])) changes[name] = value
  }
  return changes
}

export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0
