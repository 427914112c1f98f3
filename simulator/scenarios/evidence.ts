import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { Load } from '#machines/contracts/entities/loads.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { ThingStatus } from '#machines/contracts/scalars.ts'
import type { Meant } from '#machines/contracts/scenario-script.ts'
import type { LateReading } from './fact-collector.ts'

/** A device as a scenario speaks of it. `groups`: its own and those above it. `fleet`, `ordinal`: not of a tracker. */
export type Known = {
  no: number
  imei: string
  name: string
  companyId: string
  groups: readonly string[]
  fleet?: string
  ordinal?: number
}

/** What a company's own people see of a load. */
export type SeenLoad = Pick<Load, 'reference' | 'state' | 'percent' | 'exhaustedAt'>

/** What is known at a moment of a scenario that is played. */
export type Evidence = {
  /** of the scenario, epoch ms */
  start: number
  reportSeconds: number
  devices: readonly Known[]
  /** of devices, oldest first */
  facts: readonly Fact[]
  late: readonly LateReading[]
  status(no: number): ThingStatus
  /** of each device number, who looks back at a minute (since 1970); undefined: nothing was kept of then */
  stateAt(minute: number, view: AsOfView): Promise<Uint8Array | undefined>
  /** the load on a device now, as its company's people see it; null: there is none */
  loadOn(device: Known): Promise<SeenLoad | null>
  /** from ≤ at < to, ascending */
  readings(no: number, from: number, to: number): Promise<ReadingColumns>
}

/** The devices that fit everything given. */
export function meantBy(of: Meant | undefined, devices: readonly Known[]): Known[] {
  const { fleet, device, imei, groupId, companyId } = of ?? {}
  return devices.filter(
    (known) =>
      (fleet === undefined || known.fleet === fleet) &&
      (device === undefined || known.ordinal === device) &&
      (imei === undefined || known.imei === imei) &&
      (groupId === undefined || known.groups.includes(groupId)) &&
      (companyId === undefined || known.companyId === companyId),
  )
}

const MOST_NAMED = 4

/** Names of some, for a message. */
export function named(devices: readonly { name: string }[]): string {
  const names = devices.slice(0, MOST_NAMED).map(({ name }) => name)
  const more = devices.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
