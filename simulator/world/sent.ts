/** Messages on their way: columns that grow, with the time each was sent, and a running hash a device. */
import {
  createReadings,
  READING_FIELD_NAMES,
  type ReadingColumns,
  sliceReadings,
} from '#machines/contracts/readings.ts'

/** `sentAt[i]`: when message `i` left its device, epoch ms, ascending. Its `at` may be earlier (kept back) or wrong (skewed). */
export type Sent = { readings: ReadingColumns; sentAt: Float64Array }

/** Columns with room for at least one more row than `length`. */
export function withRoom(sent: Sent): Sent {
  const { readings, sentAt } = sent
  if (readings.length < sentAt.length) return sent
  const larger = createReadings(Math.max(64, sentAt.length * 2))
  larger.device.set(readings.device)
  larger.at.set(readings.at)
  for (const name of READING_FIELD_NAMES) larger[name].set(readings[name])
  larger.length = readings.length
  const times = new Float64Array(larger.device.length)
  times.set(sentAt)
  return { readings: larger, sentAt: times }
}

/** Room for about `capacity` messages. */
export function emptySent(capacity: number): Sent {
  const rows = Math.max(64, capacity)
  return { readings: createReadings(rows), sentAt: new Float64Array(rows) }
}

/**
 * Cut before each device that sends what it had kept, so that what came before can be taken in by itself. `until`: up to when a
 * part is all that was sent; of the last one it is `to`.
 */
export function partsOf(sent: Sent, to: number): (Sent & { until: number })[] {
  const { readings, sentAt } = sent
  const cuts: number[] = []
  for (let i = 1; i + 1 < readings.length; i++) if (isFirstKept(sent, i)) cuts.push(i)
  if (cuts.length === 0) return [{ ...sent, until: to }]
  return [0, ...cuts].map((from, part) => {
    const end = cuts[part] ?? readings.length
    return {
      readings: sliceReadings(readings, from, end),
      sentAt: sentAt.slice(from, end),
      until: end === readings.length ? to : (sentAt[end - 1] as number),
    }
  })
}

/** Whether row `i` is the first of several readings that one device sends at once, not of one that it sends twice. */
function isFirstKept({ readings: { device, at }, sentAt }: Sent, i: number): boolean {
  return (
    at[i + 1] !== at[i] &&
    device[i + 1] === device[i] &&
    sentAt[i + 1] === sentAt[i] &&
    (device[i - 1] !== device[i] || sentAt[i - 1] !== sentAt[i])
  )
}

/** A running 64-bit hash of each device's messages, as two halves; restorable. */
export class MessageHashes {
  readonly halves: Uint32Array
  constructor(devices: number) {
    this.halves = new Uint32Array(devices * 2)
  }

  /** Takes row `i`, sent by the device of this index. */
  add(index: number, { readings, sentAt }: Sent, i: number): void {
    const { halves } = this
    let a = halves[index * 2] as number
    let b = halves[index * 2 + 1] as number
    const mix = (v: number) => {
      a = Math.imul((a ^ v) + 0x7ed55d16, 0x85ebca6b)
      a ^= a >>> 15
      b = Math.imul((b + v) ^ (b >>> 13), 0xc2b2ae35) + a
    }
    const at = readings.at[i] as number
    const sent = sentAt[i] as number
    mix(at | 0)
    mix((at / 0x1_0000_0000) | 0)
    mix(sent | 0)
    mix(readings.lat[i] as number)
    mix(readings.lng[i] as number)
    mix(((readings.speed[i] as number) << 16) | (readings.heading[i] as number))
    mix(((readings.temperature[i] as number) << 16) | ((readings.temperature2[i] as number) & 0xffff))
    mix(
      ((readings.humidity[i] as number) << 16) |
        ((readings.gsmSignal[i] as number) << 8) |
        (readings.gnssStatus[i] as number),
    )
    mix(((readings.externalVoltage[i] as number) << 16) | (readings.batteryVoltage[i] as number))
    mix(
      ((readings.door[i] as number) << 16) |
        ((readings.ignition[i] as number) << 8) |
        (readings.unplug[i] as number),
    )
    halves[index * 2] = a
    halves[index * 2 + 1] = b
  }

  /** Of one device, 16 hexadecimal digits. */
  of(index: number): string {
    return hex(this.halves[index * 2] as number) + hex(this.halves[index * 2 + 1] as number)
  }

  /** Of all, in device order. */
  all(): string {
    let a = 0x811c9dc5
    let b = 0x9e3779b9
    for (const half of this.halves) {
      a = Math.imul(a ^ half, 0x01000193)
      b = Math.imul((b ^ (b >>> 15)) + half, 0x85ebca6b)
    }
    return hex(a >>> 0) + hex(b >>> 0)
  }
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, '0')
}
