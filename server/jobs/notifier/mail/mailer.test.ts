import { describe, expect, onTestFinished, test } from 'vitest'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { StoreUnavailable } from '../../../store/store.ts'
import type { Outcome } from '../sending/channel.ts'
import { smtpTransport } from './smtp.ts'
import { freePort, type MailServerOptions, openMailServer } from './testing/mail-server.ts'
import { heldPauses, openMailingApp } from './testing/mailing-app.ts'
import type { Transport } from './transport.ts'

const FROM = 'no-reply@frostline.example'
const HOUR = 3_600_000

async function appWith(options: Parameters<typeof openMailingApp>[0]) {
  const house = await openMailingApp(options)
  onTestFinished(house.close)
  return house
}

async function appAndMailServer(options: MailServerOptions = {}) {
  const server = await openMailServer(options)
  onTestFinished(server.close)
  const pauses = heldPauses()
  const house = await appWith({ pauses, transport: smtpTransport({ url: server.url, from: FROM }) })
  return { server, pauses, house }
}

/** A way out that answers as it is told, and remembers who was written to. */
function saying(...outcomes: Outcome['is'][]) {
  const tried: string[] = []
  const transport: Transport = {
    via: 'smtp',
    async deliver({ id }) {
      tried.push(id)
      const is = outcomes.shift() ?? 'sent'
      return is === 'sent' ? { is } : { is, reason: `${is} it is` }
    },
  }
  return { tried, transport }
}

test('a link that is issued is mailed, once, and that is told', async () => {
  const { server, house } = await appAndMailServer()
  const { linkId } = await house.issue('u1', 'activation')
  const { linkId: second } = await house.issue('u2', 'password')

  const received = await server.received()
  expect(received.map(({ to, messageId }) => [to?.[0]?.address, messageId])).toEqual([
    ['ayesha@indus.example', `<${linkId}@frostline.example>`],
    ['danish@indus.example', `<${second}@frostline.example>`],
  ])
  expect(received[0]?.text).toContain(`/user/activate/${house.links.tokenOf(linkId)}`)
  expect(received[1]?.text).toContain(house.links.codeOf(second))
  expect(house.facts('mail.sent').map(({ companyId, data }) => [companyId, data])).toEqual([
    [
      'indus',
      {
        letterId: linkId,
        about: expect.any(Number),
        kind: 'activation',
        to: 'ayesha@indus.example',
        subject: 'Activate your Frostline account',
        via: 'smtp',
      },
    ],
    ['indus', expect.objectContaining({ letterId: second, kind: 'password' })],
  ])
  expect(house.mailer.stats()).toEqual({ sent: 2, failed: 0, waiting: 0 })

  await house.restart()
  expect(await server.received()).toHaveLength(2)
})

test('while the server is down letters wait, longer each time, and leave when it is back', async () => {
  const port = await freePort()
  const pauses = heldPauses()
  const transport = smtpTransport({ url: `smtp://127.0.0.1:${port}`, from: FROM })
  const house = await appWith({ pauses, transport })
  await house.issue('u1', 'password')
  await house.issue('u2', 'password')

  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    waits.push(pauses.nextIn())
    await pauses.pass(pauses.nextIn())
    await house.mailer.settled()
  }
  expect(waits.map((ms) => ms / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  expect(house.mailer.stats()).toEqual({ sent: 0, failed: 0, waiting: 2 })

  const server = await openMailServer({ port })
  onTestFinished(server.close)
  await pauses.pass(pauses.nextIn())
  await house.mailer.settled()
  expect((await server.received()).map(({ to }) => to?.[0]?.address)).toEqual([
    'ayesha@indus.example',
    'danish@indus.example',
  ])
  expect(house.mailer.stats()).toEqual({ sent: 2, failed: 0, waiting: 0 })
  expect(house.warnings).toEqual([
    expect.stringContaining('takes no letters, they wait: '),
    'the mail server takes letters again',
  ])
})

test('one that is greylisted comes back later and holds up nobody', async () => {
  const isKnown = new Set<string>()
  const { server, pauses, house } = await appAndMailServer({
    recipient(address) {
      if (isKnown.has(address) || !address.startsWith('ayesha')) return undefined
      isKnown.add(address)
      return '451 Greylisted, come back'
    },
  })
  await house.issue('u1', 'password')
  await house.issue('u2', 'password')
  expect((await server.received()).map(({ to }) => to?.[0]?.address)).toEqual(['danish@indus.example'])

  await pauses.pass(pauses.nextIn() - 1)
  await house.mailer.settled()
  expect(await server.received()).toHaveLength(1)
  await pauses.pass(1)
  await house.mailer.settled()
  expect((await server.received())[1]?.to?.[0]?.address).toBe('ayesha@indus.example')
  expect(house.warnings).toEqual([])
})

test('what is refused for good is told with the reason, and not tried again', async () => {
  const asked: string[] = []
  const { house } = await appAndMailServer({
    recipient(address) {
      asked.push(address)
      return '550 No such user here'
    },
  })
  const { linkId } = await house.issue('u1', 'activation')
  await house.restart()
  expect(asked).toEqual(['ayesha@indus.example'])
  expect(house.facts('mail.sent')).toEqual([])
  expect(house.facts('mail.failed').map(({ data }) => data)).toEqual([
    expect.objectContaining({ letterId: linkId, reason: expect.stringContaining('No such user here') }),
  ])
})

test('a letter that is never taken is given up in the end', async () => {
  const pauses = heldPauses()
  const { tried, transport } = saying(...Array<Outcome['is']>(200).fill('later'))
  const house = await appWith({ pauses, transport })
  await house.issue('u1', 'activation')
  while (house.mailer.stats().waiting > 0) {
    await pauses.pass(pauses.nextIn())
    await house.mailer.settled()
  }
  expect(tried).toHaveLength(100)
  expect(pauses.uptime()).toBeGreaterThan(40 * HOUR)
  expect(house.facts('mail.failed')[0]?.data).toMatchObject({ reason: 'later it is' })
})

describe('what is of no use any more is not sent', () => {
  test('after an outage longer than the link is good for', async () => {
    const { tried, transport } = saying('closed')
    const house = await appWith({ transport })
    const { linkId } = await house.issue('u1', 'password')
    house.clock.at += HOUR
    await house.restart()
    expect(tried).toEqual([linkId])
    expect(house.facts('mail.failed')[0]?.data).toMatchObject({
      letterId: linkId,
      reason: expect.stringContaining('too late'),
    })
  })

  test.each(['link.used', 'link.expired'] as const)('after %s', async (type) => {
    const { tried, transport } = saying('closed')
    const pauses = heldPauses()
    const house = await appWith({ transport, pauses })
    const { linkId } = await house.issue('u1', 'password')
    await house.append({ type, at: 0, companyId: 'indus', data: { linkId, userId: 'u1' } })
    await pauses.pass(5_000)
    await house.mailer.settled()
    expect(tried).toEqual([linkId])
    expect(house.mailer.stats()).toEqual({ sent: 0, failed: 0, waiting: 0 })
  })

  test('to somebody who is gone', async () => {
    const { transport, tried } = saying('closed')
    const house = await appWith({ transport })
    await house.issue('u1', 'password')
    await house.append({ type: 'user.deleted', at: 0, companyId: 'indus', data: { userId: 'u1' } })
    await house.restart()
    expect(tried).toHaveLength(1)
  })
})

test('10,000 letters of before the start stay where they are; the one that did not leave does', async () => {
  const { tried, transport } = saying()
  const { transport: nowhere } = saying('closed')
  const house = await appWith({ transport: nowhere })
  const { linkId } = await house.issue('u2', 'activation')
  const head = house.store.log.head()
  const old = Array.from({ length: 10_000 }, () => house.issued('u1', 'activation'))
  const told = old.map(
    ({ at, data }, i): NewFact => ({
      type: 'mail.sent',
      at,
      companyId: 'indus',
      data: sent(data.linkId, head + 1 + i),
    }),
  )
  await house.mailer.stop()
  await house.append(...old, ...told)
  await house.restart(transport)
  expect(tried).toEqual([linkId])
  await house.restart(transport)
  expect(tried).toEqual([linkId])
})

test('while the store cannot write, a letter that left is not sent again', async () => {
  let isFull = true
  const pauses = heldPauses()
  const { tried, transport } = saying()
  const house = await appWith({
    pauses,
    transport,
    log: (log) => ({
      ...log,
      append: (...args) => (isFull ? Promise.reject(new StoreUnavailable('full')) : log.append(...args)),
    }),
  })
  await house.append(house.issued('u1', 'activation'))
  for (let second = 0; second < 5; second++) await pauses.pass(1_000)
  expect(house.facts('mail.sent')).toEqual([])
  isFull = false
  await pauses.pass(1_000)
  await house.mailer.settled()
  expect(tried).toHaveLength(1)
  expect(house.facts('mail.sent')).toHaveLength(1)
})

test('what comes while the server stops is sent after the next start', async () => {
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  let isAsked = () => {}
  const trying = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const slow: Transport = {
    via: 'smtp',
    async deliver() {
      isAsked()
      await asked
      return { is: 'sent' }
    },
  }
  const { tried, transport } = saying()
  const house = await appWith({ transport: slow })
  await house.append(house.issued('u1', 'activation'))
  await trying
  const stopped = house.mailer.stop()
  const last = house.issued('u2', 'activation')
  await house.append(last)
  answer()
  await stopped
  await house.restart(transport)
  expect(tried).toEqual([last.data.linkId])
})

const sent = (letterId: string, about: number): FactData<'mail.sent'> => ({
  letterId,
  about,
  kind: 'activation',
  to: 'ayesha@indus.example',
  subject: 'Activate your Frostline account',
  via: 'smtp',
})
