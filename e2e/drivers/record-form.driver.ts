import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { model } from '#machines/record-form/record-form.samples.ts'
import { figure } from '#machines/rules/figures.ts'
import { expect, type Visitor } from '../app.ts'
import { groupNamed, removeGroup, WIDE } from '../company.ts'
import { holdBack } from '../held.ts'
import { GroupsScreen } from '../screens/groups.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** What is of theirs and what of mine make no group: the machine's samples go on from there as if nothing was typed. */
const mended = (state: AnyMachineSnapshot): AnyEventObject[] =>
  state.matches('editing') && state.context.record.fields.name === '' ? [] : [...model.events]

const NOT_THERE = 'There is nothing to press yet: whoever goes elsewhere takes the page with them.'
const UNSEEN = 'Nothing is to be seen of it before the form is as it was again.'
const CLOSES = 'The form of a group closes when it is saved; those of thresholds, under Account, stay open.'

/**
 * The form of a group, of which the temperatures are changed: the low one is mine alone to choose, and the high one stands
 * for the samples' name.
 */
export const driver: Driver = {
  clock: 'stands',
  ways: [
    {
      model: { ...model, events: mended },
      enter,
      isOneVisit: true,
      cannot: {
        'loading: leave → left': NOT_THERE,
        'failed: leave → left': NOT_THERE,
        'editing.typing: after typingPause → editing.resting': UNSEEN,
        'saving: changed.elsewhere → stays': UNSEEN,
        'conflict: changed.elsewhere → stays': UNSEEN,
        'asking: changed.elsewhere → stays': UNSEEN,
        'saved: edit → editing.typing': CLOSES,
        'saved: changed.elsewhere → refreshing': CLOSES,
        'saved: leave → left': CLOSES,
      },
    },
  ],
}

type Band = { low: number; high: number }
const NAME = 'Being edited'
const OUT_OF_ORDER = 'The store cannot read now'
const TOO_WARM = 'Nothing here bears that'
const AT_FIRST: Band = { low: WIDE.lowTemperatureThreshold, high: WIDE.highTemperatureThreshold }
const MINE: Band = { low: 20, high: 40 }
const UPSIDE_DOWN: Band = { low: 60, high: 50 }

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  // 404: what is still asked of the record when it is removed at the end
  trouble.allow(/404|503|412|422|ERR_FAILED|no answer/)
  await startElsewhere(visitor, app.url)
  const group = await groupNamed(app.api, NAME)
  const { _id: id } = group
  let changes = 0
  /** somebody else sets another band; `high`: what of it is told apart */
  const theyChange = async (high: number): Promise<Band> => {
    const theirs = { low: -10 - changes, high: high - changes }
    changes++
    const body = { lowTemperatureThreshold: theirs.low, highTemperatureThreshold: theirs.high }
    await app.api.ask(GROUP_CALLS.renameGroup, { params: { id }, body })
    return theirs
  }
  const load = await holdBack(page, new RegExp(`/api/groups/${id}$`), 'GET')
  const save = await holdBack(page, new RegExp(`/api/groups/${id}/update$`), 'PUT')
  const groups = new GroupsScreen(page)
  await shell.follow(`/groups/${id}/update`)
  await load.isHeld()
  /** what stands in the form, and what they made of it */
  let band = AT_FIRST
  let theirs = AT_FIRST
  /** where the page goes when the form closes */
  let leadsTo = /\/groups$/
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  return {
    events: {
      edit: async ({ event }) => {
        band = event.patch.name === '' ? UPSIDE_DOWN : MINE
        await groups.threshold('Low temperature').fill(`${band.low}`)
        await groups.threshold('High temperature').fill(`${band.high}`)
      },
      submit: async ({ state }) => {
        await groups.save.click()
        if (state.matches('saving')) await save.isHeld()
      },
      retry: async () => {
        await press('Try again')
        await load.isHeld()
      },
      'changed.elsewhere': async ({ state }) => {
        load.giveUp()
        theirs = await theyChange(30)
        if (state.matches('refreshing')) await load.isHeld()
      },
      choose: ({ event, state }) => {
        // a part of theirs that does not go with mine, or all of it
        if (state.context.theirs.fields.name === '')
          return groups.version('High temperature', event.side === 'mine' ? 'Mine' : 'Theirs').check()
        return press(event.side === 'mine' ? 'Keep all of mine' : 'Take all of theirs')
      },
      resolve: async ({ state }) => {
        if (state.matches('saving')) {
          await press('Save what is chosen')
          return save.isHeld()
        }
        const isWhole = await groups.version('Low temperature', 'Theirs').isChecked()
        band = isWhole ? theirs : { low: band.low, high: theirs.high }
        await press('Save what is chosen')
      },
      back: async () => press((await groups.conflict.isVisible()) ? 'Back to the form' : 'Stay'),
      // both versions stand over everything but the browser's own Back
      leave: async () => {
        const isBack = await groups.conflict.isVisible()
        leadsTo = isBack ? /\/aboutus$/ : /\/groups$/
        return isBack ? page.evaluate(() => history.back()) : groups.cancel.click()
      },
      'leave.confirm': () => groups.leaving.getByRole('button', { name: 'Leave' }).click(),
      'xstate.done.actor.load': () => load.release(),
      'xstate.error.actor.load': () => load.refuse(503, OUT_OF_ORDER),
      'xstate.done.actor.reload': () => {
        band = theirs
        return load.release()
      },
      'xstate.error.actor.reload': () => load.refuse(503, OUT_OF_ORDER),
      'xstate.done.actor.save': async ({ event }) => {
        const { kind, theirs: made } = event.output
        if (kind === 'refused')
          return save.refuse(422, TOO_WARM, [{ path: 'highTemperatureThreshold', message: TOO_WARM }])
        if (kind === 'conflict') theirs = await theyChange(made.fields.name === '' ? 10 : 30)
        await save.release()
        if (kind === 'saved') await shell.says('Group Updated Successfully!')
      },
      'xstate.error.actor.save': async () => {
        await save.refuse(503, OUT_OF_ORDER)
        await expect(page.getByRole('alert').filter({ hasText: OUT_OF_ORDER })).toBeVisible()
      },
    },
    async shows({ event, state }) {
      if (state.matches('saved') || state.matches('left')) return expect(page).toHaveURL(leadsTo)
      if (state.matches('loading'))
        return expect(page.getByRole('status', { name: 'Loading' }).first()).toBeVisible()
      if (state.matches('failed'))
        return expect(page.getByText('The group could not be loaded')).toBeVisible()
      await expect(groups.leaving).toBeVisible({ visible: state.matches('asking') })
      await expect(groups.conflict).toBeVisible({ visible: state.matches('conflict') })
      if (state.matches('conflict')) {
        const side = state.context.choice.name === 'mine' ? 'Mine' : 'Theirs'
        return expect(groups.version('High temperature', side)).toBeChecked()
      }
      if (state.matches('asking')) return
      if (state.matches('saving')) return expect(page.getByRole('button', { name: 'Saving…' })).toBeVisible()
      const [low, high] = [groups.threshold('Low temperature'), groups.threshold('High temperature')]
      await expect(low).toHaveValue(figure(band.low))
      await expect(high).toHaveValue(figure(band.high))
      const isRefused = event.output?.kind === 'refused'
      const wrong = state.context.faults.length > 0 ? 'Must not be below the low threshold' : ''
      await expect(high).toHaveAccessibleDescription(isRefused ? TOO_WARM : wrong)
      await expect(groups.save).toBeEnabled()
    },
    leave: () => removeGroup(app.api, group),
  }
}
