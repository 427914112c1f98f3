import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../../server/testing/caller.ts'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { fakeClock } from './fake-clock.ts'
import type { Fault } from './fault.ts'
import { factsOf, gapsIn, inCopy } from './record.ts'
import { ABOVE, DEVICE_KEY, TRACKERS } from './writers.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const OPERATOR = 'operator@indus.example'
const [IMEI] = TRACKERS
/** When a day of the company's calendar ends, as an hour of UTC; its zone changes no clocks. */
const DAY_ENDS_UTC = 19
const SETTLES_MS = 15 * 60_000
const PATIENCE_MS = 120_000
/** Ms the clock may be off what it was set to: it is looked at once a second. */
const SLACK_MS = 5000

/** +1 h over the end of a day, −2 h back before it, forward over it again, and 400 days on. */
const JUMPS = [HOUR, -2 * HOUR, 2 * HOUR, 400 * DAY]

export const clockJumps: Fault = {
  name: 'clock-jumps',
  what: 'the clock jumps +1 h, −2 h, +2 h, +400 days while the server runs, over the end of a day that a schedule waits for',
  mustHold: 'order and sessions hold, each schedule fires once',
  quick: 1,
  async run() {
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-clock-jumps-'))
    const clock = fakeClock()
    const lost: string[] = []
    let app: RunningApp | undefined
    try {
      // twenty minutes before the day ends
      const nextEnd = Math.ceil((Date.now() - DAY_ENDS_UTC * HOUR) / DAY) * DAY + DAY_ENDS_UTC * HOUR
      let ahead = nextEnd - HOUR / 3 - Date.now()
      clock.setAhead(ahead)
      const env = { ...clock.env, SIMULATOR: 'off' }
      await preparePeople({ dataDir })
      app = await startApp({ dataDir, env })
      const { address, ...visit } = await enter(app)
      const created = (await callerOf(address).ask('time')).now
      let sent = new Set<number>()
      let readings = await visit.send(sent)
      for (const jump of JUMPS) {
        ahead += jump
        clock.setAhead(ahead)
        await clockShows(address, ahead)
        const found = await visit.stay(jump)
        if (found !== undefined) lost.push(`after a jump of ${wordsOf(jump)}: ${found}`)
        const lacks: string[] = []
        if (Math.abs(jump) > DAY) {
          lacks.push(...(await visit.daysLack(sent)))
          sent = new Set()
        }
        readings += await visit.send(sent)
        lacks.push(...(await visit.historyLacks(sent)))
        lost.push(...lacks.map((lack) => `after a jump of ${wordsOf(jump)}: ${lack}`))
        await ran(dataDir, app, endsBetween(created, Date.now() + ahead - SETTLES_MS).length)
      }
      await app.stop()
      app = await startApp({ dataDir, env })
      await pause(2000)
      await app.stop()
      const ends = endsBetween(created, Date.now() + ahead - SETTLES_MS)
      const runs = await inCopy(dataDir, (store, damage) => {
        lost.push(...damage, ...gapsIn(store))
        return factsOf(store).flatMap((fact) => (fact.type === 'schedule.ran' ? [fact.data.to] : []))
      })
      const missed = ends.filter((end) => !runs.includes(end)).length
      if (missed > 0) lost.push(`${missed} periods were not run`)
      if (new Set(runs).size !== runs.length)
        lost.push(`${runs.length - new Set(runs).size} periods were run twice`)
      const extra = runs.filter((end) => !ends.includes(end)).length
      if (extra > 0) lost.push(`${extra} periods were run that are none`)
      return {
        tried: `${JUMPS.length} jumps, ${say(ends.length)} periods of a daily schedule, ${readings} readings`,
        lost,
      }
    } finally {
      await app?.kill()
      clock.remove()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** Somebody signs in and schedules a report for every day. */
async function enter({ url: address }: RunningApp) {
  const { ask, send } = callerOf(address)
  const signIn = async () => {
    const password = 'Fr0st#line24'
    const answer = await ask('login', { body: { username: OPERATOR, password } })
    if (!('access_token' in answer)) throw new Error('the operator must set a password')
    return { token: answer.access_token, refreshToken: answer.refresh_token }
  }
  let session = await signIn()
  const isLetIn = async () => (await send('GET', '/api/auth/me', { token: session.token })).status
  const refresh = () => send('GET', `/api/auth/refresh-token?token=${session.refreshToken}&rotate=true`)
  await ask('scheduleReport', {
    token: session.token,
    body: {
      groups: [ABOVE],
      vehicles: [IMEI],
      interval: 'Daily',
      emails: ['ops@indus.example'],
      reportTypes: ['POWER_REPORT'],
    },
  }).catch(async (error: unknown) => {
    throw new Error(`no schedule could be made: ${String(error)}`)
  })
  async function timesFrom(sent: ReadonlySet<number>): Promise<number[]> {
    const from = Math.min(...sent)
    const { points } = await ask('observations', {
      params: { imei: IMEI },
      query: { data: { startDate: from, endDate: from + DAY - 1 } },
      token: session.token,
    })
    return points.map(({ dateTime }) => Date.parse(dateTime))
  }
  return {
    address,
    /** Goes on after a jump as a portal does; answers what should not have been. */
    async stay(jump: number): Promise<string | undefined> {
      const status = await isLetIn()
      // what was signed in the future is good until it runs out
      if (jump < 0 && status !== 200) return `a token that has not run out was answered ${status}`
      const { status: refreshed, text } = await refresh()
      if (Math.abs(jump) > DAY) {
        if (status !== 401 || refreshed !== 401)
          return `a session that ran out was answered ${status} and ${refreshed}`
        session = await signIn()
      } else if (refreshed !== 200) return `the session was answered ${refreshed} ${text}`
      else {
        const { data } = JSON.parse(text) as { data: { token: string; refreshToken?: string } }
        session = { token: data.token, refreshToken: data.refreshToken ?? session.refreshToken }
      }
      const now = await isLetIn()
      return now === 200 ? undefined : `with a new token the answer was ${now}`
    },
    async send(sent: Set<number>): Promise<number> {
      const { now } = await ask('time')
      const times = Array.from({ length: 10 }, (_, i) => now - i * 1000).filter((at) => !sent.has(at))
      const readings = times.map((at) => ({ imei: IMEI, at, temperature: 4, lat: 31.5, lng: 74.3 }))
      const answer = await ask('ingest', { headers: { 'x-device-key': DEVICE_KEY }, body: { readings } })
      if (answer.refused.length > 0) throw new Error(`refused: ${answer.refused[0]?.reason}`)
      for (const at of times) sent.add(at)
      return times.length
    },
    /** Days that ran out of their time may be dropped, but not a part of one. */
    async daysLack(sent: ReadonlySet<number>): Promise<string[]> {
      const times = new Set(await timesFrom(sent))
      const days = Map.groupBy(sent, (at) => Math.floor(at / DAY))
      return [...days.values()].flatMap((all) => {
        const kept = all.filter((at) => times.has(at)).length
        return kept === 0 || kept === all.length
          ? []
          : [`of ${all.length} readings of a day ${kept} are left`]
      })
    },
    /** Readings are there once each, in the order of their own time, whenever they came. */
    async historyLacks(sent: ReadonlySet<number>): Promise<string[]> {
      const times = await timesFrom(sent)
      const isOrdered = times.every((at, i) => i === 0 || at > (times[i - 1] as number))
      const missing = [...sent].filter((at) => !times.includes(at)).length
      return [
        ...(isOrdered ? [] : ['history is out of order']),
        ...(missing > 0 ? [`${missing} readings are not in history`] : []),
      ]
    },
  }
}

/** Resolves when the server's clock is where it was set to. */
async function clockShows(address: string, ahead: number): Promise<void> {
  for (const began = performance.now(); ; await pause(50)) {
    const { now } = await callerOf(address).ask('time')
    if (Math.abs(now - Date.now() - ahead) < SLACK_MS) return
    if (performance.now() - began > PATIENCE_MS) throw new Error('the clock of the server could not be set')
  }
}

/** Resolves when a schedule has run so often; more is found at the end. */
async function ran(dataDir: string, { gone }: RunningApp, often: number): Promise<void> {
  let isGone = false
  void gone.then(() => {
    isGone = true
  })
  for (const began = performance.now(); ; await pause(500)) {
    const runs = await inCopy(
      dataDir,
      (store) => factsOf(store).filter(({ type }) => type === 'schedule.ran').length,
    )
    if (runs >= often) return
    if (isGone) throw new Error('the server ended')
    if (performance.now() - began > PATIENCE_MS) throw new Error(`a schedule ran ${runs} times of ${often}`)
  }
}

function endsBetween(after: number, until: number): number[] {
  const ends: number[] = []
  const first = Math.floor((after - DAY_ENDS_UTC * HOUR) / DAY + 1) * DAY + DAY_ENDS_UTC * HOUR
  for (let end = first; end <= until; end += DAY) ends.push(end)
  return ends
}

const wordsOf = (jump: number): string => (Math.abs(jump) < DAY ? `${jump / HOUR} h` : `${jump / DAY} days`)
