import { setImmediate as turn } from 'node:timers/promises'
import { type FleetGroup, roomForFleet } from '#machines/contracts/fleet-snapshot.ts'
import {
  type Device,
  type Directory,
  devicesWithin,
  type Group,
  groupsWithin,
} from '#machines/projections/directory.ts'
import type { Latest } from '#machines/projections/latest.ts'

/** What of a fleet changes only when somebody renames, moves or registers. */
export type Named = {
  /** `seq` of the last change of a device in it that this knows */
  seq: number
  device: Uint32Array
  group: Uint16Array
  kind: Uint8Array
  groups: FleetGroup[]
} & Texts

/** Looked at again when the directory's version grows. `states`: of each group with what is below it, which state of it this is. */
type Fixed = Named & { version: number; states: string[] }

/** Of each device three texts, and where each begins. */
type Texts = { textOffsets: Uint32Array; text: Uint8Array }
const TEXTS = 3

/** Fleets kept at once; a group's is a few bytes to some megabytes. */
const KEPT = 32

export type FleetColumns = {
  /** the fleet a group sees, as the bytes of `application/vnd.frostline.fleet` */
  of(groupId: string, seq: number, now: number): Uint8Array
  /** gathers now, a group a turn, what the next request would have to wait for */
  warm(groupIds: Iterable<string>): Promise<void>
  /** groups requested lately, or warmed */
  known(): string[]
}

/** With 100,000 devices what is fixed is gathered when a fleet has others, numbers at each call. */
export function createFleetColumns(directory: Directory, latest: Latest): FleetColumns {
  const kept = new Map<string, Fixed>()

  function fixedOf(groupId: string): Fixed {
    const known = kept.get(groupId)
    kept.delete(groupId)
    const fixed = known?.version === directory.version ? known : fixedAnew(directory, groupId, known)
    kept.set(groupId, fixed)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return fixed
  }

  return {
    of: (groupId, seq, now) => fleetBytes(fixedOf(groupId), latest, seq, now),
    async warm(groupIds) {
      for (const groupId of groupIds) {
        await turn()
        if (directory.groups.has(groupId)) fixedOf(groupId)
      }
    },
    known: () => [...kept.keys()],
  }
}

/** A fleet with what was newest of each device, as `application/vnd.frostline.fleet`. */
export function fleetBytes(named: Named, { readings, state }: Latest, seq: number, now: number): Uint8Array {
  const { device, group, kind, textOffsets, text, groups } = named
  const { bytes, fleet } = roomForFleet({ seq, now, devices: device.length, groups }, text.length)
  fleet.device.set(device)
  fleet.group.set(group)
  fleet.kind.set(kind)
  fleet.textOffsets.set(textOffsets)
  fleet.text.set(text)
  for (let i = 0; i < device.length; i++) {
    const no = device[i] as number
    fleet.at[i] = readings.at[no] as number
    fleet.lat[i] = readings.lat[no] as number
    fleet.lng[i] = readings.lng[no] as number
    fleet.temperature[i] = readings.temperature[no] as number
    fleet.humidity[i] = readings.humidity[no] as number
    fleet.speed[i] = readings.speed[no] as number
    fleet.heading[i] = readings.heading[no] as number
    fleet.state[i] = state[no] as number
  }
  return bytes
}

/** What is fixed now: with 100,000 devices one is renamed every now and then, and all else is as it was known. */
function fixedAnew(directory: Directory, topId: string, known: Fixed | undefined): Fixed {
  const groups = groupsWithin(directory, topId)
  const states = groups.map(({ _id, version, devicesVersion }) => `${_id} ${version} ${devicesVersion}`)
  const isSameFleet =
    known?.states.length === states.length && known.states.every((state, i) => state === states[i])
  return isSameFleet ? withNewNames(directory, known) : gather(directory, groups, states)
}

function gather(directory: Directory, groups: Group[], states: string[]): Fixed {
  const device = devicesWithin(directory, groups[0]?._id ?? '')
  return { version: directory.version, states, ...named(directory, groups, device) }
}

/** What is said of these devices, ascending; one in another group than these stands in the first. */
export function named(directory: Directory, groups: Group[], device: Uint32Array): Named {
  const indexOf = new Map(groups.map(({ _id }, i) => [_id, i]))
  const group = new Uint16Array(device.length)
  const kind = new Uint8Array(device.length)
  const texts: string[] = []
  let seq = 0
  device.forEach((no, i) => {
    const each = directory.devices[no] as Device
    group[i] = indexOf.get(each.groupId ?? '') ?? 0
    kind[i] = each.type === 'warehouse' ? 1 : 0
    texts.push(...textsOf(each))
    seq = Math.max(seq, each.version)
  })
  const topId = groups[0]?._id ?? ''
  return { seq, device, group, kind, ...packed(texts), groups: groups.map(fleetGroup(topId)) }
}

/** The same fleet with the texts of those of its devices that were changed since. */
function withNewNames(directory: Directory, known: Fixed): Fixed {
  const rows: number[] = []
  const texts: string[] = []
  let { seq } = known
  known.device.forEach((no, row) => {
    const each = directory.devices[no] as Device
    if (each.version <= known.seq) return
    rows.push(row)
    texts.push(...textsOf(each))
    seq = Math.max(seq, each.version)
  })
  const names = rows.length === 0 ? known : replaced(known, rows, packed(texts))
  return { ...known, ...names, version: directory.version, seq }
}

const textsOf = ({ imei, name, plateNumber }: Device): string[] => [imei, name, plateNumber]

/** These texts with others for the devices in `rows`, which ascend. */
function replaced(before: Texts, rows: number[], fresh: Texts): Texts {
  const textOffsets = new Uint32Array(before.textOffsets.length)
  const pieces: Uint8Array[] = []
  let copied = 0
  let next = 0
  for (let row = 0; row < (textOffsets.length - 1) / TEXTS; row++) {
    const isFresh = rows[next] === row
    const offsets = isFresh ? fresh.textOffsets : before.textOffsets
    const first = (isFresh ? next : row) * TEXTS
    for (let k = 0; k < TEXTS; k++) {
      const length = (offsets[first + k + 1] as number) - (offsets[first + k] as number)
      textOffsets[row * TEXTS + k + 1] = (textOffsets[row * TEXTS + k] as number) + length
    }
    if (!isFresh) continue
    pieces.push(before.text.subarray(copied, before.textOffsets[row * TEXTS]))
    pieces.push(fresh.text.subarray(offsets[first], offsets[first + TEXTS]))
    copied = before.textOffsets[(row + 1) * TEXTS] as number
    next++
  }
  pieces.push(before.text.subarray(copied))
  return { textOffsets, text: Buffer.concat(pieces) }
}

/**
 * All texts behind each other in UTF-8, and where each begins. Encoded at once: one by one, those of 100,000 devices took
 * a fifth of a second.
 */
function packed(texts: string[]): Texts {
  const whole = texts.join('')
  const text = new TextEncoder().encode(whole)
  const bytesOf = text.length === whole.length ? (each: string) => each.length : Buffer.byteLength
  const textOffsets = new Uint32Array(texts.length + 1)
  for (let i = 0; i < texts.length; i++)
    textOffsets[i + 1] = (textOffsets[i] as number) + bytesOf(texts[i] as string)
  // halves of a letter that stand at two ends are no letter together
  return textOffsets[texts.length] === text.length ? { textOffsets, text } : packed(texts.map(toWellFormed))
}

const toWellFormed = (text: string): string => text.toWellFormed()

const fleetGroup =
  (topId: string) =>
  (group: Group): FleetGroup => ({
    _id: group._id,
    name: group.name,
    parentId: group._id === topId ? null : group.parentId,
    lowTemperatureThreshold: group.lowTemperatureThreshold,
    highTemperatureThreshold: group.highTemperatureThreshold,
    lowHumidityThreshold: group.lowHumidityThreshold,
    highHumidityThreshold: group.highHumidityThreshold,
  })
