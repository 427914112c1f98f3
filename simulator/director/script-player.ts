import type { Scenario } from '#machines/contracts/scenario.ts'
import type { ScenarioEvent } from '#machines/contracts/scenario-script.ts'
import type { NetworkFaults } from '../network/network-faults.ts'
import { imeiOf } from '../world/roster.ts'
import type { Actions } from './actions.ts'
import type { People } from './people.ts'

const MINUTE = 60_000

/** How a fault of the network is called that an event of the script brings; `event`: which one of the file, from 0. */
export const linkFaultIdOf = (event: number): string => `script-${event + 1}`

type Deps = {
  scenario: Pick<Scenario, 'events' | 'fleets'>
  /** the scenario's start, epoch ms */
  start: number
  actions: Pick<Actions, 'isPlayed' | 'notePlayed'>
  people: People
  network: NetworkFaults
  clock: { now(): number; speed(): number }
}

/**
 * Lets happen what the scenario says besides faults of devices, each once, also across a restart. The world's run asks for it
 * between two steps: when `play` is called it is that moment, and everything sent before is stored.
 */
export function createScriptPlayer({ scenario, start, actions, people, network, clock }: Deps) {
  const waiting = scenario.events
    .map((event, index) => ({ event, index, at: start + Math.round(event.afterMinutes * MINUTE) }))
    .filter(({ index }) => !actions.isPlayed(index))
    .sort((a, b) => a.at - b.at)

  async function happen(event: ScenarioEvent, index: number): Promise<void> {
    switch (event.do) {
      case 'company.suspend':
      case 'company.resume':
        return people.suspend(event.companyId, event.do === 'company.suspend')
      case 'user.sign-out':
        await people.endSessions(event.userName, 'signOut')
        return
      case 'user.require-reset':
        await people.requireReset(event.userName)
        return
      case 'profile.set':
        return people.setProfile(event)
      case 'load.open': {
        const fleet = scenario.fleets.find(({ id }) => id === event.fleet)
        if (fleet === undefined) return
        return people.openLoad(event, imeiOf(fleet.tac, event.device), `load-of-script-${index + 1}`)
      }
      case 'link.fault': {
        const { fault, milliseconds, share, forMinutes } = event
        // a fault of the script lasts as long in the world as the script says, at whatever speed
        const worldUntil = Math.round(clock.now() + forMinutes * MINUTE)
        const order = {
          fault,
          ...(milliseconds !== undefined && { milliseconds }),
          ...(share !== undefined && { share }),
        }
        const span = {
          isOver: () => clock.now() >= worldUntil,
          left: () => (worldUntil - clock.now()) / clock.speed(),
          worldUntil,
        }
        network.begin(order, span, linkFaultIdOf(index))
      }
    }
  }

  return {
    /** epoch ms of the world */
    due: () => waiting[0]?.at ?? Number.POSITIVE_INFINITY,
    async play(): Promise<void> {
      const [next] = waiting
      if (next === undefined) return
      await happen(next.event, next.index)
      await actions.notePlayed(next.index)
      waiting.shift()
    },
  }
}
