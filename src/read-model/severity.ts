import { SENSOR_UNPLUGGED, STATUS_MASK, STATUSES, violationBit } from '#machines/contracts/device-state.ts'

/** How bad a device's state is for the goods, least first; the index is the number that lists and clusters sort by. */
export const SEVERITIES = [
  'fine',
  'offline',
  'disconnected',
  'sensorUnplugged',
  'tooDry',
  'tooHumid',
  'tooCold',
  'tooHot',
] as const
export type Severity = (typeof SEVERITIES)[number]

/** From here on the goods are outside a limit. */
export const FIRST_VIOLATION = SEVERITIES.indexOf('tooDry')

/** State byte (device-state.ts) → index into SEVERITIES: the worst of what it says. */
export const SEVERITY_OF: Uint8Array = Uint8Array.from({ length: 256 }, (_, state) => {
  const has = (bit: number) => (state & bit) !== 0
  if (has(violationBit('HIGH_TEMPERATURE_DETECTED'))) return SEVERITIES.indexOf('tooHot')
  if (has(violationBit('LOW_TEMPERATURE_DETECTED'))) return SEVERITIES.indexOf('tooCold')
  if (has(violationBit('HIGH_HUMIDITY_DETECTED'))) return SEVERITIES.indexOf('tooHumid')
  if (has(violationBit('LOW_HUMIDITY_DETECTED'))) return SEVERITIES.indexOf('tooDry')
  if (has(SENSOR_UNPLUGGED)) return SEVERITIES.indexOf('sensorUnplugged')
  const status = STATUSES[state & STATUS_MASK] ?? 'disconnected'
  return status === 'online' ? 0 : SEVERITIES.indexOf(status)
})

/** The worst of what a state byte says, by name. */
export const severityOf = (state: number): Severity => SEVERITIES[SEVERITY_OF[state & 0xff] ?? 0] ?? 'fine'
