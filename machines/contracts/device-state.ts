/**
 * What is wrong with a device, as one byte, so that 100,000 of them are one array.
 * Bits 0–1: status (index into STATUSES). Bits 2–5: open violations. Bit 6: temperature sensor unplugged. Bit 7: violation acknowledged (reserved).
 */
import type { ThingStatus, ViolationType } from './scalars.ts'

export const STATUSES = ['online', 'offline', 'disconnected'] as const satisfies ThingStatus[]

/** In bit order, worst for the goods first. */
export const VIOLATIONS = [
  'HIGH_TEMPERATURE_DETECTED',
  'LOW_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
  'LOW_HUMIDITY_DETECTED',
] as const satisfies ViolationType[]

export const STATUS_MASK = 0b11
export const VIOLATION_SHIFT = 2
export const VIOLATION_MASK = 0b0011_1100
export const SENSOR_UNPLUGGED = 0b0100_0000

/** `disconnected` for bits that say nothing known. */
export const statusOf = (state: number): ThingStatus => STATUSES[state & STATUS_MASK] ?? 'disconnected'
/** Violations and all other bits stay as they are. */
export const withStatus = (state: number, status: ThingStatus): number =>
  (state & ~STATUS_MASK) | STATUSES.indexOf(status)
export const violationBit = (type: ViolationType): number => 1 << (VIOLATION_SHIFT + VIOLATIONS.indexOf(type))
/** The open violations of a device's state byte, worst for the goods first. */
export const violationsOf = (state: number): ViolationType[] =>
  VIOLATIONS.filter((type) => (state & violationBit(type)) !== 0)
