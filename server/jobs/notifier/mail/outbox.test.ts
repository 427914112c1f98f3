import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMailingApp, PUBLIC_URL } from './testing/mailing-app.ts'

test('without a mail server letters are kept: newest first, of one addressee in any case', async () => {
  const house = await openMailingApp()
  onTestFinished(house.close)
  const first = await house.issue('u1', 'activation')
  house.clock.at += 60_000
  await house.issue('u2', 'password')
  house.clock.at += 60_000
  await house.issue('u1', 'password')

  const all = await house.mailer.outbox()
  expect(all.map(({ to, subject, at }) => [to, subject, at - first.expiresAt])).toEqual([
    ['ayesha@indus.example', 'Set a new Frostline password', 120_000 - 86_400_000],
    ['danish@indus.example', 'Set a new Frostline password', 60_000 - 86_400_000],
    ['ayesha@indus.example', 'Activate your Frostline account', -86_400_000],
  ])
  expect(await house.mailer.outbox(' AYESHA@Indus.example ')).toEqual([all[0], all[2]])
  expect(await house.mailer.outbox('nobody@indus.example')).toEqual([])
  expect(all[2]?.links).toEqual([`${PUBLIC_URL}/user/activate/${house.links.tokenOf(first.linkId)}`])
})

test('a link that was used can still be read there', async () => {
  const house = await openMailingApp()
  onTestFinished(house.close)
  const { linkId } = await house.issue('u1', 'password')
  await house.append({ type: 'link.used', at: 0, companyId: 'indus', data: { linkId, userId: 'u1' } })
  expect(await house.mailer.outbox()).toHaveLength(1)
})

test('who asks finds the letter of what was done before', async () => {
  const house = await openMailingApp()
  onTestFinished(house.close)
  for (let i = 0; i < 20; i++) {
    await house.append(house.issued('u1', 'password'))
    expect(await house.mailer.outbox()).toHaveLength(i + 1)
  }
})

test('it outlives the server, and no link of it lies in the store', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-outbox-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const house = await openMailingApp({ dir })
  const { linkId } = await house.issue('u1', 'activation')
  const { linkId: second } = await house.issue('u2', 'password')
  const before = await house.mailer.outbox()
  expect(before).toHaveLength(2)
  const bytesWhile = await bytesOf(dir)
  await house.close()

  for (const bytes of [bytesWhile, await bytesOf(dir)]) {
    expect(bytes.includes(linkId)).toBe(true)
    for (const secret of [house.links.tokenOf(linkId), house.links.tokenOf(second)])
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
