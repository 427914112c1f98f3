import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { facts, openAlertingApp, START } from '../alerts/testing/alerting-app.ts'
import { heldPauses } from '../mail/testing/mailing-app.ts'
import type { Outcome } from '../sending/channel.ts'
import { outboxProvider, type SmsProvider } from './sms-gateway.ts'
import { startTexter } from './texter.ts'

/** A server that alerts, and a texter behind it. */
async function appWith(provider: SmsProvider) {
  const app = await openAlertingApp()
  const warnings: string[] = []
  const pauses = heldPauses()
  const start = () =>
    startTexter({
      ...app,
      warn: (message) => warnings.push(message),
      publicUrl: 'https://p.example',
      provider,
      pauses,
    })
  let texter = start()
  onTestFinished(async () => {
    await texter.stop()
    await app.close()
  })
  return {
    app,
    warnings,
    pauses,
    get texter() {
      return texter
    },
    async restart() {
      await texter.stop()
      texter = start()
      await texter.settled()
    },
    facts: (type: 'sms.sent' | 'sms.failed') => facts(app.store.log, type).map(({ data }) => data),
  }
}

function saying(...outcomes: Outcome['is'][]) {
  const tried: string[] = []
  const provider: SmsProvider = {
    via: 'http',
    async deliver({ to }) {
      tried.push(to)
      const is = outcomes.shift() ?? 'sent'
      return is === 'sent' ? { is } : { is, reason: `${is} it is` }
    },
  }
  return { tried, provider }
}

const phone = (userId: string, number: string): NewFact => ({
  type: 'user.updated',
  at: START,
  companyId: 'indus',
  data: { userId, phone: number },
})

test('an alert by SMS becomes one message, and that is told', async () => {
  const { tried, provider } = saying()
  const { app, texter, facts, restart } = await appWith(provider)
  await app.append(phone('u2', '0300 7654321'))
  await app.open(2)
  await texter.settled()
  expect(tried).toEqual(['+923007654321', '+923001234567'])
  expect(facts('sms.sent')[0]).toEqual({
    messageId: expect.any(String),
    about: expect.any(Number),
    to: '+923007654321',
    text: expect.stringContaining('Reefer 2: high temperature 9.4 C'),
    via: 'http',
  })
  expect(texter.stats()).toEqual({ sent: 2, failed: 0, waiting: 0 })
  await restart()
  expect(tried).toHaveLength(2)
})

test('who cannot be reached is told once, and not tried', async () => {
  const { tried, provider } = saying()
  const { app, texter, facts, restart, warnings } = await appWith(provider)
  await app.append(phone('u1', '0300'))
  await app.open(3)
  await texter.settled()
  await restart()
  expect(tried).toEqual([])
  expect(facts('sms.failed')).toEqual([
    expect.objectContaining({ to: '0300', reason: 'there is no phone number that can be reached' }),
  ])
  expect(warnings).toHaveLength(1)
})

test('while the gateway is away messages wait; those too old by then are given up', async () => {
  const { tried, provider } = saying('closed', 'closed')
  const { app, texter, facts, pauses, warnings } = await appWith(provider)
  await app.open(3)
  await texter.settled()
  await pauses.pass(5_000)
  await texter.settled()
  expect(tried).toHaveLength(2)
  app.clock.at += 3_600_000
  await pauses.pass(10_000)
  await texter.settled()
  expect(facts('sms.failed')).toEqual([
    expect.objectContaining({ reason: 'it was too late for it; the last try: closed it is' }),
  ])
  expect(warnings[0]).toBe('the SMS gateway takes no text messages, they wait: closed it is')
})

test('the outbox has them newest first, of one number however it is written', async () => {
  const { app, texter } = await appWith(outboxProvider)
  await app.append(phone('u2', '+92 300 7654321'))
  await app.open(2)
  await texter.settled()
  await app.pass(1)
  await app.open(3)
  await app.pass(10)
  const all = await texter.outbox()
  expect(all.map(({ to, at }) => [to, (at - START) / 60_000])).toEqual([
    ['+923001234567', 10],
    ['+923001234567', 0],
    ['+923007654321', 0],
  ])
  expect(all[2]).toEqual({
    channel: 'sms',
    to: '+923007654321',
    text: expect.stringContaining('Reefer 2'),
    links: ['https://p.example/notifications'],
    at: START,
  })
  for (const written of ['+923007654321', ' 923007654321', '0300-7654321', '+92 300 7654321'])
    expect(await texter.outbox(written)).toEqual([all[2]])
  expect(await texter.outbox('+923000000000')).toEqual([])
  expect(await texter.outbox('nobody')).toEqual([])
})
