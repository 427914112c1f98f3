import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { DirectorParts } from './director-parts.ts'
import { runToNextIncident } from './incidents.ts'
import { durationOf, incidentSentence } from './words.ts'

type Deps = Pick<
  DirectorParts,
  'actions' | 'clock' | 'core' | 'evaluator' | 'frames' | 'releasing' | 'run' | 'scenario' | 'scheduler'
>
const MINUTE = 60_000
type Noted = [DirectorAction, string]

/** Time is made fast or slow, stopped, and gone on with; each done is remembered with a sentence. */
export function createClockActions(
  deps: Deps,
): Pick<SimDeps, 'setSpeed' | 'setPaused' | 'advance' | 'toNextIncident' | 'stopJourney'> {
  return {
    setSpeed: (speed) => setSpeed(deps, speed),
    setPaused: (isPaused) => setPaused(deps, isPaused),
    advance: (seconds) => advance(deps, seconds),
    toNextIncident: () => toNextIncident(deps),
    stopJourney: deps.run.halt,
  }
}

async function setSpeed({ clock, actions }: Deps, to: number): Promise<void> {
  const from = clock.speed()
  if (from === to) return
  clock.setSpeed(to)
  await actions.note({ do: 'clock.speed', from, to }, `Speed ×${to}`)
}

async function setPaused({ clock, actions }: Deps, isPaused: boolean): Promise<void> {
  if (clock.paused() === isPaused) return
  if (isPaused) clock.pause()
  else clock.resume()
  const what = isPaused ? 'Clock stopped' : 'Clock going on'
  await actions.note({ do: isPaused ? 'clock.pause' : 'clock.resume' }, what)
}

/** Goes on by so many seconds, or until an instant of the world. */
export async function advance(deps: Deps, seconds: number, until?: number): Promise<void> {
  const { run, clock, core, evaluator, frames, releasing } = deps
  const minuteNow = (): number => Math.floor(clock.now() / MINUTE)
  let lookedIn = minuteNow()
  // what comes late on the way is evaluated at its minute, and the minute kept, not when real time gets round to it
  const isEnough = async (): Promise<boolean> => {
    if (minuteNow() === lookedIn) return false
    lookedIn = minuteNow()
    await releasing.look()
    await evaluator.tick()
    await core.settled()
    await frames.look()
    return false
  }
  const go = () => run.advance(seconds, until === undefined ? { isEnough } : { until, isEnough })
  await travel(deps, go, (_, from, to) => [
    { do: 'clock.advance', from, to },
    `Set forward by ${durationOf((to - from) / 1000)}`,
  ])
}

function toNextIncident(deps: Deps): ReturnType<SimDeps['toNextIncident']> {
  const { run, core, scenario } = deps
  const go = () => runToNextIncident(run, core, deps, scenario.reportSeconds)
  return travel(deps, go, (incident, from, to) => [
    { do: 'clock.to-incident', from, to },
    incidentSentence(incident, (to - from) / 1000),
  ])
}

/** Takes the world from one instant to another, and remembers it when all is stored and evaluated. */
async function travel<T>(
  { clock, core, frames, releasing, scheduler, actions }: Deps,
  go: () => Promise<T>,
  noted: (result: T, from: number, to: number) => Noted,
): Promise<T> {
  const from = clock.now()
  const result = await go()
  await core.settled()
  await releasing.look()
  await core.settled()
  await scheduler.settled()
  await frames.look()
  await actions.note(...noted(result, from, clock.now()))
  return result
}
