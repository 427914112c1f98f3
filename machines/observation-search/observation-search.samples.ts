import type { ObservationRow } from '../contracts/entities/devices.ts'
import type { ObservationFilter } from '../rules/observation-filter.ts'
import type { Fault } from '../rules/plain-text.ts'
import { observationSearchMachine } from './observation-search.machine.ts'

export const START = Date.UTC(2026, 10, 21)
export const WHOLE: ObservationFilter = { imei: '350000000000001', start: START, hours: 12 }
const NO_DEVICE: ObservationFilter = { ...WHOLE, imei: '' }

export const rowAt = (minute: number, more: Partial<ObservationRow> = {}): ObservationRow => ({
  imei: '350000000000001',
  temperature: 4.25,
  humidity: 55.5,
  timestamp: new Date(START + minute * 60_000).toISOString(),
  lat: 31.5204,
  lng: 74.3587,
  GSM_Signal: 4,
  GNSS_Status: 1,
  External_Voltage: 12.61,
  Battery_Voltage: 4.01,
  Ignition: 1,
  Unplug: 0,
  Door: 1,
  location: '12 km NE of Multan',
  ...more,
})

export const model = {
  name: 'observation-search',
  kind: 'screen' as const,
  machine: observationSearchMachine,
  input: { noDevice: 'Please Select Vehicle.' as const },
  events: [
    { type: 'search', filter: WHOLE },
    { type: 'search', filter: NO_DEVICE },
    { type: 'retry' },
    { type: 'download' },
    { type: 'cancel' },
    { type: 'file.grew', rows: 1 },
    { type: 'file.saved' },
    { type: 'file.failed', message: 'There is no room for the file' },
    { type: 'xstate.done.actor.loadRows', output: [rowAt(0)] },
    { type: 'xstate.done.actor.loadRows', output: [] },
    { type: 'xstate.error.actor.loadRows', error: new Error('The server did not answer') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: { shown: unknown; written: number; faults: readonly Fault[] }
  }) => {
    const { shown, written, faults } = snapshot.context
    return JSON.stringify([snapshot.value, shown !== null, written, faults.length])
  },
  describe: (event: { type: string; filter?: ObservationFilter; output?: unknown[] }) => {
    if (event.filter === WHOLE) return 'search of 12 hours of a device'
    if (event.filter === NO_DEVICE) return 'search of no device'
    if (event.output !== undefined)
      return event.output.length === 0 ? 'an answer without rows' : 'an answer with rows'
    if (event.type.startsWith('xstate.error')) return 'an answer that fails'
    if (event.type === 'file.grew') return 'rows that are in the file'
    if (event.type === 'file.saved') return 'the file being saved'
    if (event.type === 'file.failed') return 'a file that cannot be made'
    return undefined
  },
}
