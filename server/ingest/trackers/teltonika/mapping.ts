import type { Reading } from '#machines/contracts/readings.ts'
import type { Notes } from '../protocol.ts'
import type { AvlRecord } from './codec.ts'
import { ELEMENTS, type Element } from './elements.ts'
import { readSensorList, type WirelessSensor } from './sensor-list.ts'

/**
 * One record as a reading of device `no`. A sensor that reports a fault was not measured; a record without satellites at
 * 0/0 has no position. The first sensor is the cargo's, the second `temperature2`: wired before wireless. A door
 * is open where any of its magnets is away.
 * @param notes gets each element that has another width than it is defined in, and what sensors say of their batteries
 */
export function toReading(no: number, record: AvlRecord, notes: Notes): Reading {
  const bytes = new Map(record.elements.map((element) => [element.id, element.bytes]))
  const measured = (element: Element, id: number, isDoubted = false): number | undefined =>
    elementValue(element, id, bytes.get(id), notes, isDoubted)
  const all = (element: Element): number[] =>
    element.ids.map((id) => measured(element, id)).filter((value) => value !== undefined)
  const one = (element: Element): number | undefined => all(element)[0]
  // one that is sent keeps its place while it cannot measure; of several that cannot, none is fitted
  const placed = (element: Element, isDoubted?: (i: number) => boolean): (number | undefined)[] => {
    const sent = element.ids.flatMap((id, i) => {
      const value = measured(element, id, isDoubted?.(i))
      return element.bytes.includes(bytes.get(id)?.length ?? 0) ? [value] : []
    })
    return sent.length > 1 && sent.every((value) => value === undefined) ? [] : sent
  }
  const { radioHumidities } = ELEMENTS
  const isDry = (i: number) => measured(radioHumidities, radioHumidities.ids[i] ?? 0) === undefined

  const sensors = ELEMENTS.sensorLists.ids.flatMap((id) => readSensorList(bytes.get(id) ?? new Uint8Array()))
  const listed = (name: keyof WirelessSensor): number[] =>
    sensors.map((sensor) => sensor[name]).filter((value) => value !== undefined)
  const temperatures = [
    ...placed(ELEMENTS.wiredTemperatures),
    ...placed(ELEMENTS.radioTemperatures, isDry),
    ...placed(ELEMENTS.eyeTemperatures),
    ...placed(ELEMENTS.probeTemperatures),
    ...listed('temperature'),
  ]
  const humidities = [...placed(radioHumidities), ...placed(ELEMENTS.eyeHumidities), ...listed('humidity')]
  const magnets = all(ELEMENTS.eyeMagnets)
  for (const [i, id] of ELEMENTS.eyeLowBatteries.ids.entries()) {
    const isLow = measured(ELEMENTS.eyeLowBatteries, id)
    if (isLow !== undefined) notes.lowBatteries.set(`EYE ${i + 1}`, isLow === 1)
  }
  const hasPlace = record.satellites > 0 || record.lat !== 0 || record.lng !== 0
  return {
    device: no,
    at: record.at,
    lat: hasPlace ? record.lat : undefined,
    lng: hasPlace ? record.lng : undefined,
    speed: record.satellites > 0 ? record.speed : (one(ELEMENTS.speed) ?? record.speed),
    heading: hasPlace && record.angle <= 360 ? record.angle : undefined,
    temperature: temperatures[0],
    temperature2: temperatures[1],
    humidity: humidities[0],
    gsmSignal: one(ELEMENTS.gsmSignal),
    gnssStatus: one(ELEMENTS.gnssStatus),
    externalVoltage: one(ELEMENTS.externalVoltage),
    batteryVoltage: one(ELEMENTS.batteryVoltage),
    ignition: one(ELEMENTS.ignition),
    unplug: one(ELEMENTS.unplug),
    door: magnets.length === 0 ? undefined : magnets.includes(0) ? 1 : 0,
  }
}

/** In units; undefined where it is not there, stands for a fault, or has a width it is not defined in. */
function elementValue(
  { value, bytes: widths, scale, faults, ambiguous, most }: Element,
  id: number,
  bytes: Uint8Array | undefined,
  { ignored }: Notes,
  isDoubted: boolean,
): number | undefined {
  if (bytes === undefined) return undefined
  if (!widths.includes(bytes.length)) {
    ignored.add(`AVL ${id} in ${bytes.length} bytes`)
    return undefined
  }
  const sent = value === 'signed' ? signed(bytes) : unsigned(bytes)
  const isFault = faults.includes(sent) || (isDoubted && ambiguous.includes(sent))
  return isFault || sent > most ? undefined : sent / scale
}

const unsigned = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0)

function signed(bytes: Uint8Array): number {
  const value = unsigned(bytes)
  const half = 2 ** (bytes.length * 8 - 1)
  return value >= half ? value - 2 * half : value
}
