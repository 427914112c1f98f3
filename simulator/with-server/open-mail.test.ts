import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { userByLogin } from '#machines/projections/directory.ts'
import { openMailServer } from '../../server/jobs/notifier/mail/testing/mail-server.ts'
import { startDemo } from '../testing/start-demo.ts'

const OPERATOR = 'operator@indus.example'
const HEAD = /^The record on /

async function openServer(env: Record<string, string> = {}) {
  const opened = await startDemo(env)
  onTestFinished(() => opened.server.close())
  return {
    ...opened,
    /** somebody asked for a new password for the operator */
    async issueLink() {
      const { access, store, readModels } = opened.server.app.core
      const user = userByLogin(readModels.directory, OPERATOR)
      const data = { ...access.emailLinks.make('password'), userId: user?._id ?? '' }
      const fact: NewFact = { type: 'link.issued', at: 0, companyId: user?.companyId ?? null, data }
      await store.log.append(`user-${data.userId}`, [fact])
      return access.emailLinks.tokenOf(data.linkId)
    },
    /** mails of the outbox, but for the daily head, which comes when it will */
    async outbox(to = ''): Promise<{ subject: string; links: string[] }[]> {
      const mails = await opened.sim.ask('GET', `/outbox${to && `?to=${to}`}`)
      return mails.filter(({ subject }: { subject: string }) => !HEAD.test(subject))
    },
    figures: async () => (await fetch(`${opened.server.address}/metrics`)).text(),
  }
}

test('in the server that one starts, letters are in the outbox, with links to where it listens', async () => {
  const { server, sim, issueLink, outbox, figures } = await openServer()
  const token = await issueLink()
  const [mail, ...others] = await outbox('Operator@Indus.EXAMPLE')
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: OPERATOR, subject: 'Set a new Frostline password' })
  expect(mail?.links[0]).toMatch(new RegExp(`^${server.address}/set-password/[\\w-]+/${token}$`))
  expect(await outbox('lahore@indus.example')).toEqual([])
  expect(await figures()).toMatch(/^mails_total\{state="sent"\} [1-9]\d*$/m)

  await sim.reset()
  expect(await outbox()).toEqual([])
})

test('with a mail server they are sent, with links to where the portal is reached', async () => {
  const server = await openMailServer({ user: 'frost', password: 'line' })
  onTestFinished(server.close)
  const { sim, issueLink } = await openServer({
    SMTP_URL: server.url,
    MAIL_FROM: 'Cold Desk <desk@indus.example>',
    PUBLIC_URL: 'https://cold.indus.example/',
  })
  const token = await issueLink()
  expect(await sim.ask('GET', '/outbox')).toEqual([])
  const received = await server.received()
  const [email, ...others] = received.filter(({ subject }) => !HEAD.test(subject ?? ''))
  expect(others).toEqual([])
  expect(email).toMatchObject({
    from: { name: 'Cold Desk', address: 'desk@indus.example' },
    to: [{ address: OPERATOR }],
  })
  expect(email?.text).toMatch(new RegExp(`https://cold\\.indus\\.example/set-password/[\\w-]+/${token}\n`))
})

test('a closed mail server keeps nobody from using the server, or from ending it', async () => {
  const { server, issueLink, figures } = await openServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  await issueLink()
  expect(await figures()).toMatch(/^mails_waiting [1-9]\d*$/m)
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200)
})

test.each([
  [{ SIMULATOR: 'off' }, 'SMTP_URL is not set'],
  [{ SMTP_URL: 'smtp://127.0.0.1:1', HOST: '0.0.0.0' }, 'links in mails start with http://localhost:'],
] as const)('with %j the start says: %s', async (env, message) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { server } = await startDemo(env, { level: 'warn', stream })
  await server.close()
  expect(lines.join('')).toContain(message)
})
