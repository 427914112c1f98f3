import type { SimAction, SimScenario, SimStatus } from '../contracts/calls/sim-calls.ts'
import type { Opening } from './doings.ts'

/** A moment lasts so long, ms of the world, and of a fast clock as long as 5 s of the visitor: who comes to it within that is there. */
export const MOMENT_LASTS = 60_000
const lasts = (speed: number): number => Math.max(MOMENT_LASTS, 5000 * speed)

/** A moment as an address asks for it: `?scenario=dairy-dawn&seed=7&t=5400`, `t` in seconds after the start or ISO 8601. */
export type MomentQuery = {
  scenario: string
  seed: number | undefined
  t: number | string | undefined
  /** of a world of another size than the scenario's own */
  devices: number | undefined
}

/** What is wrong with an address that asks for a moment, a sentence each; none where it is right. */
export function readMoment(query: string): { moment: MomentQuery; faults: string[] } {
  const params = new URLSearchParams(query)
  const faults: string[] = []
  const seed = params.get('seed')
  if (seed !== null && !/^\d{1,15}$/.test(seed))
    faults.push(`The seed is a whole number from 0 on, not “${seed}”.`)
  const devices = params.get('devices')
  if (devices !== null && !/^[1-9]\d{0,6}$/.test(devices))
    faults.push(`The number of devices is a whole number from 1 on, not “${devices}”.`)
  const t = params.get('t')
  const isSeconds = t !== null && /^\d{1,9}(\.\d+)?$/.test(t)
  if (t !== null && !isSeconds && !isInstant(t))
    faults.push(`The moment is seconds after the start (5400) or a time (2026-06-15T08:30:00Z), not “${t}”.`)
  return {
    moment: {
      scenario: params.get('scenario') ?? '',
      seed: seed === null ? undefined : Number(seed),
      t: t === null ? undefined : isSeconds ? Number(t) : t,
      devices: devices === null ? undefined : Number(devices),
    },
    faults,
  }
}

const isInstant = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text))

/** What becomes of an asked moment in the present world. */
export type MomentOutcome =
  | { kind: 'wrong'; faults: string[] }
  /** the world is there */
  | { kind: 'there' }
  /** this world, which nobody has played on, comes there by itself in so many seconds */
  | { kind: 'ahead'; seconds: number }
  /** another world has to take the place of this one, which is asked first; `at`: epoch ms */
  | { kind: 'elsewhere'; opening: Opening; title: string; at: number }

/**
 * The address against what there is.
 * @param hasSetOut the visitor was taken to the moment: a world that is past it by now is there
 */
export function outcomeOfMoment(
  query: string,
  world: {
    status: Pick<SimStatus, 'scenarioName' | 'seed' | 'devices' | 'start' | 'now' | 'speed'>
    actions: readonly Pick<SimAction, 'kind' | 'undoneAt'>[]
    scenarios: readonly SimScenario[]
  },
  hasSetOut = false,
): MomentOutcome {
  const { moment, faults } = readMoment(query)
  const { scenario, seed, devices, t } = moment
  const { status, actions, scenarios } = world
  const known = scenarios.find(({ name }) => name === scenario)
  const isPresent = status.scenarioName === scenario
  if (known === undefined && !isPresent)
    return {
      kind: 'wrong',
      faults: [
        `There is no scenario called “${scenario}” on this server. One that was saved opens only where its file is.`,
        ...faults,
      ],
    }
  const start = isPresent ? status.start : (known as SimScenario).start
  const at = instantOf(t, start)
  if (faults.length === 0 && at < start) faults.push('The moment lies before the start of the scenario.')
  if (faults.length > 0) return { kind: 'wrong', faults }
  if (isPresent && (seed ?? status.seed) === status.seed && (devices ?? status.devices) === status.devices) {
    const seconds = (at - status.now) / 1000
    const isOver = !hasSetOut && status.now >= at + lasts(status.speed)
    if (t === undefined || (seconds <= 0 && !isOver)) return { kind: 'there' }
    if (seconds > 0 && actions.every(isForgotten)) return { kind: 'ahead', seconds }
  }
  return {
    kind: 'elsewhere',
    opening: {
      scenario,
      ...(seed !== undefined && { seed }),
      ...(devices !== undefined && { devices }),
      at: (at - start) / 1000,
    },
    title: known?.title ?? scenario,
    at,
  }
}

/** The clock alone changes nothing of what happens. */
const isForgotten = ({ kind, undoneAt }: Pick<SimAction, 'kind' | 'undoneAt'>): boolean =>
  undoneAt !== null || kind.startsWith('clock.')

function instantOf(t: number | string | undefined, start: number): number {
  if (t === undefined) return start
  return typeof t === 'number' ? start + t * 1000 : Date.parse(t)
}

/** The query of an address that leads to the world as it is now. */
export function queryOf(
  { scenarioName, seed, devices, start, now }: SimStatus,
  scenarios: readonly SimScenario[],
): string {
  const query = new URLSearchParams({ scenario: scenarioName, seed: String(seed) })
  if (scenarios.find(({ name }) => name === scenarioName)?.devices !== devices)
    query.set('devices', String(devices))
  query.set('t', String(Math.floor((now - start) / 1000)))
  return `?${query}`
}
