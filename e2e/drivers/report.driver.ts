import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { model } from '#machines/report/report.samples.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { ReportsScreen } from '../screens/reports.screen.ts'
import { visit } from '../visit.ts'
import { type Driver, type DriverApp, leadsTo, type Scene } from './driver.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let requested = 0
/** How far a report is; the page is told no more of it than the path has come to. */
const STAGES = { requested: 0, pending: 1, completed: 2, failed: 2, cancelled: 2 }
/** So many of so many devices are made before one that is cancelled while it waits. */
const AHEAD = 40
const MANY = 16

/** A report that fails does so before it is made: there is nothing to report on. */
function events(snapshot: AnyMachineSnapshot): AnyEventObject[] {
  return model.events().filter(({ type }) => type !== 'fail' || snapshot.context.progress === 0)
}

/** A report from its request to its file, in the log of reports. */
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
        'pending: cancel → cancelled':
          'No report takes long enough to be sure that it is being made still; the tests of the queue cancel one that is.',
      },
    },
  ],
}

async function enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene> {
  const { page } = visitor
  const group = leadsTo(path, 'fail') ? await emptyGroup(app) : undefined
  const fleet = (await app.api.fleet()).slice(0, MANY).map(({ imei }) => imei)
  const { now } = await app.sim.status()
  // asked for the same again, the server answers with the one it has in line
  const nextBegin = () => now - 30 * DAY + ++requested * MINUTE
  const ask = (chosen: { things: string[]; groups: string[] }, startDate = nextBegin()) => {
    const params = { groupId: app.api.groupId, companyId: 'indus' }
    return app.api.ask(REPORT_CALLS.requestTemperatureReport, {
      params,
      body: { ...chosen, startDate, endDate: now },
    })
  }
  const one = { things: fleet.slice(0, 1), groups: [] }
  let upTo: 'requested' | 'pending' | 'completed' = 'requested'
  /** no server is slow enough to be looked at */
  const heldBack = (entry: ReportLogEntry): ReportLogEntry => {
    if (entry.status === undefined || STAGES[entry.status] <= STAGES[upTo]) return entry
    const how = upTo === 'requested' ? { ahead: 0 } : { progress: 0.5 }
    return { ...entry, status: upTo, isCompleted: false, url: null, reason: null, files: undefined, ...how }
  }
  /** the page hears that the log is another now, and asks for it again */
  const goOnTo = async (status: typeof upTo) => {
    upTo = status
    await ask(one)
  }
  const begin = nextBegin()
  const dateFrom = new Date(begin).toISOString()
  await page.route(/\/api\/reports\/logs\//, async (route) => {
    const response = await route.fetch()
    const entries = (await response.json()) as ReportLogEntry[]
    const json = entries.map((entry) => (entry.dateFrom === dateFrom ? heldBack(entry) : entry))
    await route.fulfill({ response, json })
  })
  await visit(visitor, app.url, '/download/reports')
  await expect(page.getByRole('heading', { name: 'Report Logs' })).toBeVisible()
  const ahead = leadsTo(path, 'cancel')
    ? await Promise.all(Array.from({ length: AHEAD }, () => ask({ things: fleet, groups: [] })))
    : []
  await ask(group === undefined ? one : { things: [], groups: [group] }, begin)
  const { log } = new ReportsScreen(page)
  const line = log.getByRole('row').filter({ has: page.locator(`time[datetime="${dateFrom}"]`) })
  const press = async (name: 'Retry' | 'Cancel', call: RegExp, status: number) => {
    const taken = page.waitForResponse(call)
    await line.getByRole('button', { name: new RegExp(`^${name} `) }).click()
    expect((await taken).status()).toBe(status)
  }
  return {
    events: {
      start: () => goOnTo('pending'),
      progress: () => {},
      complete: () => goOnTo('completed'),
      fail: () => goOnTo('completed'),
      async retry() {
        await press('Retry', /\/api\/reports\/[^/]+\/retry$/, 202)
        await goOnTo('requested')
      },
      async cancel() {
        await press('Cancel', /\/api\/reports\/[^/]+\/cancel$/, 200)
        await goOnTo('completed')
      },
    },
    async shows({ state }) {
      const is = (name: 'requested' | 'completed' | 'failed' | 'cancelled') => state.matches(name)
      const isWaiting = is('requested') || state.matches('pending')
      await expect(line).toContainText(wordsOf(state))
      await expect(line.getByRole('link', { name: /^Download / }).first()).toBeVisible({
        visible: is('completed'),
      })
      await expect(line.getByRole('button', { name: /^Retry / })).toHaveCount(is('failed') ? 1 : 0)
      await expect(line.getByRole('button', { name: /^Cancel / })).toHaveCount(isWaiting ? 1 : 0)
    },
    async leave() {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // those that are made by now are refused
      await Promise.allSettled(
        ahead.map(({ _id: id }) => app.api.ask(REPORT_CALLS.cancelReport, { params: { id } })),
      )
      if (group !== undefined) await app.api.ask(GROUP_CALLS.deleteGroup, { params: { id: group } })
    },
  }
}

function wordsOf(state: AnyMachineSnapshot): RegExp {
  if (state.matches('completed')) return /Completed/
  if (state.matches('cancelled')) return /Cancelled by \w/
  if (state.matches('failed')) return /Failed.*There is no device left to report on/
  if (state.matches('requested')) return /Pending.*waits for its turn/
  return state.context.progress > 0 ? /Pending.*[1-9]\d? %(?!.*waits)/ : /Pending(?!.*waits)/
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
