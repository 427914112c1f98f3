import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { model } from '#machines/report/report.samples.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { ReportsScreen } from '../screens/reports.screen.ts'
import { visit } from '../visit.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let requested = 0
/** What takes the worker a moment, and no more with many devices than with few. */
const MANY = 16
/** So many are made before the one that is looked at. */
const AHEAD = 3

/** A report that fails does so before it is made: there is nothing to report on. */
function events(snapshot: AnyMachineSnapshot): AnyEventObject[] {
  return model.events().filter(({ type }) => type !== 'fail' || snapshot.context.progress === 0)
}

/** A report from its request to its file, in the log of reports. Others are in line before it, or it would not wait. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [
    {
      model: { ...model, events },
      enter,
      isOneVisit: true,
      cannot: {
        'pending: start → stays':
          'It is begun again only by a server that ended while it made it; the tests of the queue end one.',
      },
    },
  ],
}

async function enter({ page }: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const fails = leadsTo(path, 'fail')
  const things = (await app.api.fleet()).slice(0, MANY).map(({ imei }) => imei)
  const group = fails ? await emptyGroup(app) : undefined
  await visit(page, app.url, '/download/reports')
  const reports = new ReportsScreen(page)
  await expect(page.getByRole('heading', { name: 'Report Logs' })).toBeVisible()
  const ask = async (chosen: { things: string[]; groups: string[] }) => {
    const { now } = await app.sim.status()
    // asked for the same again, the server answers with the one it has in line
    const body = { ...chosen, startDate: now - 30 * DAY + ++requested * MINUTE, endDate: now }
    const params = { groupId: app.api.groupId, companyId: 'indus' }
    await app.api.ask(REPORT_CALLS.requestTemperatureReport, { params, body })
  }
  /** those asked for after it are above it */
  let after = 0
  const line = () => reports.line(after)
  const waits = () => line().getByText('waits for its turn')
  for (let ahead = 0; ahead < AHEAD; ahead++) await ask({ things, groups: [] })
  await ask(group === undefined ? { things, groups: [] } : { things: [], groups: [group] })
  return {
    events: {
      start: () => expect(waits()).toBeHidden(),
      // it may be a moment, and over before anybody looks
      progress: () =>
        line()
          .locator('[aria-valuenow]:not([aria-valuenow="0"])')
          .or(line().getByText('Completed'))
          .first()
          .waitFor(),
      complete: () => expect(line()).toContainText('Completed'),
      fail: () => expect(line()).toContainText('There is no device left to report on'),
      retry: async () => {
        for (; after < AHEAD; after++) await ask({ things, groups: [] })
        await line()
          .getByRole('button', { name: /^Retry / })
          .click()
      },
    },
    async shows({ state }) {
      if (state.matches('completed'))
        return expect(
          line()
            .getByRole('link', { name: /^Download / })
            .first(),
        ).toBeVisible()
      if (state.matches('failed'))
        return expect(line().getByRole('button', { name: /^Retry / })).toBeVisible()
      // its turn may be over sooner than anybody looks
      const words = state.matches('requested')
        ? /waits for its turn|\d %|Completed|Failed/
        : /\d %|Completed|Failed/
      await expect(line()).toContainText(words)
    },
    leave: async () => {
      if (group !== undefined) await app.api.ask(GROUP_CALLS.deleteGroup, { params: { id: group } })
    },
  }
}

/** A group nothing hangs in: what is asked for of it fails. */
async function emptyGroup({ api }: DriverApp): Promise<string> {
  const body = {
    ...{ name: `Empty ${Date.now()}`, description: '', parentId: api.groupId, companyId: 'indus' },
    ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
    ...{ lowHumidityThreshold: 20, highHumidityThreshold: 90 },
  }
  return (await api.ask(GROUP_CALLS.createGroup, { body }))._id
}
