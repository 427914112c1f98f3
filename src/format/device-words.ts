import { type CalibrationState, daysUntil } from '#machines/rules/calibration.ts'
import { OFFSETS, offsetWords } from '#machines/rules/clock-offset.ts'
import { counted } from '#machines/rules/figures.ts'

const FIELDS: Record<string, string> = {
  imei: 'IMEI',
  name: 'Name',
  plateNumber: 'Plate number',
  vehicleMakeAndModel: 'Make and model',
  type: 'Type',
  group: 'Group',
  groupId: 'Group',
  calibrationDue: 'Calibration due',
  clockOffset: 'Tracker’s clock',
  retired: 'Retired',
  reason: 'Reason',
}

/** A field of a device in words; undefined for one that is none. */
export const deviceField = (field: string): string | undefined => FIELDS[field]

/** A value of such a field in words. */
export function deviceValue(field: string, value: unknown): string {
  if (field === 'clockOffset') return offsetWords(Number(value))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value ?? '')
}

/** What a tracker's clock may keep, from the west to the east; one that is none of them besides. */
export const clockOptions = (kept: string) =>
  [...new Set([...OFFSETS, Number(kept)])]
    .sort((a, b) => a - b)
    .map((minutes) => ({ id: String(minutes), text: offsetWords(minutes) }))

export const TYPE_OPTIONS = [
  { id: 'vehicle', text: 'Vehicle' },
  { id: 'warehouse', text: 'Warehouse' },
]

export const DOORS: Record<string, string> = { http: 'HTTP', teltonika: 'Teltonika', gt06: 'GT06' }

/** What is to be said of a calibration that is near or over; undefined: nothing. */
export function calibrationWarning(
  state: CalibrationState,
  due: string | null,
  today: string,
): string | undefined {
  if (due === null || (state !== 'soon' && state !== 'over')) return undefined
  const days = Math.abs(daysUntil(due, today))
  if (days === 0) return 'Calibration is due today'
  const far = counted(days, 'day')
  return state === 'over' ? `Calibration is ${far} overdue` : `Calibration is due in ${far}`
}
