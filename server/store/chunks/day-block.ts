import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { DaySummary } from '../store.ts'

/** Devices whose day is summed up in one block; a block fits one page of the store. */
export const BLOCK = 128
const VERSION = 1
const HEADER = 8

/** Sums of 128 devices for one day, in stored units: whole numbers, so that adding in any order gives the same. */
export type DayBlock = {
  bytes: Uint8Array<ArrayBuffer>
  sumTemperature: Float64Array
  sumHumidity: Float64Array
  count: Uint32Array
  temperatures: Uint32Array
  humidities: Uint32Array
  minTemperature: Int16Array
  maxTemperature: Int16Array
  minHumidity: Uint16Array
  maxHumidity: Uint16Array
}

/** A block over its bytes, or an empty one. More columns may be appended under a new version. @throws RangeError */
export function dayBlock(stored?: Uint8Array): DayBlock {
  const bytes = new Uint8Array(HEADER + BLOCK * 36)
  if (stored === undefined) bytes[0] = VERSION
  else if (stored[0] !== VERSION || stored.length !== bytes.length)
    throw new RangeError(`summaries: version ${stored[0]} with ${stored.length} bytes is not known`)
  else bytes.set(stored)
  const { buffer } = bytes
  const at = (eighths: number) => HEADER + BLOCK * eighths
  return {
    bytes,
    sumTemperature: new Float64Array(buffer, at(0), BLOCK),
    sumHumidity: new Float64Array(buffer, at(8), BLOCK),
    count: new Uint32Array(buffer, at(16), BLOCK),
    temperatures: new Uint32Array(buffer, at(20), BLOCK),
    humidities: new Uint32Array(buffer, at(24), BLOCK),
    minTemperature: new Int16Array(buffer, at(28), BLOCK),
    maxTemperature: new Int16Array(buffer, at(30), BLOCK),
    minHumidity: new Uint16Array(buffer, at(32), BLOCK),
    maxHumidity: new Uint16Array(buffer, at(34), BLOCK),
  }
}

/** Adds readings `from` (included) to `to` (not) to a device's day; none of them may be in it already. */
export function addToDay(block: DayBlock, slot: number, readings: ReadingColumns, from: number, to: number) {
  for (const quantity of [TEMPERATURE, HUMIDITY]) addQuantity(block, slot, quantity, readings, from, to)
  block.count[slot] = (block.count[slot] as number) + to - from
}

type Quantity = {
  reading: 'temperature' | 'humidity'
  /** how many were measured that day, their sum, lowest and highest */
  measured: 'temperatures' | 'humidities'
  sum: 'sumTemperature' | 'sumHumidity'
  low: 'minTemperature' | 'minHumidity'
  high: 'maxTemperature' | 'maxHumidity'
}
const TEMPERATURE: Quantity = {
  reading: 'temperature',
  measured: 'temperatures',
  sum: 'sumTemperature',
  low: 'minTemperature',
  high: 'maxTemperature',
}
const HUMIDITY: Quantity = {
  reading: 'humidity',
  measured: 'humidities',
  sum: 'sumHumidity',
  low: 'minHumidity',
  high: 'maxHumidity',
}

function addQuantity(
  block: DayBlock,
  slot: number,
  quantity: Quantity,
  readings: ReadingColumns,
  from: number,
  to: number,
): void {
  const values = readings[quantity.reading]
  const { missing } = READING_FIELDS[quantity.reading]
  const before = block[quantity.measured][slot] as number
  let measured = before
  let low = before === 0 ? Number.POSITIVE_INFINITY : (block[quantity.low][slot] as number)
  let high = before === 0 ? Number.NEGATIVE_INFINITY : (block[quantity.high][slot] as number)
  let sum = 0
  for (let i = from; i < to; i++) {
    const value = values[i] as number
    if (value === missing) continue
    measured++
    sum += value
    if (value < low) low = value
    if (value > high) high = value
  }
  if (measured === before) return
  block[quantity.measured][slot] = measured
  block[quantity.low][slot] = low
  block[quantity.high][slot] = high
  block[quantity.sum][slot] = (block[quantity.sum][slot] as number) + sum
}

/** Takes a device's day back to nothing. */
export function clearDay(block: DayBlock, slot: number): void {
  block.count[slot] = 0
  block.temperatures[slot] = 0
  block.humidities[slot] = 0
  block.sumTemperature[slot] = 0
  block.sumHumidity[slot] = 0
}

/** Copies one device's day between blocks. */
export function copyDay(to: DayBlock, toSlot: number, from: DayBlock, slot: number): void {
  to.count[toSlot] = from.count[slot] as number
  to.temperatures[toSlot] = from.temperatures[slot] as number
  to.humidities[toSlot] = from.humidities[slot] as number
  to.sumTemperature[toSlot] = from.sumTemperature[slot] as number
  to.sumHumidity[toSlot] = from.sumHumidity[slot] as number
  to.minTemperature[toSlot] = from.minTemperature[slot] as number
  to.maxTemperature[toSlot] = from.maxTemperature[slot] as number
  to.minHumidity[toSlot] = from.minHumidity[slot] as number
  to.maxHumidity[toSlot] = from.maxHumidity[slot] as number
}

/** What a block knows of one device, °C and %; undefined when it had no reading that day. */
export function summaryOf(
  block: DayBlock,
  slot: number,
  device: number,
  day: number,
): DaySummary | undefined {
  const count = block.count[slot] as number
  if (count === 0) return undefined
  const temperatures = block.temperatures[slot] as number
  const humidities = block.humidities[slot] as number
  const celsius = READING_FIELDS.temperature.scale
  const percent = READING_FIELDS.humidity.scale
  return {
    device,
    day,
    count,
    minTemperature: temperatures === 0 ? Number.NaN : (block.minTemperature[slot] as number) / celsius,
    maxTemperature: temperatures === 0 ? Number.NaN : (block.maxTemperature[slot] as number) / celsius,
    meanTemperature: (block.sumTemperature[slot] as number) / celsius / temperatures,
    minHumidity: humidities === 0 ? Number.NaN : (block.minHumidity[slot] as number) / percent,
    maxHumidity: humidities === 0 ? Number.NaN : (block.maxHumidity[slot] as number) / percent,
    meanHumidity: (block.sumHumidity[slot] as number) / percent / humidities,
  }
}
