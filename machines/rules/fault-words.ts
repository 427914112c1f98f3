import type { FaultKind } from '../contracts/scenario-script.ts'

/** The faults of devices as people read of them, when they choose one and in the list of what was done. */
export const FAULT_WORDS: Readonly<Record<FaultKind, string>> = {
  'compressor-off': 'Compressor off',
  'door-open': 'Door open',
  'sensor-unplugged': 'Sensor unplugged',
  'device-unplugged': 'Device unplugged',
  'gps-lost': 'Position lost',
  offline: 'Out of reach',
  flapping: 'Contact on and off',
  'clock-skew': 'Clock wrong',
  duplicate: 'Everything sent twice',
  'stuck-sensor': 'Sensor stuck',
}
