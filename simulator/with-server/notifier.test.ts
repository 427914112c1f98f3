import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Infer, type as open, string } from 'superstruct'
import { expect, onTestFinished, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { type Device, deviceByImei, isWithin, userByLogin } from '#machines/projections/directory.ts'
import { facts } from '../../server/jobs/notifier/alerts/testing/alerting-app.ts'
import { openMailServer } from '../../server/jobs/notifier/mail/testing/mail-server.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { startServerProcess } from '../../server/testing/server-process.ts'
import { startDemo } from '../testing/start-demo.ts'

const MINUTE = 60_000
const OPERATOR = 'operator@indus.example'
const HEAD = /^The record on /
const OFF = {
  LOW_TEMPERATURE_DETECTED: false,
  LOW_HUMIDITY_DETECTED: false,
  HIGH_TEMPERATURE_DETECTED: false,
  HIGH_HUMIDITY_DETECTED: false,
}

async function openServer(env: Record<string, string>) {
  const opened = await startDemo(env)
  onTestFinished(() => opened.server.close())
  const { sim, server } = opened
  const { directory } = server.app.core.readModels
  return {
    ...opened,
    directory,
    /** mails to somebody, but for the daily head, which comes when it will */
    async outbox(to: string): Promise<{ subject: string }[]> {
      const mails = await sim.ask('GET', `/outbox?to=${to}`)
      return mails.filter(({ subject }: { subject: string }) => !HEAD.test(subject))
    },
    async advance(minutes: number) {
      await sim.advanceTo((await sim.status()).now + minutes * MINUTE)
    },
    /** what somebody was told, by a channel, from the record */
    messagesTo(login: string, channel: 'email' | 'sms') {
      const { store } = server.app.core
      const { _id, groupId } = userByLogin(directory, login) ?? { _id: '', groupId: '' }
      const alerts = facts(store.log, 'alert.raised').filter(
        ({ data }) => data.userId === _id && data.channel === channel,
      )
      const until = alerts.at(-1)?.seq ?? 0
      const inScope = facts(store.log, 'violation.opened').filter(
        ({ seq, data }) =>
          seq < until && isWithin(directory, deviceByImei(directory, data.imei)?.groupId ?? null, groupId),
      )
      return { about: alerts.flatMap(({ data }) => data.about), inScope: inScope.map(({ seq }) => seq) }
    },
  }
}

test('a storm is two or three letters to each who sees it, and nothing to others', async () => {
  const { server, sim, ask, signIn, advance, messagesTo, outbox, directory } = await openServer({
    DEVICES: '200',
  })
  const { store } = server.app.core
  const before = facts(store.log, 'violation.opened').at(-1)?.seq ?? 0
  const token = await signIn('lahore@indus.example')
  const lahore = userByLogin(directory, 'lahore@indus.example')?._id ?? ''
  await ask('updateSmsEmailSetting', {
    params: { id: lahore },
    body: { sms: OFF, email: { ...OFF, HIGH_TEMPERATURE_DETECTED: true } },
    token,
  })
  const warm = directory.devices.filter(
    ({ source, companyId }) => source === 'world' && companyId === 'indus',
  )
  await Promise.all(warm.map(({ imei }) => sim.inject(imei, 'compressor-off', 3 * 3600)))
  // at once, after ten minutes, after twenty more; the next would be after forty
  await advance(60)

  const { about, inScope } = messagesTo(OPERATOR, 'email')
  expect(about.length).toBeGreaterThan(100)
  expect(about.toSorted((a, b) => a - b)).toEqual(inScope.filter((seq) => seq > before))
  expect(messagesTo(OPERATOR, 'sms').about).toEqual(about)

  const letters = await outbox(OPERATOR)
  expect([2, 3]).toContain(letters.length)
  const counted = letters.map(({ subject }) => Number(/^(\d+) violations/.exec(subject)?.[1] ?? 1))
  expect(counted.reduce((sum: number, count: number) => sum + count, 0)).toBe(about.length)
  const texts = await sim.ask('GET', '/outbox?to=+923005550129')
  expect(texts.map(({ channel }: { channel: string }) => channel)).toEqual(letters.map(() => 'sms'))

  const ofLahore = await outbox('lahore@indus.example')
  expect(ofLahore.length).toBeGreaterThan(0)
  const { about: theirs, inScope: seen } = messagesTo('lahore@indus.example', 'email')
  expect(new Set(theirs).isSubsetOf(new Set(seen))).toBe(true)
  expect(await sim.ask('GET', '/outbox?to=+923005550127')).toEqual([])
  for (const nobody of ['new@indus.example', 'operator@thar.example', 'admin@frostline.example'])
    expect(await outbox(nobody)).toEqual([])
  const figures = await (await fetch(`${server.address}/metrics`)).text()
  expect(figures).toMatch(/^alerts_total\{channel="email"\} [1-9]/m)
  expect(figures).toMatch(/^sms_total\{state="sent"\} [1-9]/m)
})

test('with a mail server and a gateway, a violation leaves by both', async () => {
  const server = await openMailServer()
  onTestFinished(server.close)
  const gateway = await openGateway()
  const { sim, advance, directory } = await openServer({
    SMTP_URL: server.url,
    SMS_URL: gateway.url,
    PUBLIC_URL: 'https://cold.indus.example',
  })
  const { imei, name } = directory.devices.find((device) => device.name.startsWith('LHR-FRZ')) as Device
  await sim.inject(imei, 'compressor-off', 3 * 3600)
  await advance(90)
  // asked once all that can leave has left
  expect(await sim.ask('GET', '/outbox')).toEqual([])

  const letters = (await server.received()).filter(
    ({ to, subject }) => to?.[0]?.address === OPERATOR && !HEAD.test(subject ?? ''),
  )
  expect(letters.map(({ text }) => text ?? '').join()).toContain(name)
  expect(letters[0]?.text).toContain('https://cold.indus.example/notifications?date=')
  const texts = gateway.taken.filter(({ to }) => to === '+923005550129')
  expect(texts.length).toBe(letters.length)
  expect(texts.map(({ text }) => text).join()).toContain(name)
})

test('killed while a digest is gathered, the server tells each violation once', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-alerts-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const first = await standingServer(dir)
  const token = await first.signIn(OPERATOR)
  const { data } = await first.ask('observationsLatest', { params: { groupId: 'indus' }, token })
  // others are trackers, which the world does not play
  const played = data.filter(({ temperature }) => temperature !== null).slice(0, 12)
  await Promise.all(played.map(({ imei }) => first.sim.inject(imei, 'compressor-off', 3 * 3600)))
  for (let waiting = 0; waiting === 0; ) {
    await first.sim.advanceTo((await first.sim.status()).now + 5 * MINUTE)
    const { text } = await first.send('GET', '/metrics')
    waiting = Number(/^alerts_waiting_violations (\d+)$/m.exec(text)?.[1])
  }
  await first.kill()

  const second = await standingServer(dir)
  await second.sim.advanceTo((await second.sim.status()).now + 60 * MINUTE)
  await second.sim.ask('GET', '/outbox')
  await second.kill()

  const store = openSqliteStore({ dir, clock: { now: () => 0 } })
  const alerts = facts(store.log, 'alert.raised').filter(
    ({ data: { userId } }) => userId === 'user-operator-indus',
  )
  const letters = alerts.filter(({ data: { channel } }) => channel === 'email')
  const about = letters.flatMap((alert) => alert.data.about)
  const between = facts(store.log, 'violation.opened').filter(
    ({ companyId, seq }) => companyId === 'indus' && seq >= (about[0] ?? 0) && seq <= (about.at(-1) ?? 0),
  )
  await store.close()
  expect(letters.length).toBeGreaterThan(1)
  expect(about).toEqual(between.map(({ seq }) => seq))
})

/** The server as a process, its clock stands. */
async function standingServer(dir: string) {
  const { process: child, address, ended } = await startServerProcess({ DATA_DIR: dir })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const caller = callerOf(address)
  await caller.sim.pause()
  return { ...caller, kill }
}

const Taken = open({ to: string(), text: string(), id: string() })

/** A gateway on this machine that takes whatever is posted to it. */
async function openGateway() {
  const taken: Infer<typeof Taken>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    taken.push(decodeJson(Buffer.concat(chunks).toString(), Taken))
    response.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
