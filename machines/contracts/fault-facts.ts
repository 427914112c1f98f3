/** The facts of the simulator that are sent to windows. */
import { object } from 'superstruct'
import { EpochMs, Id, Imei, Line } from './scalars.ts'

export const FAULT_FACTS = {
  'fault.injected': object({ faultId: Id, imei: Imei, fault: Line, until: EpochMs }),
  'fault.removed': object({ faultId: Id, imei: Imei }),
} as const
