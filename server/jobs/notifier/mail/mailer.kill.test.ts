import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../../tools/build/running-app.ts'
import { openMailServer } from './testing/mail-server.ts'

const SCRIPT = join(import.meta.dirname, 'testing/mailing-process.ts')

/** A process that mails, and how to end it as a power cut would. */
function mailing(dir: string, port: number, links: number) {
  const child = spawn(process.execPath, [SCRIPT, dir, `smtp://127.0.0.1:${port}`, String(links)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    /** what it did, once all that can leave has left */
    async stats() {
      for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
      throw new Error('the process ended before it had mailed')
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-mail-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('what was issued and not sent before a kill is sent after it, once', async () => {
  const dir = await folder()
  const port = await freePort()
  const first = mailing(dir, port, 5)
  expect(await first.stats()).toEqual({ sent: 0, failed: 0, waiting: 5 })
  await first.kill()

  const server = await openMailServer({ port })
  onTestFinished(server.close)
  const second = mailing(dir, port, 0)
  expect(await second.stats()).toEqual({ sent: 5, failed: 0, waiting: 0 })
  await second.kill()

  const third = mailing(dir, port, 0)
  expect(await third.stats()).toEqual({ sent: 0, failed: 0, waiting: 0 })
  await third.kill()
  const ids = (await server.received()).map(({ messageId }) => messageId)
  expect([ids.length, new Set(ids).size]).toEqual([5, 5])
})

test('killed amid its letters, it loses none, and at most the one on its way leaves again', async () => {
  const dir = await folder()
  let letters = 0
  let isThird = () => {}
  const third = new Promise<void>((resolve) => {
    isThird = resolve
  })
  const server = await openMailServer({
    content() {
      if (++letters === 3) isThird()
      return undefined
    },
  })
  onTestFinished(server.close)
  const first = mailing(dir, server.port, 8)
  await third
  await first.kill()
  const second = mailing(dir, server.port, 0)
  expect(await second.stats()).toMatchObject({ failed: 0, waiting: 0 })
  await second.kill()

  const ids = (await server.received()).map(({ messageId }) => messageId)
  expect(new Set(ids).size).toBe(8)
  expect(ids.length).toBeLessThanOrEqual(9)
})
