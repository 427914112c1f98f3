import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { LOAD_CALLS } from '#machines/contracts/calls/load-calls.ts'
import { PROFILE_CALLS } from '#machines/contracts/calls/profile-calls.ts'
import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { model } from '#machines/load/load.samples.ts'
import { DESK, expect, PASSWORD, type Visitor } from '../app.ts'
import { CLOSELY } from '../held.ts'
import { LoadsScreen } from '../screens/loads.screen.ts'
import { type Trial, trialOf, trials } from '../trial.ts'
import { visit } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Late readings are reckoned with once nothing more has come for two minutes. */
const SETTLED_AFTER = 130
const [COLD, WARM] = [5, 10]
const LIMIT = 8
/** So many readings, one a minute, are twice as long as is allowed. */
const SPELL = 13

const PROFILE: ProfileForm = {
  name: 'Six minutes above 8 °C',
  source: '',
  rules: [
    {
      ...{ kind: 'time', side: 'above', limit: LIMIT, isInclusive: false },
      ...{ minutes: 6, isFullAllowed: true, spell: 'total' },
    },
  ],
  mktDecides: false,
  steepest: 0.5,
  surroundings: { low: -30, high: 50 },
}

/** What was told to be exhausted is told so again only after late readings said that it never was. */
function events({ context }: AnyMachineSnapshot): AnyEventObject[] {
  return (model.events() as AnyEventObject[]).filter((event) => {
    if (event.type === 'exhaust') return context.exhaustedAt === null
    if (event.type !== 'revise') return true
    // nothing is at risk that is off its device
    return context.exhaustedAt !== null && !(event.isAtRisk && context.closedAt !== null)
  })
}

const serializeState = ({ value, context }: AnyMachineSnapshot): string =>
  JSON.stringify([
    value,
    ...[context.exhaustedAt, context.closedAt, context.decision].map((known) => known !== null),
  ])

/** The load on one tracker, on the page of its story. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model: { ...model, events, serializeState }, enter, isOneVisit: true }],
}

const WORDS: Record<string, string> = {
  within: 'Within budget',
  atRisk: 'At risk',
  exhausted: 'Exhausted',
  inReview: 'In review',
  released: 'Released',
  rejected: 'Rejected',
  closed: 'Closed',
}

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, trouble } = visitor
  // tokens run out on the way and are renewed
  trouble.allow(/401/)
  const loads = new LoadsScreen(page)
  const { trial, loadId, openedAt } = await openedLoad(app)
  const readings = readingsOf(trial, app, Date.parse(openedAt))
  const params = { loadId }
  const story = (): Promise<LoadStory> => app.api.ask(LOAD_CALLS.load, { params })
  const exhaustedAt = async () => (await story()).exhaustedAt
  let revised = 0
  let isClosed = false
  /** whoever had it open before it was closed is told so */
  const refusedToClose = () =>
    expect(app.api.ask(LOAD_CALLS.closeLoad, { params })).rejects.toThrow('The load is closed')
  /** What late readings say is told once they are reckoned with. */
  const settledOtherThan = async (before: string | null) => {
    await app.sim.advance(SETTLED_AFTER)
    await expect.poll(exhaustedAt, CLOSELY).not.toBe(before)
  }
  await visit(visitor, app.url, `/loads/${loadId}`)
  return {
    events: {
      measured: ({ event: { state } }) => readings.now(state === 'within' ? COLD : WARM),
      exhaust: async ({ state }) => {
        await readings.spell()
        if (state.context.closedAt === null) await expect.poll(exhaustedAt, CLOSELY).not.toBe(null)
        else await settledOtherThan(null)
      },
      revise: async ({ event: { after, isAtRisk } }) => {
        const before = await exhaustedAt()
        await (after === null ? readings.coolAll() : readings.coolSome())
        if (isAtRisk) await readings.now(WARM)
        await settledOtherThan(before)
        revised++
      },
      'begin review': () => loads.beginReview(),
      release: () => loads.decide('Release', 'Stability data allow it', PASSWORD),
      reject: () => loads.decide('Reject', 'Too warm for too long', PASSWORD),
      close: async (_, next) => {
        if (isClosed) return refusedToClose()
        isClosed = true
        // time for what comes late of before it was closed
        if (next !== undefined) await app.sim.advance(20 * 60)
        await loads.close()
      },
    },
    async shows({ state }) {
      // what readings did is seen within ten seconds, and by whoever comes back to the window at once
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await expect(loads.summary).toContainText(WORDS[state.value as string] ?? '')
      await expect(loads.happened.getByText('Late readings changed what is known')).toHaveCount(revised)
      await expect(loads.summary.getByRole('button', { name: 'Close load' })).toHaveCount(
        state.context.closedAt === null ? 1 : 0,
      )
    },
    leave: async () => {
      if (!isClosed) await app.api.ask(LOAD_CALLS.closeLoad, { params })
    },
  }
}

/** A tracker that nobody else uses, with a load that was opened just now, and cold. */
async function openedLoad(app: DriverApp): Promise<{ trial: Trial; loadId: string; openedAt: string }> {
  const device = (await trials(app)).at(-2)
  if (device === undefined) throw new Error('There are no trackers')
  const trial = trialOf(app, device)
  const { profiles } = await app.api.ask(PROFILE_CALLS.profiles, {})
  const { profileId } =
    profiles.find(({ name }) => name === PROFILE.name) ??
    (await app.api.ask(PROFILE_CALLS.makeProfile, { body: PROFILE }))
  // the last reading of the path before is none of this load
  await app.sim.advance(60)
  const body = { imei: device.imei, reference: 'Walked', profileId }
  const { _id: loadId, openedAt } = await app.api.ask(LOAD_CALLS.openLoad, { body })
  return { trial, loadId, openedAt }
}

/** What the sensor says: cold or warm now, too warm for too long, and what was cold between that when it comes late. */
function readingsOf(trial: Trial, { sim }: DriverApp, openedAt: number) {
  let last = openedAt
  let cooled = 0
  /** times of the warm readings of the last spell */
  let warm: number[] = []
  return {
    async now(temperature: number) {
      const { now } = await sim.status()
      last = Math.max(now, last) + 20 * SECOND
      await trial.sends({ temperature }, last)
    },
    /** as it comes, or late where the load is over by now */
    async spell() {
      const begin = last + MINUTE
      warm = Array.from({ length: SPELL }, (_, i) => begin + i * MINUTE)
      last = begin + SPELL * MINUTE
      await trial.until(last)
      await trial.delivers([
        { at: begin - 10 * SECOND, temperature: COLD },
        ...warm.map((at) => ({ at, temperature: WARM })),
        { at: last, temperature: COLD },
      ])
      cooled = 0
    },
    /** a minute less */
    async coolSome() {
      const some = warm.slice(cooled, cooled + 2)
      cooled += 2
      await trial.delivers(some.map((at) => ({ at: at + 30 * SECOND, temperature: COLD })))
    },
    coolAll: () =>
      trial.delivers(
        warm.flatMap((at, i) => [
          ...(i === 0 ? [] : [{ at: at - 10 * SECOND, temperature: COLD }]),
          { at: at + 10 * SECOND, temperature: COLD },
        ]),
      ),
  }
}
