import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMailingApp, PUBLIC_URL } from './testing/mailing-app.ts'

test('without a mail server letters are kept: newest first, of one addressee in any case', async () => {
  const app = await openMailingApp()
  onTestFinished(app.close)
  const first = await app.issue('u1', 'activation')
  app.clock.at += 60_000
  await app.issue('u2', 'password')
  app.clock.at += 60_000
  await app.issue('u1', 'password')

  const all = await app.mailer.outbox()
  expect(all.map(({ to, subject, at }) => [to, subject, at - first.expiresAt])).toEqual([
    ['ayesha@indus.example', 'Set a new Frostline password', 120_000 - 86_400_000],
    ['danish@indus.example', 'Set a new Frostline password', 60_000 - 86_400_000],
    ['ayesha@indus.example', 'Activate your Frostline account', -86_400_000],
  ])
  expect(await app.mailer.outbox(' AYESHA@Indus.example ')).toEqual([all[0], all[2]])
  expect(await app.mailer.outbox('nobody@indus.example')).toEqual([])
  expect(all[2]?.links).toEqual([`${PUBLIC_URL}/user/activate/${app.links.tokenOf(first.linkId)}`])
})

test('a link that was used can still be read there', async () => {
  const app = await openMailingApp()
  onTestFinished(app.close)
  const { linkId } = await app.issue('u1', 'password')
  await app.append({ type: 'link.used', at: 0, companyId: 'indus', data: { linkId, userId: 'u1' } })
  expect(await app.mailer.outbox()).toHaveLength(1)
})

test('who asks finds the letter of what was done before', async () => {
  const app = await openMailingApp()
  onTestFinished(app.close)
  for (let i = 0; i < 20; i++) {
    await app.append(app.issued('u1', 'password'))
    expect(await app.mailer.outbox()).toHaveLength(i + 1)
  }
})

test('it outlives the server, and no link of it lies in the store', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-outbox-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const app = await openMailingApp({ dir })
  const { linkId } = await app.issue('u1', 'activation')
  const { linkId: second } = await app.issue('u2', 'password')
  const before = await app.mailer.outbox()
  expect(before).toHaveLength(2)
  const bytesWhile = await bytesOf(dir)
  await app.close()

  for (const bytes of [bytesWhile, await bytesOf(dir)]) {
    expect(bytes.includes(linkId)).toBe(true)
    for (const secret of [app.links.tokenOf(linkId), app.links.tokenOf(second)])
      expect(bytes.includes(secret)).toBe(false)
  }
  const again = await openMailingApp({ dir })
  onTestFinished(again.close)
  expect(await again.mailer.outbox()).toEqual(before)
})

async function bytesOf(dir: string): Promise<Buffer> {
  const names = await readdir(dir)
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dir, name)))))
}
