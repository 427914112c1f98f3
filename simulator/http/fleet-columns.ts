import { setImmediate as turn } from 'node:timers/promises'
import { encodeFleetSnapshot, type FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import { type Directory, devicesWithin, groupsWithin } from '#machines/projections/directory.ts'
import type { Latest } from '#machines/projections/latest.ts'

/** What of a fleet changes only when somebody renames, moves or registers: kept until the directory's version grows. */
type Fixed = {
  version: number
  device: Uint32Array<ArrayBuffer>
  group: Uint16Array<ArrayBuffer>
  kind: Uint8Array<ArrayBuffer>
  textOffsets: Uint32Array<ArrayBuffer>
  text: Uint8Array<ArrayBuffer>
  groups: FleetGroup[]
}

/** Fleets kept at once; a group's is a few bytes to some megabytes. */
const KEPT = 32

export type FleetColumns = {
  /** the fleet a group sees, as the bytes of `application/vnd.frostline.fleet` */
  of(groupId: string, seq: number, now: number): Uint8Array
  /** gathers now, a group a turn, what the next one who asks would have to wait for */
  warm(groupIds: Iterable<string>): Promise<void>
  /** groups asked for lately, or warmed */
  known(): string[]
}

/** With 100,000 devices names are gathered once a change of the directory, numbers at each call. */
export function createFleetColumns(directory: Directory, latest: Latest): FleetColumns {
  const kept = new Map<string, Fixed>()

  function fixedOf(groupId: string): Fixed {
    const known = kept.get(groupId)
    kept.delete(groupId)
    const fixed = known?.version === directory.version ? known : gather(directory, groupId)
    kept.set(groupId, fixed)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return fixed
  }

  function of(groupId: string, seq: number, now: number): Uint8Array {
    const { device, group, kind, textOffsets, text, groups } = fixedOf(groupId)
    const { readings, state } = latest
    return encodeFleetSnapshot({
      head: { seq, now, devices: device.length, groups },
      at: pick(readings.at, device, new Float64Array(device.length)),
      device,
      lat: pick(readings.lat, device, new Int32Array(device.length)),
      lng: pick(readings.lng, device, new Int32Array(device.length)),
      group,
      temperature: pick(readings.temperature, device, new Int16Array(device.length)),
      humidity: pick(readings.humidity, device, new Uint16Array(device.length)),
      speed: pick(readings.speed, device, new Uint16Array(device.length)),
      heading: pick(readings.heading, device, new Uint16Array(device.length)),
      state: pick(state, device, new Uint8Array(device.length)),
      kind,
      textOffsets,
      text,
    })
  }

  return {
    of,
    async warm(groupIds) {
      for (const groupId of groupIds) {
        await turn()
        if (directory.groups.has(groupId)) fixedOf(groupId)
      }
    },
    known: () => [...kept.keys()],
  }
}

type Column = { [row: number]: number }

function pick<A extends Column>(from: Column, rows: Uint32Array, into: A): A {
  for (let i = 0; i < rows.length; i++) into[i] = from[rows[i] as number] as number
  return into
}

function gather(directory: Directory, topId: string): Fixed {
  const groups = groupsWithin(directory, topId)
  const indexOf = new Map(groups.map(({ _id }, i) => [_id, i]))
  const device = new Uint32Array(devicesWithin(directory, topId))
  const group = new Uint16Array(device.length)
  const kind = new Uint8Array(device.length)
  const texts: string[] = []
  device.forEach((no, i) => {
    const { groupId, type, imei, name, plateNumber } = directory.devices[no] as Directory['devices'][number]
    group[i] = indexOf.get(groupId ?? '') ?? 0
    kind[i] = type === 'warehouse' ? 1 : 0
    texts.push(imei, name, plateNumber)
  })
  return {
    version: directory.version,
    device,
    group,
    kind,
    ...packed(texts),
    groups: groups.map(fleetGroup(topId)),
  }
}

/**
 * All texts behind each other in UTF-8, and where each begins. Encoded at once: one by one, those of 100,000 devices took
 * a fifth of a second, after each rename.
 */
function packed(texts: string[]): Pick<Fixed, 'textOffsets' | 'text'> {
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
  (group: ReturnType<typeof groupsWithin>[number]): FleetGroup => ({
    _id: group._id,
    name: group.name,
    parentId: group._id === topId ? null : group.parentId,
    lowTemperatureThreshold: group.lowTemperatureThreshold,
    highTemperatureThreshold: group.highTemperatureThreshold,
    lowHumidityThreshold: group.lowHumidityThreshold,
    highHumidityThreshold: group.highHumidityThreshold,
  })
