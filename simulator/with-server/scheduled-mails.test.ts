import { expect, inject, onTestFinished, test, vi } from 'vitest'
import type { ScheduleInterval } from '#machines/contracts/entities/reports.ts'
import { instantInWords } from '../../server/jobs/notifier/mail/time-in-words.ts'
import { periodEndingAfter } from '../../server/jobs/schedules/periods.ts'
import { startDemo } from '../testing/start-demo.ts'

const DAY = 86_400_000
/** A month has one of each; eleven days have all but the monthly one. */
const DAYS = inject('isNightly') ? 31 : 11
const ZONE = 'Asia/Karachi'
const INTERVALS: ScheduleInterval[] = ['Daily', 'Weekly', 'TenDays', 'Monthly']

/** The subjects of the mails that are due between two instants, oldest first. */
function subjects(interval: ScheduleInterval, from: number, to: number): string[] {
  const found: string[] = []
  const day = (at: number) => instantInWords(at, ZONE).split(' ')[0]
  for (let period = periodEndingAfter(from, interval, ZONE); period.to + 15 * 60_000 <= to; ) {
    found.push(`Power Report, ${day(period.from)} to ${day(period.to - 1)}`)
    period = periodEndingAfter(period.to, interval, ZONE)
  }
  return found
}

test('a clock set forward by days brings each scheduled mail exactly once, with its file, and none of one deleted', async () => {
  const { server, sim, ask, signIn } = await startDemo({ DEVICES: '2' })
  onTestFinished(() => server.close())
  const token = await signIn('operator@indus.example')
  const { groupId, companyId } = await ask('me', { token })
  const vehicles = (await ask('groupThings', { params: { groupId }, token })).map(({ imei }) => imei)
  const made = async (interval: ScheduleInterval, to: string) =>
    ask('scheduleReport', {
      token,
      body: { groups: [groupId], vehicles, interval, emails: [to], reportTypes: ['POWER_REPORT'] },
    })
  for (const interval of INTERVALS) await made(interval, `${interval}@indus.example`)
  const { _id: id } = await made('Daily', 'gone@indus.example')
  await ask('deleteSchedule', { params: { id }, token })

  const { now } = await sim.status()
  await sim.advanceTo(now + DAYS * DAY)
  const later = await signIn('operator@indus.example')
  const log = () => ask('reportLog', { params: { companyId }, token: later })
  await vi.waitUntil(async () => (await log()).every(({ isCompleted }) => isCompleted))

  for (const interval of INTERVALS) {
    const mails: { subject: string; attachments: string[] }[] = await sim.ask(
      'GET',
      `/outbox?to=${interval}@indus.example`,
    )
    const expected = subjects(interval, now, now + DAYS * DAY)
    expect(mails.map(({ subject }) => subject).reverse()).toEqual(expected)
    for (const { attachments } of mails) expect(attachments).toEqual([expect.stringMatching(/\.xlsx$/)])
  }
  expect(subjects('Daily', now, now + DAYS * DAY)).toHaveLength(DAYS)
  expect(await sim.ask('GET', '/outbox?to=gone@indus.example')).toEqual([])
})
