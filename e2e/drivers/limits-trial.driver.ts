import type { Page } from '@playwright/test'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { LimitsTrialWithResult } from '#machines/contracts/entities/limits-trials.ts'
import { TrialGone } from '#machines/limits-trial/limits-trial.machine.ts'
import { model } from '#machines/limits-trial/limits-trial.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { LimitsLabScreen } from '../screens/limits-lab.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** Limits are tried for a group with devices; what the server would take minutes for is played at the browser's door. */
export const driver: Driver = { clock: 'stands', viewport: DESK, ways: [{ model, enter, isOneVisit: true }] }

const figures = { episodes: 3, devices: 1, minutesOut: 60, told: 3, atNight: 0, floods: 0 }
/** with limits the group may have: whoever tries others goes on from them */
const trialOf = ({ lowTemperatureThreshold: low, highTemperatureThreshold: high }: Group) => {
  const inForce = { low, high, delaySeconds: 600, margin: 0.5 }
  const listed = {
    ...{ _id: 't1', groupId: 'g', quantity: 'temperature' as const, userName: 'Imran' },
    ...{
      from: '2026-06-08T04:00:00.000Z',
      to: '2026-06-15T04:00:00.000Z',
      startedAt: '2026-06-15T04:00:00.000Z',
    },
    ...{ candidates: [inForce], inForce, state: 'done' as const, reason: null, done: 3, of: 3 },
  }
  const trial: LimitsTrialWithResult = {
    ...listed,
    result: {
      ...{ readings: 100, seconds: 0.1, inForce: figures, devices: [] },
      candidates: [{ ...figures, missed: 0, missedSerious: 0, added: 0, medianLeadMinutes: 5 }],
    },
  }
  return { listed, trial }
}

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/404|409|422|503/)
  await startElsewhere(visitor, app.url)
  const screen = new LimitsLabScreen(page)
  const group = await groupWithDevices(app)
  const { listed, trial } = trialOf(group)
  await page.route(/\/limits-trials$/, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [listed] }) : route.fallback(),
  )
  const starting = await holdBack(page, /\/limits-trials$/, 'POST')
  const following = await holdBack(page, /\/limits-trials\/t1$/)
  const cancelling = await holdBack(page, /\/limits-trials\/t1\/cancel$/)
  const applying = await holdBack(page, /\/limits-trials\/t1\/apply$/)
  await shell.follow(`/limits-lab?group=${group._id}`)
  return {
    events: {
      try: async ({ state }) => {
        await screen.begin.click()
        if (state.matches('starting')) await starting.isHeld()
      },
      open: () => screen.lately.getByRole('button', { name: /^Show/ }).click(),
      progress: async ({ event }) => {
        await following.isHeld()
        await following.feign({ ...trial, state: 'running', result: null, done: event.done, of: event.of })
      },
      cancel: () => screen.button('Cancel').click(),
      apply: () => screen.applyOf(1).click(),
      confirm: () => screen.dialog.getByRole('button', { name: 'Apply', exact: true }).click(),
      back: () => screen.dialog.getByRole('button', { name: 'Cancel' }).click(),
      again: () => screen.button('Try others').click(),
      retry: () => screen.button('Try again').click(),
      'xstate.done.actor.startTrial': () => starting.feign({ ...listed, state: 'running' }),
      'xstate.error.actor.startTrial': () => starting.refuse(409, 'Other limits are being tried'),
      'xstate.done.actor.followTrial': async ({ event }) => {
        await following.isHeld()
        const { state } = event.output
        await following.feign({ ...trial, state, ...(state !== 'done' && { result: null }) })
      },
      'xstate.error.actor.followTrial': async ({ event }) => {
        await following.isHeld()
        if (event.error instanceof TrialGone) await following.refuse(404, event.error.message)
        else await following.refuse(503, 'The store cannot read now')
      },
      'xstate.done.actor.cancelTrial': async () => {
        await cancelling.isHeld()
        await cancelling.feign({ ...listed, state: 'cancelled' })
        following.giveUp()
      },
      'xstate.error.actor.cancelTrial': async () => {
        await cancelling.isHeld()
        await cancelling.refuse(503, 'The store cannot write now')
        following.giveUp()
      },
      'xstate.done.actor.applyCandidate': async () => {
        await applying.isHeld()
        await applying.feign(group)
      },
      'xstate.error.actor.applyCandidate': async () => {
        await applying.isHeld()
        await applying.refuse(422, 'Must be between 2 °C and 8 °C')
      },
    },
    async shows({ state }) {
      const { error, done, of } = state.context
      if (state.matches('choosing')) await expect(screen.begin).toBeVisible()
      else if (state.matches('starting')) await expect(screen.button('Beginning…')).toBeVisible()
      else if (state.matches('running'))
        await expect(page.getByRole('status').filter({ hasText: progress(done, of) })).toBeVisible()
      else if (state.matches('cancelling')) await expect(screen.button('Cancelling…')).toBeVisible()
      else if (state.matches('lost')) await expect(screen.button('Try again')).toBeVisible()
      else if (state.matches('confirming'))
        await expect(screen.dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled()
      else if (state.matches('applying')) await expect(screen.dialog).toContainText('Applying…')
      else {
        await expect(screen.figures).toBeVisible()
        await expect(screen.dialog).toBeHidden()
        await expect(page.getByText('In force from now on')).toBeVisible({
          visible: state.matches('applied'),
        })
      }
      if (error !== null && state.matches('choosing')) await says(page, 'alert')
    },
  }
}

const progress = (done: number, of: number): string =>
  of === 0 ? 'Beginning…' : `${done} of ${of} devices are through`
const says = (page: Page, role: 'alert') =>
  expect(page.getByRole('form', { name: 'Try limits' }).getByRole(role)).toBeVisible()

/** A group that devices are directly in, with limits. */
async function groupWithDevices(app: DriverApp): Promise<Group> {
  const top = await app.api.ask(GROUP_CALLS.group, { params: { id: app.api.groupId } })
  const all = (group: Group): Group[] => [group, ...group.child.flatMap(all)]
  const found = all(top).find(
    (group) => group.unAssignedvehicles > 0 && group.lowTemperatureThreshold < group.highTemperatureThreshold,
  )
  if (found === undefined) throw new Error('no group has devices and limits')
  return found
}
