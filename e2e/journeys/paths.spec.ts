import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { CALM, expect, test } from '../app.ts'

test.use({ world: CALM })
test.beforeAll(async ({ app }) => app.sim.pause())

test('npm run paths walks a path in a browser, on an app that runs, and tells what came of it', async ({
  app,
}) => {
  const args = [
    'tools/paths/run.ts',
    'forgot-password',
    '--to',
    'sent',
    '--run',
    '--url',
    app.url,
    '--format',
    'json',
  ]
  const walking = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([
    text(walking.stdout),
    text(walking.stderr),
    once(walking, 'exit'),
  ])
  expect(code, err).toBe(0)
  const [machine] = JSON.parse(out).machines
  expect(machine.runs).toEqual([
    expect.objectContaining({
      ok: true,
      failure: null,
      takes: expect.arrayContaining(['sending: askForMail answers → sent']),
    }),
  ])
})
