import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { company, device, group, violationOpened, violationRevised } from '../../../testing/facts.ts'
import { makeFiles } from './make-files.ts'
import { sampleReport } from './testing/sample-report.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** 20 November 2026, 00:00 in Karachi. */
const START = Date.parse('2026-11-19T19:00:00Z')
const IMEI = '350000000000000'
const OPENED = START + 6 * HOUR + 10 * MINUTE
const limits = { lowTemperatureThreshold: 2, highTemperatureThreshold: 8 }
const origin = { companyId: 'indus' }
const base: NewFact[] = [
  company('indus', { name: 'Indus Cold Chain', violationDelaySeconds: 600 }),
  group('indus', 'indus', null, limits),
  device(0, IMEI, 'indus', 'indus', { name: 'Reefer 0', plateNumber: 'LES-0' }),
  {
    ...{ ...origin, type: 'user.created', at: START },
    data: {
      ...{ userId: 'u1', companyId: 'indus', groupId: 'indus', firstName: 'Danish', lastName: 'Malik' },
      ...{ userName: 'danish', email: 'danish@indus.example', phone: '', type: 'user', role: 'user' },
    },
  },
]
const opened = violationOpened(IMEI, OPENED, { since: START + 6 * HOUR }, 'indus')
/** `opened` is the fifth fact. */
const ID = 'f5'
const { violationId } = opened.data as { violationId: string }
/** Longer than its column: all of it is there. */
const LONG = 'Ramp 4 was slow, as it is on each Friday when two trucks come at once, so they waited'
const about = { violationId, notificationId: ID, imei: IMEI, type: 'HIGH_TEMPERATURE_DETECTED' } as const
const story: NewFact[] = [
  {
    ...{ ...origin, type: 'alert.raised', at: OPENED + MINUTE },
    data: { alertId: 'a1', userId: 'u1', channel: 'email', about: [5], quietSeconds: 60 },
  },
  {
    ...{ ...origin, type: 'mail.sent', at: OPENED + 2 * MINUTE },
    data: {
      ...{ letterId: 'l1', about: 6, kind: 'alert', to: 'danish@indus.example', subject: 'Too warm' },
      via: 'smtp',
    },
  },
  { ...origin, type: 'notifications.seen', at: OPENED + 3 * MINUTE, data: { userId: 'u1', upTo: 5 } },
  {
    ...{ ...origin, type: 'violation.acknowledged', at: OPENED + 4 * MINUTE },
    data: { ...about, userName: 'Danish Malik', comment: 'back at 7', reason: 'Door open' },
  },
  {
    ...{ ...origin, type: 'violation.shelved', at: OPENED + 5 * MINUTE },
    data: {
      ...{ imei: IMEI, type: about.type, until: OPENED + 65 * MINUTE, reason: 'Loading' },
      userName: 'Danish Malik',
    },
  },
  {
    ...{ ...origin, type: 'notification.commented', at: OPENED + 6 * MINUTE },
    data: {
      ...{ notificationId: ID, commentId: 'c1', imei: IMEI, userName: 'Ayesha Khan' },
      comment: LONG,
    },
  },
  {
    ...{ ...origin, type: 'violation.cleared', at: START + 7.5 * HOUR },
    data: {
      ...{ violationId, imei: IMEI, type: about.type, value: 7.2, worst: 11.5, durationSeconds: 5400 },
      reason: 'back-inside',
    },
  },
  {
    ...{ ...origin, type: 'case.closed', at: START + 9 * HOUR },
    data: {
      ...{ ...about, reason: 'Goods were below 8 inside' },
      signOff: { meaning: 'investigated', name: 'Danish Malik', at: START + 9 * HOUR, zone: 'Asia/Karachi' },
    },
  },
]
/** Too warm from 06:00 to 07:30, on the road. */
const readings: Reading[] = Array.from({ length: 144 }, (_, i) => ({
  ...{ device: 0, at: START + i * 5 * MINUTE, temperature: i >= 72 && i < 90 ? 11.5 : 5, humidity: 55 },
  ...{ lat: 31.5 + i * 0.01, lng: 74.3 },
}))
const order = { kind: 'case', title: 'Case', notificationId: ID } as const
const span = { from: START + 4 * HOUR, to: START + 10 * HOUR }

async function made(facts: readonly NewFact[], fields: object = {}) {
  const { order: whole, source } = sampleReport({ ...order, ...span, ...fields }, facts, readings)
  const files = await makeFiles(whole, source, () => {}, new AbortController().signal)
  const { text } = await extractText(new Uint8Array(files[0]?.bytes ?? []))
  return { files, text: text.join('\n').replaceAll(/\s+/g, ' ') }
}

test('says what was measured against which limit, who was told by what and when, what they did, and who signed', async () => {
  const { files, text } = await made([...base, opened, ...story])
  expect(files).toMatchObject([
    { fileName: 'Case-LES-0-20261120-0400-to-20261120-1000.pdf', contentType: 'application/pdf' },
  ])
  for (const words of [
    'Case: high temperature',
    `LES-0 · IMEI ${IMEI} · indus`,
    'It was above the high threshold 8.0 °C of indus from 20-11-2026 06:00 on.',
    'It ended at 20-11-2026 07:30, when it was back inside; at worst it was 11.5 °C.',
    'As published at first',
    'Danish Malik E-mail 20-11-2026 06:12 sent',
    'Danish Malik On screen 20-11-2026 06:13 seen',
    'Acknowledged 20-11-2026 06:14 Danish Malik Door open: back at 7',
    'Shelved until 07:15 20-11-2026 06:15 Danish Malik Loading',
    `Commented 20-11-2026 06:16 Ayesha Khan ${LONG}`,
    'Investigated Danish Malik 20-11-2026 09:00 Asia/Karachi Goods were below 8 inside',
  ])
    expect(text).toContain(words)
})

test('of one that late readings showed otherwise both versions stand, and of an open case that nobody signed', async () => {
  const revised = violationRevised(IMEI, START + 8 * HOUR, {
    violationId,
    after: {
      ...{ since: START + 5.5 * HOUR, openedAt: START + 5.75 * HOUR, clearedAt: START + 7 * HOUR },
      ...{ threshold: 8, worst: 12.5 },
    },
  })
  const { text } = await made([...base, opened, { ...revised, companyId: 'indus' } as NewFact])
  expect(text).toContain('As published at first')
  expect(text).toContain('20-11-2026 05:30')
  expect(text).toContain('12.5 °C')
  expect(text).toContain('At first it was published as above since 20-11-2026 06:00')
  expect(text).toContain('The case is open: nobody signed it.')
})

test('the same order and record make the same bytes; one of a violation that is not there is refused in words', async () => {
  const [first, second] = [await made([...base, opened, ...story]), await made([...base, opened, ...story])]
  expect(first.files[0]?.bytes).toEqual(second.files[0]?.bytes)
  await expect(made([...base, opened], { notificationId: 'f4' })).rejects.toThrow(
    'The violation is not in the record',
  )
})
