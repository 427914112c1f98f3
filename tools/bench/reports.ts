import { setTimeout as pause } from 'node:timers/promises'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { urlOf } from '#machines/contracts/calls/call.ts'
import { type Answer, CALLS, type CallName } from '#machines/contracts/calls.ts'
import { startApp } from '../build/running-app.ts'
import { atMost, type Figure, percentile, say } from './figures.ts'

const DAY = 24 * 3_600_000
const DEVICES = 500
const AT_ONCE = 100
const LOOK_EVERY = 20

type Log = Answer<'reportLog'>

/**
 * A month of temperature of 500 devices, then a hundred reports asked for at once; meanwhile somebody asks the server for
 * its time again and again, as a dashboard would for anything: what it waits is what reports cost the others.
 */
export async function measureReports(scenarioFile: string): Promise<Figure[]> {
  const app = await startApp({ devices: DEVICES, env: { SCENARIO: scenarioFile }, patience: 180_000 })
  try {
    const { access_token: token } = (await send('login', {
      body: { username: 'operator@indus.example', password: scenario.password },
    })) as { access_token: string }
    const { groupId, companyId } = (await send('me', { token })) as Answer<'me'>
    const { now } = (await send('time', {})) as Answer<'time'>
    const params = { groupId, companyId }
    const log = async () => (await send('reportLog', { params, token })) as Log
    const request = (call: CallName, days: number) =>
      send(call, {
        params,
        token,
        body: { things: [], groups: [groupId], startDate: now - days * DAY, endDate: now },
      })

    const quiet = await waitsDuring(app.url, () => pause(10_000))
    const month = await waitsDuring(app.url, async () => {
      await request('requestTemperatureReport', 30)
      await allMade(log)
    })
    const again = await waitsDuring(app.url, async () => {
      await request('requestTemperatureReport', 29)
      await allMade(log)
    })
    const many = await waitsDuring(app.url, async () => {
      for (let i = 0; i < AT_ONCE; i++) await request('requestPowerReport', 1 - i / 1000)
      await allMade(log)
    })
    const failed = (await log()).filter(({ status }) => status !== 'completed').length
    const wait = ({ waits }: Measured) =>
      `${say(percentile(waits, 0.95), 1)} ms p95, ${say(Math.max(...waits))} ms longest`
    return [
      atMost(
        `temperature report, a month of ${DEVICES} devices, asked for the first time`,
        month.seconds,
        30,
        's',
        1,
      ),
      atMost('the same again, its readings held already', again.seconds, 30, 's', 1),
      { what: 'a light request, while no report is made', measured: wait(quiet), target: '' },
      { what: '… while the month is made for the first time', measured: wait(month), target: '' },
      { what: '… while it is made again', measured: wait(again), target: '' },
      {
        what: `${AT_ONCE} power reports of a day asked for at once`,
        measured: `${say(many.seconds, 1)} s, ${failed} failed`,
        target: 'all made',
        isReached: failed === 0,
      },
      { what: '… a light request meanwhile', measured: wait(many), target: '' },
    ]
  } finally {
    await app.kill()
  }

  type Sent = { params?: Record<string, string>; token?: string; body?: unknown }
  async function send(name: CallName, { params, token, body }: Sent): Promise<unknown> {
    const call = CALLS[name]
    const answer = await fetch(`${app.url}${urlOf(call, params)}`, {
      method: call.method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
}

async function allMade(log: () => Promise<Log>): Promise<void> {
  while (!(await log()).every(({ status }) => status === 'completed' || status === 'failed')) await pause(100)
}

type Measured = { seconds: number; waits: number[] }

/** How long the work took, and how long others waited for an answer meanwhile, ms. */
async function waitsDuring(url: string, work: () => Promise<unknown>): Promise<Measured> {
  const waits: number[] = []
  let isOver = false
  const began = performance.now()
  const looking = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await (await fetch(`${url}/api/time`)).arrayBuffer()
      waits.push(performance.now() - startedAt)
      await pause(LOOK_EVERY)
    }
  })()
  await work()
  const seconds = (performance.now() - began) / 1000
  isOver = true
  await looking
  return { seconds, waits }
}
