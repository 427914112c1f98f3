import type { NotificationSettings } from '#machines/contracts/entities/users.ts'
import type { AlertKind, ViolationSwitches } from '#machines/contracts/entities/violation-types.ts'

type Setting = keyof NotificationSettings
export type SettingGroup = {
  title: string
  /** why nothing comes of what is switched here; left out where something does */
  without?: string
  settings: readonly { id: Setting; label: string }[]
}

/** What a user can be notified about, as forms group it. */
export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Popups and buzzer',
    settings: [
      { id: 'warningPopup', label: 'Show a popup for each live notification' },
      { id: 'buzzer', label: 'Sound the buzzer' },
    ],
  },
  {
    title: 'Vehicle state',
    settings: [
      { id: 'vehicleOnline', label: 'Vehicle online' },
      { id: 'vehicleOffline', label: 'Vehicle offline' },
    ],
  },
  {
    title: 'Movement',
    without: 'Reports tell of these. Nobody is notified of them, on or off.',
    settings: [
      { id: 'vehicleMoving', label: 'Vehicle moving' },
      { id: 'vehicleParked', label: 'Vehicle parked' },
      { id: 'overSpeeding', label: 'Over-speeding' },
    ],
  },
  {
    title: 'Engine and seat belt',
    without: 'No device of the fleet can kill an engine or sense a seat belt: nobody is notified, on or off.',
    settings: [
      { id: 'engineKilled', label: 'Engine killed' },
      { id: 'engineReleased', label: 'Engine released' },
      { id: 'unfasten_seatbelt', label: 'Seat belt unfastened' },
    ],
  },
  {
    title: 'Driving',
    without: 'No device of the fleet reports acceleration or turns: nobody is notified, on or off.',
    settings: [
      { id: 'harshAcceleration', label: 'Harsh acceleration' },
      { id: 'harshBrake', label: 'Harsh braking' },
      { id: 'sharpTurn', label: 'Sharp turn' },
    ],
  },
  {
    title: 'Geofences',
    without: 'No geofence can be drawn here: nobody is notified, on or off.',
    settings: [
      { id: 'geoFenceEntry', label: 'Entering a geofence' },
      { id: 'geoFenceExit', label: 'Leaving a geofence' },
    ],
  },
]

export type ViolationKey = keyof ViolationSwitches

/** The four kinds of violation, worst for the goods first. */
export const VIOLATION_WORDS: readonly { id: ViolationKey; label: string }[] = [
  { id: 'HIGH_TEMPERATURE_DETECTED', label: 'High temperature' },
  { id: 'LOW_TEMPERATURE_DETECTED', label: 'Low temperature' },
  { id: 'HIGH_HUMIDITY_DETECTED', label: 'High humidity' },
  { id: 'LOW_HUMIDITY_DETECTED', label: 'Low humidity' },
]

/** What may reach somebody by SMS and by e-mail. */
export const ALERT_WORDS: readonly { id: AlertKind; label: string }[] = [
  ...VIOLATION_WORDS,
  { id: 'BUDGET_EXHAUSTED', label: 'Budget exhausted' },
]

/** The mail that shows later that nothing recorded before was changed. */
export const DAILY_HEAD_WORDS = 'Daily proof of the record by e-mail'

/** The words of a setting by its name. */
export const SETTING_WORDS: ReadonlyMap<string, string> = new Map(
  SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ id, label }) => [id, label])),
)
