/**
 * Wireless sensors as newer trackers list them in one element (AVL 548, 10828, 10829, 10831, 11317): u8 1, then for each sensor u8 length and
 * that many bytes of parameters: u8 type, u8 length, value. A type that is not known here is passed over.
 */
export type WirelessSensor = { temperature?: number; humidity?: number }

const PARAMETER = { advertised: 2, temperature: 6, humidity: 7 } as const

/** Sensors in the order listed, °C and %; what does not fit the form ends the list. */
export function readSensorList(bytes: Uint8Array): WirelessSensor[] {
  const sensors: WirelessSensor[] = []
  if (bytes[0] !== 1) return sensors
  for (let at = 1; at < bytes.length; ) {
    const length = bytes[at] as number
    const part = bytes.subarray(at + 1, at + 1 + length)
    if (part.length < length || length === 0) break
    sensors.push(readSensor(part))
    at += 1 + length
  }
  return sensors
}

function readSensor(part: Uint8Array): WirelessSensor {
  const sensor: WirelessSensor = {}
  for (let at = 0; at + 2 <= part.length; ) {
    const type = part[at]
    const length = part[at + 1] as number
    const value = part.subarray(at + 2, at + 2 + length)
    if (value.length < length) break
    if (type === PARAMETER.temperature && length === 2) sensor.temperature = int16(value, 0) / 100
    else if (type === PARAMETER.humidity && length === 1) sensor.humidity = value[0] as number
    else if (type === PARAMETER.advertised) Object.assign(sensor, readAdvertised(value))
    at += 2 + length
  }
  return sensor
}

/**
 * What an EYE sensor advertises: u8 flags (bit 0 temperature, bit 1 humidity), i16 0.01 °C, u8 %, the rest is motion and
 * battery. Its magnet is not read here: a sensor amid the cargo looks for one too, and never finds it.
 */
function readAdvertised(value: Uint8Array): WirelessSensor {
  const flags = value[0] ?? 0
  const sensor: WirelessSensor = {}
  let at = 1
  if (flags & 1 && value.length >= at + 2) {
    sensor.temperature = int16(value, at) / 100
    at += 2
  }
  if (flags & 2 && value.length > at) sensor.humidity = value[at] as number
  return sensor
}

function int16(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt16(at)
}
