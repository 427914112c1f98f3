import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../tools/build/running-app.ts'
import type { Letter } from './letter.ts'
import { smtpTransport } from './smtp.ts'
import { type MailServerOptions, openMailServer } from './testing/mail-server.ts'

const FROM = 'Frostline <no-reply@frostline.example>'
const TOKEN = 'xU2nJb8Zk1yWq0pR5sT7vL9mC3dF6gH4jK2lN8bV0cQ'
const LETTER: Letter = {
  id: 'l-3f2a',
  kind: 'activation',
  to: { name: 'Ayşe Müller', address: 'ayse@indus.example' },
  subject: 'Activate your Frostline account – now',
  text: `Hello Ayşe,\n\nhttps://portal.example/user/activate/${TOKEN}\n`,
  html: `<!doctype html>\n<html lang="en"><body><p>Hello Ayşe,</p><a href="https://portal.example/user/activate/${TOKEN}">Activate</a></body></html>\n`,
  links: [`https://portal.example/user/activate/${TOKEN}`],
  goodUntil: 1,
  isWithdrawn: false,
}
const never = new AbortController().signal

async function serverThat(options: MailServerOptions = {}) {
  const server = await openMailServer(options)
  onTestFinished(server.close)
  return server
}
const delivered = (url: string, letter = LETTER, signal = never) =>
  smtpTransport({ url, from: FROM }).deliver(letter, signal)

test('a letter arrives as it was written', async () => {
  const server = await serverThat()
  expect(await delivered(server.url)).toEqual({ is: 'sent' })
  const [email] = await server.received()
  expect(email).toMatchObject({
    from: { name: 'Frostline', address: 'no-reply@frostline.example' },
    to: [{ name: 'Ayşe Müller', address: 'ayse@indus.example' }],
    subject: LETTER.subject,
    messageId: '<l-3f2a@frostline.example>',
    attachments: [],
  })
  expect(email?.text?.trim()).toBe(LETTER.text.trim())
  expect(email?.html?.trim()).toBe(LETTER.html.trim())
  expect(email?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
})

test('is ended by one click where it says how, and by nothing where it does not', async () => {
  const server = await serverThat()
  const unsubscribe = 'https://portal.example/mail/aW5kdXM.c2lnbmVk'
  await delivered(server.url, { ...LETTER, unsubscribe })
  await delivered(server.url)
  const headers = (await server.received()).map(({ headers }) =>
    headers.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value]),
  )
  expect(headers).toEqual([
    [
      ['list-unsubscribe', `<${unsubscribe}>`],
      ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'],
    ],
    [],
  ])
})

test('with what is attached to it', async () => {
  const server = await serverThat()
  const content = Uint8Array.from({ length: 300 }, (_, i) => i % 256)
  await delivered(server.url, {
    ...LETTER,
    attachments: [{ filename: 'report.pdf', contentType: 'application/pdf', content: async () => content }],
  })
  const attached = (await server.received())[0]?.attachments[0]
  expect(attached).toMatchObject({ filename: 'report.pdf', mimeType: 'application/pdf' })
  expect(new Uint8Array(attached?.content as ArrayBuffer)).toEqual(content)
})

test('user and password are those of the address', async () => {
  const server = await serverThat({ user: 'frost', password: 'line 24' })
  const url = `smtp://frost:line%2024@127.0.0.1:${server.port}`
  expect(await delivered(url)).toEqual({ is: 'sent' })
  expect(await server.received()).toHaveLength(1)

  const wrong = await delivered(`smtp://frost:hunter2@127.0.0.1:${server.port}`)
  expect(wrong).toEqual({ is: 'closed', reason: expect.stringContaining('That is not the password') })
  expect(JSON.stringify(wrong)).not.toContain('hunter2')
})

describe('TLS', () => {
  test('is used where it is offered', async () => {
    const server = await serverThat({ hasTls: true })
    expect(await delivered(`${server.url}?tls.rejectUnauthorized=false`)).toEqual({ is: 'sent' })
    expect(server.secured()).toBe(1)
  })

  test('is not believed where nobody vouches for it: no password and no letter goes out', async () => {
    const requests: string[] = []
    const server = await serverThat({
      hasTls: true,
      sender(address) {
        requests.push(address)
        return undefined
      },
    })
    expect(await delivered(server.url)).toMatchObject({ is: 'closed' })
    expect(requests).toEqual([])
  })

  test('can be insisted on', async () => {
    const server = await serverThat()
    expect(await delivered(`${server.url}?requireTLS=true`)).toMatchObject({ is: 'closed' })
    expect(await server.received()).toEqual([])
  })
})

describe('what a server says', () => {
  test.each<[string, MailServerOptions, string]>([
    ['of the recipient, for good', { recipient: () => '550 No such user here' }, 'refused'],
    ['of the recipient, for now', { recipient: () => '450 Greylisted, come back' }, 'later'],
    ['of itself, at the recipient', { recipient: () => '421 Shutting down' }, 'closed'],
    ['of itself, at the content', { content: () => '421 Shutting down' }, 'closed'],
    ['of the content, for good', { content: () => '554 Looks like spam' }, 'refused'],
    ['of the content, for now', { content: () => '452 Disk full' }, 'later'],
    ['of the sender, which no letter can help', { sender: () => '550 You may not send' }, 'closed'],
  ])('%s', async (_, options, is) => {
    const server = await serverThat(options)
    const outcome = await delivered(server.url)
    expect(outcome).toEqual({ is, reason: expect.stringMatching(/\S/) })
    expect(await server.received()).toEqual([])
  })

  test('does not carry a link or a code on', async () => {
    const server = await serverThat({ content: () => `554 Bad link https://portal.example/${TOKEN} 042137` })
    const outcome = await delivered(server.url)
    expect(outcome).toMatchObject({ is: 'refused', reason: expect.stringContaining('Bad link') })
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${TOKEN}|042137`))
  })
})

test('an address that is none is refused without asking', async () => {
  const server = await serverThat()
  const letter = { ...LETTER, to: { name: '', address: '' } }
  expect((await delivered(server.url, letter)).is).toBe('refused')
})

test('nobody there is no fault of the letter', async () => {
  expect(await delivered(`smtp://127.0.0.1:${await freePort()}`)).toEqual({
    is: 'closed',
    reason: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a server that says nothing can be left', async () => {
  const mute = createServer()
  mute.listen(0, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  const cutOff = new AbortController()
  mute.on('connection', () => cutOff.abort())
  const { port } = mute.address() as AddressInfo
  expect((await delivered(`smtp://127.0.0.1:${port}`, LETTER, cutOff.signal)).is).toBe('closed')
})
