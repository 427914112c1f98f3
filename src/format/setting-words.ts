import type { NotificationSettings } from '#machines/contracts/entities/users.ts'
import type { ViolationSwitches } from '#machines/contracts/entities/violation-types.ts'

type Setting = keyof NotificationSettings
export type SettingGroup = { title: string; settings: readonly { id: Setting; label: string }[] }

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
      { id: 'vehicleMoving', label: 'Vehicle moving' },
      { id: 'vehicleParked', label: 'Vehicle parked' },
      { id: 'engineKilled', label: 'Engine killed' },
      { id: 'engineReleased', label: 'Engine released' },
    ],
  },
  {
    title: 'Driving',
    settings: [
      { id: 'overSpeeding', label: 'Over-speeding' },
      { id: 'harshAcceleration', label: 'Harsh acceleration' },
      { id: 'harshBrake', label: 'Harsh braking' },
      { id: 'sharpTurn', label: 'Sharp turn' },
      { id: 'unfasten_seatbelt', label: 'Seat belt unfastened' },
    ],
  },
  {
    title: 'Geofences',
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

/** The words of a setting by its name. */
export const SETTING_WORDS: ReadonlyMap<string, string> = new Map(
  SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ id, label }) => [id, label])),
)
