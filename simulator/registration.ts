import type { Scenario } from '#machines/contracts/scenario.ts'
import type { DeviceRegistration, Registration } from '../server/ports.ts'

/** A scenario and the devices it comes to. */
type OpenScenario = {
  scenario: Scenario
  world: {
    registration: Omit<Registration, 'devices' | 'timeZone'> & {
      devices: readonly DeviceRegistration[]
      trackers: readonly Omit<DeviceRegistration, 'source'>[]
    }
  }
}

/** Who there is: people, simulated devices and trackers. */
export function registrationOf({ scenario, world }: OpenScenario): Registration {
  const { companies, users, password, devices, trackers } = world.registration
  return {
    companies,
    users,
    password,
    timeZone: scenario.timeZone,
    devices: [...devices, ...trackers.map((tracker) => ({ ...tracker, source: 'tracker' as const }))],
  }
}

/** Accounts for show. */
export const demoAccountsOf = ({ scenario }: Pick<OpenScenario, 'scenario'>) =>
  scenario.users
    .filter(({ note }) => note !== '')
    .map(({ userName, email, note }) => ({ userName, email, note, password: scenario.password }))
