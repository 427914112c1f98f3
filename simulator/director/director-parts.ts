import type { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { Core, JobsOfLeader } from '../../server/ports.ts'
import type { NetworkFaults } from '../network/network-faults.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { Actions } from './actions.ts'
import type { Breakable } from './device-faults.ts'
import type { Run } from './incidents.ts'
import type { LogHash } from './log-hash.ts'
import type { People } from './people.ts'

type World = Breakable & {
  readonly seed: number
  readonly start: number
  readonly size: number
  readonly registration: { devices: readonly { imei: string; key: number; fleet: { id: string } }[] }
  messagesSent(): number
  hash(): string
}
type Clock = {
  now(): number
  speed(): number
  paused(): boolean
  setSpeed(speed: number): void
  pause(): void
  resume(): void
}
/** What a director plays on. */
export type DirectorParts = JobsOfLeader & {
  /** the scenario's file */
  file: string
  /** folder of the scenarios that were saved here; undefined: this server keeps none */
  savedScenarios: string | undefined
  scenario: { name: string; story: string; reportSeconds: number }
  world: World
  clock: Clock
  run: Run & {
    between<T>(change: () => T | Promise<T>): Promise<T>
    journey(): SimStatus['journey']
    halt(): boolean
  }
  core: Core
  logHash: Pick<LogHash, 'value' | 'facts'>
  actions: Actions
  people: People
  network: NetworkFaults
  reset: SimDeps['reset']
  open: SimDeps['open']
}
