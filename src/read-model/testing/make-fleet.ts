import type { FleetGroup, FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'

/** A device as plainly as it can be said; stored units. */
export type PlainDevice = {
  no: number
  at: number
  lat: number
  lng: number
  group: number
  temperature: number
  humidity: number
  speed: number
  heading: number
  state: number
  kind: number
  imei: string
  name: string
  plate: string
}

export const imeiOf = (deviceNo: number): string => String(356_307_042_000_000 + deviceNo)

export const plainDevice = (deviceNo: number, given: Partial<PlainDevice> = {}): PlainDevice => ({
  no: deviceNo,
  at: 1000,
  lat: 31e6,
  lng: 74e6,
  group: 0,
  temperature: 400,
  humidity: 5000,
  speed: 0,
  heading: 0,
  state: 0,
  kind: 0,
  imei: imeiOf(deviceNo),
  name: `Reefer ${deviceNo}`,
  plate: `LEB-${deviceNo}`,
  ...given,
})

export const plainGroup = (id: string, parentId: string | null = null): FleetGroup => ({
  _id: id,
  name: id,
  parentId,
  lowTemperatureThreshold: 0,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
})

export function snapshotOf(seq: number, devices: PlainDevice[], groups = [plainGroup('top')]): FleetSnapshot {
  const sorted = devices.toSorted((a, b) => a.no - b.no)
  const encoder = new TextEncoder()
  const texts = sorted.flatMap((d) => [d.imei, d.name, d.plate].map((text) => encoder.encode(text)))
  const textOffsets = new Uint32Array(texts.length + 1)
  texts.forEach((bytes, i) => {
    textOffsets[i + 1] = (textOffsets[i] as number) + bytes.length
  })
  const text = new Uint8Array(textOffsets.at(-1) ?? 0)
  texts.forEach((bytes, i) => {
    text.set(bytes, textOffsets[i])
  })
  const all = (name: Exclude<keyof PlainDevice, 'imei' | 'name' | 'plate'>) => sorted.map((d) => d[name])
  return {
    head: { seq, now: 0, devices: sorted.length, groups },
    at: Float64Array.from(all('at')),
    device: Uint32Array.from(all('no')),
    lat: Int32Array.from(all('lat')),
    lng: Int32Array.from(all('lng')),
    group: Uint16Array.from(all('group')),
    temperature: Int16Array.from(all('temperature')),
    humidity: Uint16Array.from(all('humidity')),
    speed: Uint16Array.from(all('speed')),
    heading: Uint16Array.from(all('heading')),
    state: Uint8Array.from(all('state')),
    kind: Uint8Array.from(all('kind')),
    textOffsets,
    text,
  }
}

/** @param moved the numbers of those whose place the frame tells; all where left out */
export function frameOf(
  prevSeq: number,
  seq: number,
  devices: PlainDevice[],
  moved: (deviceNo: number) => boolean = () => true,
): LiveFrame {
  const sorted = devices.toSorted((a, b) => a.no - b.no)
  const movers = sorted.flatMap((d, row) => (moved(d.no) ? [{ ...d, row }] : []))
  return {
    prevSeq,
    seq,
    resumed: false,
    baseAt: 0,
    device: Uint32Array.from(sorted, (d) => d.no),
    at: Float64Array.from(sorted, (d) => d.at),
    temperature: Int16Array.from(sorted, (d) => d.temperature),
    humidity: Uint16Array.from(sorted, (d) => d.humidity),
    state: Uint8Array.from(sorted, (d) => d.state),
    movedRow: Uint32Array.from(movers, (m) => m.row),
    lat: Int32Array.from(movers, (m) => m.lat),
    lng: Int32Array.from(movers, (m) => m.lng),
    speed: Uint16Array.from(movers, (m) => m.speed),
    heading: Uint16Array.from(movers, (m) => m.heading),
  }
}
