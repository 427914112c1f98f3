import { deserialize } from 'node:v8'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { freePort } from '../../../../tools/build/running-app.ts'
import { ownKey } from '../../../store/append-keys.ts'
import { StoreUnavailable } from '../../../store/store.ts'
import { opened } from '../alerts/testing/alerted.ts'
import type { Outcome } from '../sending/channel.ts'
import { smtpTransport } from './smtp.ts'
import { type MailServerOptions, openMailServer } from './testing/mail-server.ts'
import { heldPauses, openMailingApp } from './testing/mailing-app.ts'
import type { Transport } from './transport.ts'

const FROM = 'no-reply@frostline.example'
const HOUR = 3_600_000

async function appWith(options: Parameters<typeof openMailingApp>[0]) {
  const app = await openMailingApp(options)
  onTestFinished(app.close)
  return app
}

async function appAndMailServer(options: MailServerOptions = {}) {
  const server = await openMailServer(options)
  onTestFinished(server.close)
  const pauses = heldPauses()
  const app = await appWith({ pauses, transport: smtpTransport({ url: server.url, from: FROM }) })
  return { server, pauses, app }
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
  const { server, app } = await appAndMailServer()
  const append = vi.spyOn(app.store.log, 'append')
  const { linkId } = await app.issue('u1', 'activation')
  const { linkId: second } = await app.issue('u2', 'password')

  const received = await server.received()
  expect(received.map(({ to, messageId }) => [to?.[0]?.address, messageId])).toEqual([
    ['ayesha@indus.example', `<${linkId}@frostline.example>`],
    ['danish@indus.example', `<${second}@frostline.example>`],
  ])
  expect(received[0]?.text).toContain(`/user/activate/${app.links.tokenOf(linkId)}`)
  expect(received[1]?.text).toContain(app.links.codeOf(second))
  expect(app.facts('mail.sent').map(({ companyId, data }) => [companyId, data])).toEqual([
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
  expect(app.mailer.stats()).toEqual({ sent: 2, failed: 0, waiting: 0 })
  // known for a while by the time of the link
  const [issued] = app.store.log.readFacts(0, { types: ['link.issued'] })
  const idempotencyKey = ownKey(issued?.recordedAt ?? 0, `mail-${issued?.seq}`)
  expect(append).toHaveBeenCalledWith('mail', expect.anything(), { idempotencyKey })

  await app.restart()
  expect(await server.received()).toHaveLength(2)
})

test('an address that was taken once and would be read as another is written to no more, and that is told', async () => {
  const { server, app } = await appAndMailServer()
  await app.append({
    ...{ type: 'user.created', at: 0, companyId: 'indus' },
    data: {
      ...{ userId: 'u9', companyId: 'indus', groupId: 'indus', firstName: 'N', lastName: '', userName: 'n' },
      ...{ email: 'somebody@gmail.com>', phone: '', type: 'user', role: 'user' },
    },
  })
  await app.issue('u9', 'activation')
  expect(await server.received()).toEqual([])
  expect(app.facts('mail.failed').map(({ data }) => data)).toMatchObject([
    { to: 'somebody@gmail.com>', reason: 'no address that letters are sent to' },
  ])
})

test('a name as long as names may be holds up nobody, and is told once', async () => {
  const { server, app } = await appAndMailServer()
  const imei = '350000000000002'
  const name = 'N'.repeat(200)
  await app.append(
    { type: 'user.password-set', at: 0, companyId: 'indus', data: { userId: 'u1', hash: '$argon2id$' } },
    { type: 'device.updated', at: 0, companyId: 'indus', data: { imei, name } },
    { ...opened(2), at: app.clock.now() },
  )
  await app.append({
    type: 'alert.raised',
    at: app.clock.now(),
    companyId: 'indus',
    data: {
      alertId: 'a-1',
      userId: 'u1',
      channel: 'email',
      about: [app.store.log.head()],
      quietSeconds: 600,
    },
  })
  const { linkId } = await app.issue('u2', 'password')

  const received = await server.received()
  expect(received.map(({ messageId }) => messageId)).toEqual([
    '<a-1@frostline.example>',
    `<${linkId}@frostline.example>`,
  ])
  expect(received[0]?.subject).toBe(`High temperature: ${'N'.repeat(181)}…`)
  expect(received[0]?.text).toContain(`Device: ${name}`)
  expect(app.facts('mail.sent').map(({ data }) => data)).toMatchObject([
    { letterId: 'a-1', subject: received[0]?.subject },
    { letterId: linkId },
  ])
  await app.restart()
  expect(await server.received()).toHaveLength(2)
  expect(app.warnings).toEqual([])
})

test('what the log refuses to say of a letter stops no other, and the letter is not sent again', async () => {
  const { tried, transport } = saying()
  const app = await appWith({
    transport,
    log: (log) => ({
      ...log,
      append: (stream, facts, options) =>
        log.append(
          stream,
          facts.map((fact) =>
            fact.type === 'mail.sent' && fact.data.to.startsWith('ayesha')
              ? { ...fact, data: { ...fact.data, subject: '' } }
              : fact,
          ),
          options,
        ),
    }),
  })
  const [first, second] = [app.issued('u1', 'activation'), app.issued('u2', 'activation')]
  await app.append(first, second)
  await app.restart()
  expect(tried).toEqual([first.data.linkId, second.data.linkId])
  expect(app.facts('mail.sent').map(({ data }) => data)).toMatchObject([{ letterId: second.data.linkId }])
  expect(app.warnings).toEqual([
    expect.stringMatching(/^what became of the letter of fact \d+ is not recorded: ContractError/),
  ])
})

test('one that cannot be written stops no other; the next start tries again', async () => {
  const { tried, transport } = saying()
  const app = await appWith({ transport })
  const { tokenOf } = app.links
  app.links.tokenOf = (linkId) => {
    if (linkId === first.data.linkId) throw new RangeError('no such time')
    return tokenOf(linkId)
  }
  const [first, second] = [app.issued('u1', 'activation'), app.issued('u2', 'activation')]
  await app.append(first, second)
  await app.mailer.settled()
  expect(tried).toEqual([second.data.linkId])
  expect(app.mailer.stats()).toEqual({ sent: 1, failed: 0, waiting: 1 })
  expect(app.warnings).toEqual([
    expect.stringMatching(
      /^the letter of fact \d+ \(link\.issued\) is not sent until the next start: RangeError: no such time/,
    ),
  ])
  app.links.tokenOf = tokenOf
  await app.restart()
  expect(tried).toEqual([second.data.linkId, first.data.linkId])
})

test('where it is is saved each minute, past what has left, though one that cannot be written waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await appWith({})
  const { tokenOf } = app.links
  const [first, second] = [app.issued('u1', 'activation'), app.issued('u2', 'activation')]
  app.links.tokenOf = (linkId) => {
    if (linkId === first.data.linkId) throw new RangeError('no such time')
    return tokenOf(linkId)
  }
  await app.append(first, second)
  await app.mailer.settled()
  const [passedOver] = app.store.log.readFacts(0, { types: ['link.issued'], limit: 1 })
  await app.readModels.settled(app.store.log.head())
  vi.advanceTimersByTime(60_000)
  expect(deserialize(app.store.checkpoints.load('mail')?.bytes as Uint8Array)).toMatchObject({
    settled: app.store.log.head(),
    passedOver: [passedOver?.seq],
  })
})

test('while the server is down letters wait, longer each time, and leave when it is back', async () => {
  const port = await freePort()
  const pauses = heldPauses()
  const transport = smtpTransport({ url: `smtp://127.0.0.1:${port}`, from: FROM })
  const app = await appWith({ pauses, transport })
  await app.issue('u1', 'password')
  await app.issue('u2', 'password')

  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    waits.push(pauses.nextIn())
    await pauses.pass(pauses.nextIn())
    await app.mailer.settled()
  }
  expect(waits.map((ms) => ms / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  expect(app.mailer.stats()).toEqual({ sent: 0, failed: 0, waiting: 2 })

  const server = await openMailServer({ port })
  onTestFinished(server.close)
  await pauses.pass(pauses.nextIn())
  await app.mailer.settled()
  expect((await server.received()).map(({ to }) => to?.[0]?.address)).toEqual([
    'ayesha@indus.example',
    'danish@indus.example',
  ])
  expect(app.mailer.stats()).toEqual({ sent: 2, failed: 0, waiting: 0 })
  expect(app.warnings).toEqual([
    expect.stringContaining('takes no letters, they wait: '),
    'the mail server takes letters again',
  ])
})

test('a letter at which the mail server hangs up each time holds up no other, and is given up in the end', async () => {
  const pauses = heldPauses()
  const tried: string[] = []
  const transport: Transport = {
    via: 'smtp',
    async deliver({ to }) {
      tried.push(to.address.split('@')[0] as string)
      return to.address.startsWith('ayesha') ? { is: 'closed', reason: 'it hung up' } : { is: 'sent' }
    },
  }
  const app = await appWith({ pauses, transport })
  await app.issue('u1', 'activation')
  await app.issue('u2', 'activation')
  expect(tried).toEqual(['ayesha'])
  await pauses.pass(5_000)
  await app.mailer.settled()
  expect(tried).toEqual(['ayesha', 'danish', 'ayesha'])
  await app.issue('u4', 'activation')
  expect(tried).toEqual(['ayesha', 'danish', 'ayesha', 'noor'])
  expect(app.mailer.stats()).toEqual({ sent: 2, failed: 0, waiting: 1 })

  while (app.mailer.stats().waiting > 0) {
    await pauses.pass(pauses.nextIn())
    await app.mailer.settled()
  }
  expect(app.facts('mail.failed')[0]?.data).toMatchObject({ reason: 'it hung up' })
  expect(app.warnings).toEqual([
    'the mail server takes no letters, they wait: it hung up',
    'the mail server takes letters again',
    expect.stringMatching(/^letter .* is given up: it hung up$/),
  ])
})

test('one that is greylisted comes back later and holds up nobody', async () => {
  const isKnown = new Set<string>()
  const { server, pauses, app } = await appAndMailServer({
    recipient(address) {
      if (isKnown.has(address) || !address.startsWith('ayesha')) return undefined
      isKnown.add(address)
      return '451 Greylisted, come back'
    },
  })
  await app.issue('u1', 'password')
  await app.issue('u2', 'password')
  expect((await server.received()).map(({ to }) => to?.[0]?.address)).toEqual(['danish@indus.example'])

  await pauses.pass(pauses.nextIn() - 1)
  await app.mailer.settled()
  expect(await server.received()).toHaveLength(1)
  await pauses.pass(1)
  await app.mailer.settled()
  expect((await server.received())[1]?.to?.[0]?.address).toBe('ayesha@indus.example')
  expect(app.warnings).toEqual([])
})

test('what is refused for good is told with the reason, and not tried again', async () => {
  const requests: string[] = []
  const { app } = await appAndMailServer({
    recipient(address) {
      requests.push(address)
      return '550 No such user here'
    },
  })
  const { linkId } = await app.issue('u1', 'activation')
  await app.restart()
  expect(requests).toEqual(['ayesha@indus.example'])
  expect(app.facts('mail.sent')).toEqual([])
  expect(app.facts('mail.failed').map(({ data }) => data)).toEqual([
    expect.objectContaining({ letterId: linkId, reason: expect.stringContaining('No such user here') }),
  ])
})

test('a letter that is never taken is given up in the end', async () => {
  const pauses = heldPauses()
  const { tried, transport } = saying(...Array<Outcome['is']>(200).fill('later'))
  const app = await appWith({ pauses, transport })
  await app.issue('u1', 'activation')
  while (app.mailer.stats().waiting > 0) {
    await pauses.pass(pauses.nextIn())
    await app.mailer.settled()
  }
  expect(tried).toHaveLength(100)
  expect(pauses.uptime()).toBeGreaterThan(40 * HOUR)
  expect(app.facts('mail.failed')[0]?.data).toMatchObject({ reason: 'later it is' })
})

describe('what is of no use any more is not sent', () => {
  test('after an outage longer than the link is good for', async () => {
    const { tried, transport } = saying('closed')
    const app = await appWith({ transport })
    const { linkId } = await app.issue('u1', 'password')
    app.clock.at += HOUR
    await app.restart()
    expect(tried).toEqual([linkId])
    expect(app.facts('mail.failed')[0]?.data).toMatchObject({
      letterId: linkId,
      reason: expect.stringContaining('too late'),
    })
  })

  test.each(['link.used', 'link.expired'] as const)('after %s', async (type) => {
    const { tried, transport } = saying('closed')
    const pauses = heldPauses()
    const app = await appWith({ transport, pauses })
    const { linkId } = await app.issue('u1', 'password')
    await app.append({ type, at: 0, companyId: 'indus', data: { linkId, userId: 'u1' } })
    await pauses.pass(5_000)
    await app.mailer.settled()
    expect(tried).toEqual([linkId])
    expect(app.mailer.stats()).toEqual({ sent: 0, failed: 0, waiting: 0 })
  })

  test('to somebody who is gone', async () => {
    const { transport, tried } = saying('closed')
    const app = await appWith({ transport })
    await app.issue('u1', 'password')
    await app.append({ type: 'user.deleted', at: 0, companyId: 'indus', data: { userId: 'u1' } })
    await app.restart()
    expect(tried).toHaveLength(1)
  })
})

test('10,000 letters of before the start stay where they are; the one that did not leave does', async () => {
  const { tried, transport } = saying()
  const { transport: nowhere } = saying('closed')
  const app = await appWith({ transport: nowhere })
  const { linkId } = await app.issue('u2', 'activation')
  const head = app.store.log.head()
  const old = Array.from({ length: 10_000 }, () => app.issued('u1', 'activation'))
  const mailed = old.map(
    ({ at, data }, i): NewFact => ({
      type: 'mail.sent',
      at,
      companyId: 'indus',
      data: sent(data.linkId, head + 1 + i),
    }),
  )
  await app.mailer.stop()
  await app.append(...old, ...mailed)
  await app.restart(transport)
  expect(tried).toEqual([linkId])
  await app.restart(transport)
  expect(tried).toEqual([linkId])
})

test('while the store cannot write, a letter that left is not sent again', async () => {
  let isFull = true
  const pauses = heldPauses()
  const { tried, transport } = saying()
  const app = await appWith({
    pauses,
    transport,
    log: (log) => ({
      ...log,
      append: (...args) => (isFull ? Promise.reject(new StoreUnavailable('full')) : log.append(...args)),
    }),
  })
  await app.append(app.issued('u1', 'activation'))
  for (let second = 0; second < 5; second++) await pauses.pass(1_000)
  expect(app.facts('mail.sent')).toEqual([])
  isFull = false
  await pauses.pass(1_000)
  await app.mailer.settled()
  expect(tried).toHaveLength(1)
  expect(app.facts('mail.sent')).toHaveLength(1)
})

test('what comes while the server stops is sent after the next start', async () => {
  let answer = () => {}
  const requested = new Promise<void>((resolve) => {
    answer = resolve
  })
  let isRequested = () => {}
  const trying = new Promise<void>((resolve) => {
    isRequested = resolve
  })
  const slow: Transport = {
    via: 'smtp',
    async deliver() {
      isRequested()
      await requested
      return { is: 'sent' }
    },
  }
  const { tried, transport } = saying()
  const app = await appWith({ transport: slow })
  await app.append(app.issued('u1', 'activation'))
  await trying
  const stopped = app.mailer.stop()
  const last = app.issued('u2', 'activation')
  await app.append(last)
  answer()
  await stopped
  await app.restart(transport)
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
