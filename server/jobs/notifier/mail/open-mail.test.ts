import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { userByLogin } from '#machines/projections/directory.ts'
import { openSmallHouse } from '../../../../simulator/testing/open-demo.ts'
import { openMailServer } from './testing/mail-server.ts'

const OPERATOR = 'operator@indus.example'

async function openHouse(env: Record<string, string> = {}) {
  const opened = await openSmallHouse(env)
  onTestFinished(() => opened.house.close())
  return {
    ...opened,
    /** somebody asked for a new password for the operator */
    async issueLink() {
      const { access, store, readModels } = opened.house.app.backbone
      const user = userByLogin(readModels.directory, OPERATOR)
      const data = { ...access.links.make('password'), userId: user?._id ?? '' }
      const fact: NewFact = { type: 'link.issued', at: 0, companyId: user?.companyId ?? null, data }
      await store.log.append(`user-${data.userId}`, [fact])
      return access.links.tokenOf(data.linkId)
    },
    figures: async () => (await fetch(`${opened.house.address}/metrics`)).text(),
  }
}

test('in the server that one starts, letters are in the outbox, with links to where it listens', async () => {
  const { house, sim, issueLink, figures } = await openHouse()
  const token = await issueLink()
  const [mail, ...others] = await sim.ask('GET', '/outbox?to=Operator@Indus.EXAMPLE')
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: OPERATOR, subject: 'Set a new Frostline password' })
  expect(mail.links[0]).toMatch(new RegExp(`^${house.address}/set-password/[\\w-]+/${token}$`))
  expect(await sim.ask('GET', '/outbox?to=lahore@indus.example')).toEqual([])
  expect(await figures()).toMatch(/^mails_total\{state="sent"\} 1$/m)

  await sim.reset()
  expect(await sim.ask('GET', '/outbox')).toEqual([])
})

test('with a mail server they are sent, with links to where the portal is reached', async () => {
  const server = await openMailServer({ user: 'frost', password: 'line' })
  onTestFinished(server.close)
  const { sim, issueLink } = await openHouse({
    SMTP_URL: server.url,
    MAIL_FROM: 'Cold Desk <desk@indus.example>',
    PUBLIC_URL: 'https://cold.indus.example/',
  })
  const token = await issueLink()
  expect(await sim.ask('GET', '/outbox')).toEqual([])
  const [email, ...others] = await server.received()
  expect(others).toEqual([])
  expect(email).toMatchObject({
    from: { name: 'Cold Desk', address: 'desk@indus.example' },
    to: [{ address: OPERATOR }],
  })
  expect(email?.text).toMatch(new RegExp(`https://cold\\.indus\\.example/set-password/[\\w-]+/${token}\n`))
})

test('a closed mail server keeps nobody from using the server, or from ending it', async () => {
  const { house, issueLink, figures } = await openHouse({ SMTP_URL: 'smtp://127.0.0.1:1' })
  await issueLink()
  expect(await figures()).toMatch(/^mails_waiting 1$/m)
  expect((await fetch(`${house.address}/readyz`)).status).toBe(200)
})

test.each([
  [{ SIMULATOR: 'off' }, 'SMTP_URL is not set'],
  [{ SMTP_URL: 'smtp://127.0.0.1:1', HOST: '0.0.0.0' }, 'links in mails start with http://localhost:'],
] as const)('with %j the start says: %s', async (env, said) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { house } = await openSmallHouse(env, { level: 'warn', stream })
  await house.close()
  expect(lines.join('')).toContain(said)
})
