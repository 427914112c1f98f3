import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inside } from '../../e2e/addresses.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { newWindow, openBrowser, signIn as signInByPage } from '../bench/browser.ts'
import { buildPortal, isPortalStale } from '../build/portal-build.ts'
import { type RunningApp, setClock, startApp } from '../build/running-app.ts'
import type { Fault } from './fault.ts'
import { harmIn, textsOf } from './files.ts'
import { writeHostileScenario } from './hostile-scenario.ts'
import { harmOnTheWay } from './hostile-screens.ts'
import { HOSTILE } from './names.ts'
import { ABOVE, LIMITS, signIn, TRACKERS } from './writers.ts'

const PATIENCE_MS = 60_000
const REPORTS = ['powerReport', 'distanceReport', 'generateTemperatureReport', '']
const HOUR = 3_600_000
/** Windows open at a time: most of the time they wait. */
const AT_ONCE = 4

export const hostileNames: Fault = {
  name: 'hostile-names',
  what: `${HOSTILE.length} hostile names in every text field, every screen visited, every file opened`,
  mustHold: 'shown as text everywhere, no formula in a spreadsheet, no CSP violation',
  quick: 0.1,
  async run({ times }) {
    if (isPortalStale()) await buildPortal().done
    const names = HOSTILE.slice(0, times(HOSTILE.length))
    const folder = mkdtempSync(join(tmpdir(), 'frostline-hostile-'))
    const { file, texts } = writeHostileScenario(folder, names)
    const app = await startApp({ devices: 60, env: { ACCESS_TTL: '86400', SCENARIO: file } })
    const browser = await openBrowser()
    try {
      const lost: string[] = []
      const written = await write(app, names, lost)
      const context = await newWindow(browser, await signInByPage(browser, app.url))
      const pages = [
        ...Object.keys(inside),
        `/temperature/${TRACKERS[0]}`,
        ...written.shown.map(({ path }) => path),
      ]
      const nameAt = new Map(written.shown.map(({ path, name }) => [path, name]))
      // looking back goes along from page to page, where forms are closed: what begins it comes last
      const places = pages
        .map((path) => ({ path, name: nameAt.get(path) }))
        .toSorted((a, b) => Number(a.path.includes('asOf=')) - Number(b.path.includes('asOf=')))
      // a page comes to rest where nothing new is measured
      await setClock(app.url, { paused: true })
      const harm = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          harmOnTheWay(
            context,
            app.url,
            places.filter((__, at) => at % AT_ONCE === i),
          ),
        ),
      )
      lost.push(...harm.flat())
      await setClock(app.url, { paused: false })
      const files = await filesOf(app, written)
      for (const { fileName, bytes } of files) {
        lost.push(...harmIn(fileName, bytes))
        if (fileName.endsWith('.xlsx') && !names.some((name) => textsOf(bytes).includes(name)))
          lost.push(`${fileName} names no device as it is called`)
      }
      return {
        tried: `${names.length} names in ${texts} texts of the scenario and ${written.fields} fields (${written.refused} more refused them), ${pages.length} screens, ${files.length} files`,
        lost,
      }
    } finally {
      await browser.close()
      await app.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

type Written = {
  token: string
  imeis: string[]
  fields: number
  refused: number
  shown: { path: string; name: string }[]
}

/** Gives the names to all that has one; what a form refuses is not in the server. */
async function write(app: RunningApp, names: readonly string[], lost: string[]): Promise<Written> {
  const { send, ask } = callerOf(app.url)
  const token = await signIn(app.url)
  const { data } = await ask('observationsLatest', { params: { groupId: 'indus' }, token })
  const imeis = data.map(({ imei }) => imei).slice(0, names.length)
  const shown: Written['shown'] = []
  let fields = 0
  let refused = 0
  async function put(method: string, path: string, body: object, texts: number): Promise<string | undefined> {
    const { status, text } = await send(method, `/api${path}`, { token, body })
    if (status >= 500) lost.push(`${method} ${path} was answered ${status}`)
    if (status >= 300) {
      refused += texts
      return undefined
    }
    fields += texts
    return text
  }
  for (const [i, name] of names.entries()) {
    await put('POST', '/groups', { ...LIMITS, name, description: name, parentId: ABOVE }, 2)
    const person = {
      firstName: name,
      lastName: name,
      phone: '+92 300 5550129',
      type: 'Manager',
      role: 'user',
    }
    const userName = `hostile${i}`
    await put(
      'POST',
      '/users',
      { ...person, userName, email: `${userName}@indus.example`, groupId: ABOVE },
      2,
    )
  }
  // all of them: whichever something is told of has such a name
  for (const [i, { imei, groupId }] of data.entries()) {
    const name = names[i % names.length] as string
    const device = await put('PUT', `/things/${imei}`, { name, groupId }, 1)
    if (device === undefined) lost.push(`no device could be called ${JSON.stringify(name)}`)
    else if (i < names.length) shown.push({ path: `/temperature/${imei}`, name: JSON.parse(device).name })
  }
  await put('PUT', '/groups/indus-lahore', { name: names[0] }, 1)
  await callerOf(app.url).sim.advanceTo((await callerOf(app.url).sim.status()).now + HOUR)
  const { now } = await ask('time')
  const { notifications } = await ask('notifications', {
    params: { groupId: 'indus' },
    token,
    body: { startDate: now - 24 * HOUR, endDate: now, limit: 30 },
  })
  for (const [i, { _id }] of notifications.entries()) {
    const comment = names[i % names.length]
    await put('POST', `/users/notifications/${_id}/comments`, { comment }, 1)
    await put('POST', `/users/notifications/${_id}/acknowledge`, { comment }, 1)
  }
  return { token, imeis, fields, refused, shown }
}

/** Reports of the devices with the names, as files. */
async function filesOf(
  app: RunningApp,
  { token, imeis }: Written,
): Promise<{ fileName: string; bytes: Uint8Array }[]> {
  const { send, ask } = callerOf(app.url)
  const { now } = await ask('time')
  const span = { startDate: now - 3 * HOUR, endDate: now }
  const base = '/api/groups/indus/company/indus/reports'
  const requests: string[] = []
  for (const kind of REPORTS) {
    const body = { things: imeis, groups: [], ...span, ...(kind === '' && { type: ['ALL'] }) }
    const { status, text } = await send('POST', kind === '' ? base : `${base}/${kind}`, { token, body })
    if (status !== 202) throw new Error(`${kind || 'eventReport'} was answered ${status} ${text}`)
    requests.push(JSON.parse(text)._id)
  }
  const body = { vehicels: imeis, interval: span }
  const { text } = await send('POST', `${base}/observationReport`, { token, body })
  requests.push(JSON.parse(text)._id)

  for (const began = performance.now(); ; await pause(200)) {
    const log = await ask('reportLog', { params: { companyId: 'indus' }, token })
    const mine = log.filter(({ _id }) => requests.includes(_id))
    const failed = mine.find(({ status }) => status === 'failed')
    if (failed) throw new Error(`${failed.reportType} failed: ${failed.reason}`)
    if (mine.length === requests.length && mine.every(({ isCompleted }) => isCompleted))
      return Promise.all(
        mine.flatMap(({ files = [] }) =>
          files.map(async ({ url, fileName }) => {
            const answer = await fetch(new URL(url, app.url))
            return { fileName, bytes: new Uint8Array(await answer.arrayBuffer()) }
          }),
        ),
      )
    if (performance.now() - began > PATIENCE_MS) throw new Error('the reports are not made')
  }
}
