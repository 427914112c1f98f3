import type { CallName } from '#machines/contracts/calls.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { type Ask, buildTestServer, START } from '../../server/api/http/testing/test-app.ts'
import { createNotificationIndex } from '../../server/read-models/notification-index.ts'
import { device, violationOpened } from '../../server/testing/facts.ts'
import { atMost, type Figure, median, say } from './figures.ts'

const DAY = 86_400_000
const DEVICES = 1000
const NOTIFICATIONS = 100_000
const ROUNDS = 30
const AT_ONCE = 5000
const TYPES = Object.values(ViolationType.schema)

/** Charts of a month and pages of the list, over REST without a port: from the request to the last byte. */
export async function measureViolations(): Promise<Figure[]> {
  const imeis = Array.from({ length: DEVICES }, (_, i) => String(351_000_000_000_000 + i))
  const server = await buildTestServer({
    facts: imeis.map((imei, i) => device(5 + i, imei, 'indus', 'indus')),
  })
  try {
    for (let from = 0; from < NOTIFICATIONS; from += AT_ONCE)
      await server.store.log.append('told', aMonth(imeis, from))
    await server.readModels.settled(server.store.log.head())
    const { access_token: token } = await server.signIn('ayesha')
    const month = { startDate: START - 31 * DAY, endDate: START }
    const params = { groupId: 'indus' }
    const taken = async (name: CallName, ask: Ask): Promise<number> => {
      const times: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const began = performance.now()
        const { statusCode } = await server.ask(name, ask)
        times.push(performance.now() - began)
        if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`)
      }
      return median(times)
    }
    const stats = await taken('violationStats', {
      params,
      token,
      body: { ...month, devices: imeis, violations: TYPES },
    })
    const times = await taken('violationTimes', {
      params,
      token,
      body: { ...month, devices: imeis, violations: TYPES, timeZone: 'Asia/Karachi' },
    })
    const summary = await taken('summaryChart', { params, token, body: month })
    const health = await taken('alarmHealth', { params, token, query: { days: 31 } })
    const first = await taken('notifications', { params, token, body: month })
    const last = await taken('notifications', { params, token, body: { ...month, skip: NOTIFICATIONS - 20 } })
    const began = performance.now()
    const index = createNotificationIndex(server.store.log, server.readModels)
    await index.countAfter(0, () => true)
    const read = performance.now() - began
    const of = `${say(NOTIFICATIONS)} notifications`
    return [
      atMost(`violations of a month, ${say(DEVICES)} devices, ${of}, median`, stats, 100, 'ms', 1),
      atMost(`time beyond the limits of a month, the same, median`, times, 500, 'ms', 1),
      atMost(`summary of a month, ${say(DEVICES)} devices, ${of}, median`, summary, 100, 'ms', 1),
      atMost(`health of alarms of 31 days and the trend of weeks, ${of}, median`, health, 200, 'ms', 1),
      atMost(`first page of ${of}, median`, first, 100, 'ms', 1),
      atMost(`last page of ${of}, median`, last, 100, 'ms', 1),
      { what: `${of} read at a start, in breaths`, measured: `${say(read)} ms`, target: '' },
    ]
  } finally {
    await server.close()
  }
}

/** Spread over the month and the devices, one in fifty told a day late. */
function aMonth(imeis: readonly string[], from: number): NewFact[] {
  return Array.from({ length: AT_ONCE }, (_, k) => {
    const i = from + k
    const at = START - 31 * DAY + (i / NOTIFICATIONS) * 31 * DAY - (i % 50 === 0 ? DAY : 0)
    const imei = imeis[(i * 7919) % imeis.length] as string
    const type = TYPES[i % TYPES.length] as ViolationType
    return violationOpened(imei, Math.max(START - 31 * DAY, Math.floor(at)), { type }, 'indus')
  })
}
