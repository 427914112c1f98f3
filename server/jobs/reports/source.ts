import type { Fact, FactType } from '#machines/contracts/facts.ts'
import {
  type Device,
  type Directory,
  deviceOfFact,
  emptyDirectory,
  evolve,
  type Group,
  groupsWithin,
} from '#machines/projections/directory.ts'
import { membersOf } from '#machines/projections/report-members.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import { unpackReadings } from '../../store/packed-readings.ts'
import {
  type ReportDevice,
  ReportFault,
  type ReportGroup,
  type ReportOrder,
  type ReportSource,
} from './order.ts'
import type { RequestedOrder, RequestName, Requests } from './worker-messages.ts'

export type Ask = <W extends RequestName>(want: W, ask: Requests[W]['ask']) => Promise<Requests[W]['answer']>

/** Who and what there is: asked for once and kept, as every report begins with it. */
const STRUCTURE: readonly FactType[] = [
  'company.registered',
  'company.settings-changed',
  'group.created',
  'group.updated',
  'group.deleted',
  'device.registered',
  'device.updated',
  'device.tracker-replaced',
  'device.retired',
]

/** What happened is recorded after it, by a clock that was set back by so much at most, ms. */
const SET_BACK = 86_400_000

/** Devices whose readings are fetched before they are asked for. */
const AHEAD = 3

/** Makes sources of what the server hands out. The record never changes, so answers are kept. */
export function createSources(ask: Ask) {
  const known: { facts: Fact[]; through: number } = { facts: [], through: 0 }

  async function* pages(types: readonly FactType[], after: number, upTo: number, companyId: string | null) {
    for (let from: number | null = after; from !== null; ) {
      const { facts, last }: Requests['facts']['answer'] = await ask('facts', {
        types,
        after: from,
        upTo,
        companyId,
      })
      if (facts.length > 0) yield facts
      from = last
    }
  }

  async function structureUpTo(upTo: number): Promise<Fact[]> {
    if (known.through < upTo) {
      for await (const facts of pages(STRUCTURE, known.through, upTo, null)) known.facts.push(...facts)
      known.through = upTo
    }
    return known.facts.filter(({ seq }) => seq <= upTo)
  }

  const positionOf = async (at: number | undefined): Promise<number> =>
    at === undefined ? 0 : ask('position', { at: at - SET_BACK })

  /** The order with its names, and its source, as of its `upTo`. @throws ReportFault where nothing is left of what it is about */
  return async (requested: RequestedOrder): Promise<{ order: ReportOrder; source: ReportSource }> => {
    const { companyId, groupId, devices: picked, groups, ...rest } = requested
    const { upTo } = requested
    const structure = await structureUpTo(upTo)
    const directory = structure.reduce(evolve, emptyDirectory())
    const company = directory.companies.get(companyId)
    const devices = devicesOf(directory, requested)
    if (company === undefined || devices.length === 0)
      throw new ReportFault('There is no device left to report on')
    const order: ReportOrder = {
      ...rest,
      company: { companyId, name: company.name, timeZone: company.timeZone },
      group: { groupId, name: directory.groups.get(groupId)?.name ?? '' },
    }
    const byNumber = new Map(devices.map((device) => [device.no, device]))
    const source: ReportSource = {
      devices,
      groups: groupsOf(directory, groups, devices),
      picked: {
        groups: groups.map((id) => directory.groups.get(id)?.name ?? ''),
        devices: picked.map((no) => directory.devices[no]?.name ?? ''),
      },
      violations: company,
      deviceOf: (fact) => byNumber.get(deviceOfFact(directory, fact)?.no ?? -1),
      keptFrom: keptSince(directory, companyId, requested.requestedAt),
      readings: readingsOf(ask, devices, upTo),
      async *facts<T extends FactType>(types: readonly T[], since?: number) {
        if (types.every((type) => STRUCTURE.includes(type)))
          yield structure.filter(
            (fact) => fact.companyId === companyId && types.includes(fact.type as T),
          ) as Extract<Fact, { type: T }>[]
        else
          for await (const facts of pages(types, await positionOf(since), upTo, companyId))
            yield facts as Extract<Fact, { type: T }>[]
      },
    }
    return { order, source }
  }
}

/**
 * Readings are mostly asked for device by device in order, over the same span: the next ones are fetched while these are
 * reckoned with, so that server and thread need not wait for each other.
 */
function readingsOf(ask: Ask, devices: readonly ReportDevice[], upTo: number): ReportSource['readings'] {
  const places = new Map(devices.map(({ no }, i) => [no, i]))
  const ahead = new Map<string, Promise<Requests['readings']['answer']>>()
  const fetch = (no: number, from: number, to: number) => {
    const name = `${no} ${from} ${to}`
    const packed = ahead.get(name) ?? ask('readings', { no, from, to, upTo })
    ahead.set(name, packed)
    // one that nobody comes for is nobody's failure
    packed.catch(() => {})
    return packed
  }
  return async (no, from, to, isAlone = false) => {
    const coming = fetch(no, from, to)
    ahead.delete(`${no} ${from} ${to}`)
    if (ahead.size > 2 * AHEAD) ahead.clear()
    const place = isAlone ? devices.length : (places.get(no) ?? devices.length)
    for (const next of devices.slice(place + 1, place + 1 + AHEAD)) void fetch(next.no, from, to)
    const kept = await coming
    return unpackReadings(kept.packed, kept.from, to)
  }
}

/** Those that are retired are among them: they measured while they were there. */
function devicesOf(directory: Directory, requested: RequestedOrder): ReportDevice[] {
  const isOf = membersOf(directory, requested)
  return directory.devices
    .filter(({ no }) => isOf(no))
    .map((device) => reportDevice(directory, device))
    .sort(byPlate)
}

function reportDevice({ groups }: Directory, device: Device): ReportDevice {
  const { no, imei, name, plateNumber, vehicleMakeAndModel, type, groupId } = device
  const group = groupId === null ? undefined : groups.get(groupId)
  return {
    no,
    imei,
    name,
    plateNumber,
    vehicleMakeAndModel,
    type,
    groupId,
    groupName: group?.name ?? '',
    thresholds: group && thresholdsOf(group),
  }
}

/** The picked groups with all below them, and those of the devices; parents before children. */
function groupsOf(
  directory: Directory,
  picked: readonly string[],
  devices: readonly ReportDevice[],
): ReportGroup[] {
  const wanted = new Set(picked.flatMap((id) => groupsWithin(directory, id).map(({ _id }) => _id)))
  for (const { groupId } of devices) if (groupId !== null) wanted.add(groupId)
  const tops = [...directory.groups.values()].filter(({ parentId }) => parentId === null)
  return tops
    .flatMap(({ _id }) => groupsWithin(directory, _id))
    .filter(({ _id }) => wanted.has(_id))
    .map((group) => ({
      groupId: group._id,
      name: group.name,
      parentId: group.parentId,
      ...thresholdsOf(group),
    }))
}

const thresholdsOf = (group: Group) => ({
  lowTemperatureThreshold: group.lowTemperatureThreshold,
  highTemperatureThreshold: group.highTemperatureThreshold,
  lowHumidityThreshold: group.lowHumidityThreshold,
  highHumidityThreshold: group.highHumidityThreshold,
})

/** By code units: no table of a language's letters, which another release could bring in another order. */
const byPlate = (a: ReportDevice, b: ReportDevice): number =>
  compared(a.plateNumber, b.plateNumber) || compared(a.name, b.name) || compared(a.imei, b.imei)
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
