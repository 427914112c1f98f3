import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { IncidentAction } from '#machines/incident-action/incident-action.machine.ts'
import { model } from '#machines/incident-action/incident-action.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { IncidentsScreen } from '../screens/incidents.screen.ts'
import { type Trial, trialOf, trials } from '../trial.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** Acknowledging, shelving and commenting two incidents, of trackers that nobody else uses, beside the map. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  isMapDrawn: false,
  ways: [{ model, enter, isOneVisit: true }],
}

const MINUTE = 60_000
const [COLD, HOT] = [5, 25]
const OUT_OF_ORDER = 'The store cannot write now'
const TITLES = { acknowledge: 'Acknowledge', shelve: 'Shelve', comment: 'Comment' }

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503/)
  // tokens run out on the way and are renewed
  trouble.allow(/401/)
  await startElsewhere(visitor, app.url)
  const two = (await trials(app)).slice(0, 2).map((device) => trialOf(app, device))
  if (!(await areTooHot(two, app))) await becomeTooHot(two, app)
  const desk = new IncidentsScreen(page)
  const { dialog: requested } = desk
  await shell.follow('/?q=Trial&show=nobodys')
  for (const { name } of two) {
    await expect(desk.row(name)).toHaveText([/Too hot/])
    await desk.row(name).getByRole('checkbox').click()
  }
  const held = await holdBack(page, /\/(acknowledge|shelve|comments)$/, 'POST')
  const rows = desk.rows.filter({ hasText: new RegExp(two.map(({ name }) => name).join('|')) })
  /** of how many nobody takes care */
  let left = two.length
  /** where that was asked which was refused, and alone is asked again */
  let refused: string | undefined
  let isDoing = false
  const passOne = async () => {
    await held.isHeld()
    await held.release()
    left--
  }
  return {
    events: {
      acknowledge: () => desk.act('Acknowledge'),
      shelve: () => desk.act('Shelve'),
      comment: () => desk.act('Comment'),
      last: () => requested.getByText('4 h', { exact: true }).click(),
      say: ({ event }) => desk.answer(event.text),
      retry: () => desk.answer('Try again'),
      cancel: () => (refused === undefined ? page.keyboard.press('Escape') : desk.answer('Cancel')),
      'xstate.done.actor.act': async () => {
        while (left > 0) await passOne()
      },
      'xstate.error.actor.act': async () => {
        await passOne()
        await held.isHeld()
        refused = held.request().url()
        await held.refuse(503, OUT_OF_ORDER)
      },
    },
    async shows({ state }) {
      const { kind, minutes, text } = state.context as IncidentAction
      isDoing = state.matches('doing')
      if (state.matches('closed')) {
        await expect(requested).toBeHidden()
        return expect(rows).toHaveCount(left)
      }
      await expect(requested).toHaveAccessibleName(`${TITLES[kind]}${left > 1 ? ` ${left} incidents` : ''}`)
      if (isDoing) {
        await expect(requested.getByRole('status')).toHaveText(`${TITLES[kind]}: on its way…`)
        await held.isHeld()
        expect(held.request().postDataJSON()).toEqual(bodyOf(kind, text, minutes))
        if (refused !== undefined) expect(held.request().url()).toBe(refused)
        return
      }
      if (state.matches('failed'))
        return expect(requested.getByRole('alert')).toHaveText(`1 of 2 were not done: ${OUT_OF_ORDER}`)
      const chosen = requested.getByRole('radio', { checked: true })
      if (state.matches('why shelve')) await expect(chosen).toHaveValue(`${minutes}`)
      else await expect(chosen).toHaveCount(0)
      await expect(requested.getByRole('button', { name: 'Defrost' })).toHaveCount(kind === 'comment' ? 0 : 1)
      await expect(requested.getByRole('textbox')).toHaveAccessibleName(
        kind === 'comment' ? 'Your comment' : 'Another reason',
      )
    },
    leave: async () => {
      // what waits would be done as soon as nothing is held back any more
      for (let open = isDoing ? left : 0; open > 0; open--) {
        await held.isHeld()
        await held.refuse(503, OUT_OF_ORDER)
      }
      if (left < two.length) await coolDown(two, app)
    },
  }
}

/** What the server is told. */
function bodyOf(kind: IncidentAction['kind'], text: string, minutes: number): object {
  if (kind === 'comment') return { comment: text }
  return kind === 'shelve' ? { minutes, reason: text } : { reason: text }
}

async function areTooHot(some: readonly Trial[], { api }: DriverApp): Promise<boolean> {
  const { open } = await api.ask(NOTIFICATION_CALLS.incidents, { params: { groupId: api.groupId } })
  return some.every((trial) =>
    open.some(({ imei, type }) => imei === trial.imei && type === 'HIGH_TEMPERATURE_DETECTED'),
  )
}

/** For longer than is put up with, in readings so near each other that it is one spell. */
async function becomeTooHot(some: readonly Trial[], { sim }: DriverApp): Promise<void> {
  await sim.advance(20 * 60)
  const { now } = await sim.status()
  const kept = [17, 13, 9, 5, 1].map((minutes) => ({ at: now - minutes * MINUTE, temperature: HOT }))
  for (const trial of some) await trial.delivers(kept)
}

/** What somebody takes care of is over, so that what comes next is nobody's. */
async function coolDown(some: readonly Trial[], { sim }: DriverApp): Promise<void> {
  const { now } = await sim.status()
  for (const trial of some) await trial.sends({ temperature: COLD }, now + MINUTE)
}
