/** Days before its calibration is due from which a device's page says so. */
const CALIBRATION_SOON_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000

/** Whole days until a day of the calendar, negative once it is over. @param today as `due`: a day of the same zone */
export const daysUntil = (due: string, today: string): number =>
  Math.round((Date.parse(`${due}T00:00:00Z`) - Date.parse(`${today}T00:00:00Z`)) / DAY_MS)

export type CalibrationState = 'none' | 'fine' | 'soon' | 'over'

/** How it stands with a calibration: `none` where no day is set. */
export function calibrationState(due: string | null, today: string): CalibrationState {
  if (due === null) return 'none'
  const days = daysUntil(due, today)
  if (days < 0) return 'over'
  return days <= CALIBRATION_SOON_DAYS ? 'soon' : 'fine'
}
