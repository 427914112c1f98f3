import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { Fleet } from './fleet.ts'

/** The fleet as it is now in the form in which it is fetched. Copies nothing but names. @param now epoch ms */
export function fleetSnapshotOf({ columns, names, groups, seq }: Fleet, now: number): FleetSnapshot {
  const { size } = columns
  const encoder = new TextEncoder()
  const texts = names.slice(0, size).map((text) => encoder.encode(text))
  const textOffsets = new Uint32Array(texts.length + 1)
  texts.forEach((bytes, i) => {
    textOffsets[i + 1] = (textOffsets[i] as number) + bytes.length
  })
  const text = new Uint8Array(textOffsets.at(-1) ?? 0)
  texts.forEach((bytes, i) => {
    text.set(bytes, textOffsets[i])
  })
  return {
    head: { seq: seq ?? 0, now, devices: size, groups: [...groups.list] },
    at: columns.at.subarray(0, size),
    device: columns.device.subarray(0, size),
    lat: columns.lat.subarray(0, size),
    lng: columns.lng.subarray(0, size),
    group: columns.group.subarray(0, size),
    temperature: columns.temperature.subarray(0, size),
    humidity: columns.humidity.subarray(0, size),
    speed: columns.speed.subarray(0, size),
    heading: columns.heading.subarray(0, size),
    state: columns.state.subarray(0, size),
    kind: columns.kind.subarray(0, size),
    textOffsets,
    text,
  }
}
