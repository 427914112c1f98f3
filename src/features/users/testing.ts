import type { ManagedUser } from '#machines/contracts/entities/users.ts'

const OFF = {
  LOW_TEMPERATURE_DETECTED: false,
  LOW_HUMIDITY_DETECTED: false,
  HIGH_TEMPERATURE_DETECTED: false,
  HIGH_HUMIDITY_DETECTED: false,
}

/** A user for a test. */
export const userOf = (id: string, more: Partial<ManagedUser> = {}): ManagedUser => ({
  _id: id,
  firstName: 'Ayesha',
  lastName: 'Khan',
  userName: 'ayesha',
  email: `${id}@indus.example`,
  phone: '03001234567',
  group: { _id: 'top', name: 'Indus', child: [] },
  type: 'Manager',
  role: 'user',
  smsSetting: OFF,
  emailSetting: OFF,
  activated: true,
  version: '1.0',
  ...more,
})
