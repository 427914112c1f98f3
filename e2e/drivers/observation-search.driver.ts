import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { model, WHOLE } from '#machines/observation-search/observation-search.samples.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { ObservationsScreen } from '../screens/observations.screen.ts'
import { startElsewhere } from '../visit.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

/** What a visitor can do in a situation, and what can come of it. */
function possible({ value, context }: AnyMachineSnapshot): AnyEventObject[] {
  return model.events.filter((event) => {
    // a device that is picked cannot be let go
    if (event.type === 'search' && !('filter' in event && event.filter === WHOLE)) return value === 'idle'
    // A file fails where the part that makes it does not come; once that writes rows, nothing from outside stops it.
    return event.type !== 'file.failed' || context.written === 0
  })
}

/** The table of observations; a file waits for the part of the portal that makes it. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model: { ...model, events: possible }, enter, isOneVisit: true }],
}

const OUT_OF_ORDER = 'The store cannot read now'
/** Takes long enough to be made to be looked at and left off. */
const MANY_ROWS = 60_000
/** What a device that reports each ten seconds measures in a day. */
const A_DAY = 8640

async function enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503|ERR_FAILED/)
  await startElsewhere(visitor, app.url)
  const device = (await app.api.fleet()).find(
    ({ type, thingStatus }) => type === 'vehicle' && thingStatus === 'online',
  )
  if (device === undefined) throw new Error('No vehicle is online')
  const held = await holdBack(page, /\/observations-logs\?/)
  const worker = await holdBack(page, /spreadsheet\.worker/)
  const screen = new ObservationsScreen(page)
  await shell.follow('/devices/chiller-observation')
  return {
    events: {
      search: async ({ event, state }) => {
        if (event.filter === WHOLE) await screen.pick(device.imei)
        held.giveUp()
        await screen.find()
        if (state.matches('loading')) await held.isHeld()
      },
      retry: async () => {
        await page.getByRole('button', { name: 'Try again' }).click()
        await held.isHeld()
      },
      download: async () => {
        await screen.download.click()
        await worker.isHeld()
      },
      cancel: () => screen.cancel.click(),
      'file.grew': () => worker.release(),
      'file.saved': async () => {
        const arriving = page.waitForEvent('download')
        await worker.release()
        await arriving
        await shell.says(/rows saved/)
      },
      'file.failed': () => worker.giveNoAnswer(),
      'xstate.done.actor.loadRows': ({ event }) =>
        held.answer<ObservationRow[]>((rows) => {
          if (event.output.length === 0) return []
          const count = leadsTo(path, 'file.grew')
            ? MANY_ROWS
            : leadsTo(path, 'file.saved')
              ? A_DAY
              : rows.length
          return Array.from({ length: count }, (_, i) => rows[i % rows.length])
        }),
      'xstate.error.actor.loadRows': () => held.refuse(503, OUT_OF_ORDER),
    },
    async shows({ state }) {
      const { faults, shown, written } = state.context
      await expect(page.getByText('Please Select Vehicle.')).toBeVisible({ visible: faults.length > 0 })
      if (state.matches('idle')) return expect(page.getByText('Choose a device')).toBeVisible()
      if (state.matches('empty')) return expect(page.getByText('No data Found')).toBeVisible()
      if (state.matches('failed'))
        return expect(page.getByText('The observations could not be loaded')).toBeVisible()
      await expect(screen.table).toHaveCount(shown === null ? 0 : 1)
      if (state.matches('loading')) return expect(screen.search).toHaveAttribute('aria-busy', 'true')
      await expect(page.getByText('The file could not be made')).toBeVisible({
        visible: state.matches({ shown: 'unmade' }),
      })
      if (!state.matches({ shown: 'making' })) return expect(screen.download).toBeVisible()
      const begun = written > 0 ? /^[1-9][\d,]* of/ : /^0 of/
      await expect(screen.progress).toHaveAttribute('aria-valuetext', begun)
    },
  }
}
