import type {
  SimAction,
  SimFault,
  SimIncident,
  SimLink,
  SimScenario,
  SimStatus,
} from '../contracts/calls/sim-calls.ts'
import type { FaultKind, LinkFaultKind } from '../contracts/scenario-script.ts'

/** What the panel shows of the world. */
export type World = {
  status: SimStatus
  faults: SimFault[]
  /** `until` by the clock of whoever looks */
  links: SimLink[]
  /** newest first */
  actions: SimAction[]
  scenarios: SimScenario[]
  people: People
}

/** Whom the scenario's world holds, and which companies are suspended now. */
export type People = {
  companies: { id: string; name: string; suspended: boolean }[]
  users: { userName: string; email: string; companyId: string }[]
}

/** Whom a fault befalls: one device, or a share (0 to 1) of the fleet or of a group and those below it. */
export type Victims = { imei: string } | { share: number; groupId?: string }

/** Another world: `at` is an instant (ISO) or seconds after its start, which is where it stays when left out. */
export type Opening = { scenario: string; seed?: number; devices?: number; at?: number | string }

/** What one does in the panel. */
export type Doing =
  | { kind: 'pause' }
  | { kind: 'run' }
  | { kind: 'speed'; speed: number }
  | { kind: 'step'; seconds: number }
  | { kind: 'next-incident' }
  | { kind: 'fault'; fault: FaultKind; forSeconds: number; victims: Victims }
  /** `id`: of its line in the panel; `ids`: of the faults, or of what began them */
  | { kind: 'fault.lift'; id: string; ids: string[] }
  | { kind: 'link'; fault: LinkFaultKind; forSeconds: number; milliseconds?: number }
  | { kind: 'link.lift'; id: string }
  | { kind: 'company'; companyId: string; suspended: boolean }
  | { kind: 'user'; userName: string; what: 'logout' | 'requireReset' | 'expire' }
  | { kind: 'undo'; id: string }
  | { kind: 'save' }
  | { kind: 'start-over' }
  | ({ kind: 'open' } & Opening)

/** The part of the panel in which something is done, and in which it is said that it could not be. */
export type Part = 'clock' | 'faults' | 'links' | 'people' | 'done' | 'scenario'

const PARTS: Record<Doing['kind'], Part> = {
  pause: 'clock',
  run: 'clock',
  speed: 'clock',
  step: 'clock',
  'next-incident': 'clock',
  fault: 'faults',
  'fault.lift': 'faults',
  link: 'links',
  'link.lift': 'links',
  company: 'people',
  user: 'people',
  undo: 'done',
  save: 'done',
  'start-over': 'scenario',
  open: 'scenario',
}
export const partOf = ({ kind }: Doing): Part => PARTS[kind]

/** Whether the world has to get somewhere for it, which takes a while. */
export const isJourney = ({ kind }: Doing): boolean =>
  kind === 'step' || kind === 'next-incident' || kind === 'start-over' || kind === 'open'

/** What came of it. `incident`: the one the world was taken to, null where none came; `devices`: how many it broke. */
export type Outcome = { incident?: SimIncident | null; devices?: number }
