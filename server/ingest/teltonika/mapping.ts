import type { Reading } from '#machines/contracts/readings.ts'
import type { AvlElement, AvlRecord } from './codec.ts'
import { readSensorList } from './sensor-list.ts'

/** What the elements mean. Source: the manufacturer's AVL id lists (FMB, FMC, TAT series). */
const AVL = {
  gsmSignal: 21,
  speed: 24,
  externalVoltage: 66,
  batteryVoltage: 67,
  gnssStatus: 69,
  ignition: 239,
  unplug: 252,
} as const
const DALLAS_TEMPERATURES = [72, 73, 74, 75]
const BLE_TEMPERATURES = [25, 26, 27, 28]
const BLE_HUMIDITIES = [86, 104, 106, 108]
const SENSOR_LISTS = [548, 11317]

/** In tenths of °C: not ready (also as 85.0 °C), not readable, not connected, no id, not ready. */
const DALLAS_FAULTS = [850, 2000, 3000, 4000, 5000]
/** In hundredths of °C: not readable, not found, abnormal; as older and as newer series say it. */
const BLE_FAULTS = [2000, 3000, 4000, 32765, 32766, 32767]

/**
 * One record as a reading of device `no`. A sensor that reports a fault was not measured; a record without satellites at
 * 0/0 has no position. The first sensor that measures is the cargo's, the second `temperature2`: wired before wireless.
 */
export function toReading(no: number, record: AvlRecord): Reading {
  const elements = new Map(record.elements.map((element) => [element.id, element]))
  const small = (id: number, max: number): number | undefined => {
    const value = unsigned(elements.get(id))
    return value === undefined || value > max ? undefined : value
  }
  const hasPlace = record.satellites > 0 || record.lat !== 0 || record.lng !== 0
  const wireless = SENSOR_LISTS.flatMap((id) => readSensorList(elements.get(id)?.bytes ?? new Uint8Array()))
  const temperatures = [
    ...DALLAS_TEMPERATURES.map((id) => measured(elements.get(id), DALLAS_FAULTS, 10)),
    ...BLE_TEMPERATURES.map((id) => measured(elements.get(id), BLE_FAULTS, 100)),
    ...wireless.map((sensor) => sensor.temperature),
  ].filter((value) => value !== undefined)
  const humidities = [
    ...BLE_HUMIDITIES.map((id) => tenths(small(id, 1000))),
    ...wireless.map((sensor) => sensor.humidity),
  ].filter((value) => value !== undefined)
  return {
    device: no,
    at: record.at,
    lat: hasPlace ? record.lat : undefined,
    lng: hasPlace ? record.lng : undefined,
    speed: record.satellites > 0 ? record.speed : (small(AVL.speed, 400) ?? record.speed),
    heading: hasPlace && record.angle <= 360 ? record.angle : undefined,
    temperature: temperatures[0],
    temperature2: temperatures[1],
    humidity: humidities[0],
    gsmSignal: small(AVL.gsmSignal, 5),
    gnssStatus: small(AVL.gnssStatus, 4),
    externalVoltage: volts(elements.get(AVL.externalVoltage)),
    batteryVoltage: volts(elements.get(AVL.batteryVoltage)),
    ignition: small(AVL.ignition, 1),
    unplug: small(AVL.unplug, 1),
  }
}

/** A sensor's value; undefined for the codes that stand for a fault, and for widths a sensor does not have (ids of sensors). */
function measured(element: AvlElement | undefined, faults: number[], scale: number): number | undefined {
  const value = signed(element)
  return value === undefined || faults.includes(value) ? undefined : value / scale
}

const tenths = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : value / 10

/** mV to V; 65.535 V is what a device sends when it does not know. */
function volts(element: AvlElement | undefined): number | undefined {
  const millivolts = unsigned(element)
  return millivolts === undefined || millivolts > 65_500 ? undefined : millivolts / 1000
}

function unsigned(element: AvlElement | undefined): number | undefined {
  if (element === undefined || element.bytes.length > 4) return undefined
  return element.bytes.reduce((value, byte) => value * 256 + byte, 0)
}

function signed(element: AvlElement | undefined): number | undefined {
  const value = unsigned(element)
  if (value === undefined || element === undefined || element.bytes.length === 0) return undefined
  const half = 2 ** (element.bytes.length * 8 - 1)
  return value >= half ? value - 2 * half : value
}
