import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LabRun } from '#machines/contracts/calls/lab-calls.ts'
import { refusalsPlugin } from '../../server/api/http/refusals.ts'
import { createBrowserRuns, type Walking } from '../lab/browser-runs.ts'
import { readEndToEnd } from '../lab/end-to-end.ts'
import { isKnown } from '../lab/known.ts'
import { labPlugin } from './lab.ts'

const CONFIRM = { machine: 'confirm-delete', transition: 'asking: confirm → deleting' }

/** A lab whose browser walks until the test says how it went. */
async function opened(dir = '/nowhere') {
  const walks: { end(code: number, output: string, errors?: string): void; stopped: boolean }[] = []
  const runs = createBrowserRuns((): Walking => {
    const { promise, resolve } = Promise.withResolvers<Awaited<Walking['ended']>>()
    const walk = {
      stopped: false,
      end: (code: number, output: string, errors = '') => resolve({ code, output, errors }),
    }
    walks.push(walk)
    return {
      ended: promise,
      stop() {
        walk.stopped = true
        walk.end(143, '')
      },
    }
  })
  const app = Fastify()
  await app.register(refusalsPlugin)
  await app.register(labPlugin, { token: undefined, coverage: () => readEndToEnd(dir), isKnown, runs })
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, headers = {}) => {
    const url = `/sim/lab/${path}`
    const { statusCode, body } = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: statusCode, body: JSON.parse(body) as LabRun & { message?: string } }
  }
  /** the run, once it is over */
  const over = async (id: string) => {
    let run = (await ask('GET', `runs/${id}`)).body
    while (run.state === 'running') run = (await ask('GET', `runs/${id}`)).body
    return run
  }
  return { walks, ask, over }
}

const TEXTS = {
  sentences: ['It is asking.', 'On Confirm Delete it is deleting.'],
  takes: [],
  ok: false,
  failure: { step: 1, expected: 'a spinner', seen: 'nothing', look: null },
}

describe('a browser', () => {
  test('walks one path at a time, and says that it did', async () => {
    const { walks, ask, over } = await opened()
    const first = await ask('POST', 'runs', CONFIRM)
    expect([first.status, first.body.state]).toEqual([202, 'running'])
    expect((await ask('POST', 'runs', CONFIRM)).status).toBe(409)
    walks[0]?.end(
      0,
      JSON.stringify({ machines: [{ runs: [{ ...TEXTS, ok: true, failure: null }] }], broken: null }),
    )
    expect(await over(first.body.id)).toMatchObject({ ...CONFIRM, state: 'passed', failure: null })
    expect((await ask('POST', 'runs', CONFIRM)).status).toBe(202)
  })

  test('says at which step it failed', async () => {
    const { walks, ask, over } = await opened()
    const { id } = (await ask('POST', 'runs', CONFIRM)).body
    walks[0]?.end(1, JSON.stringify({ machines: [{ runs: [TEXTS] }], broken: null }))
    expect(await over(id)).toMatchObject({
      state: 'failed',
      failure: 'On Confirm Delete it is deleting.\nExpected: a spinner\nFound: nothing',
    })
  })

  test.each([
    ['', 'no such browser', 'no such browser'],
    ['{"machines":[{"skipped":"it has no stage"}],"broken":null}', '', 'It is not walked: it has no stage'],
    ['{"machines":[],"broken":"nobody answers"}', '', 'nobody answers'],
    ['half a word', '', 'what the walk said'],
  ])('that comes to nothing says why: %s', async (output, errors, failure) => {
    const { walks, ask, over } = await opened()
    const { id } = (await ask('POST', 'runs', CONFIRM)).body
    walks[0]?.end(1, output, errors)
    const run = await over(id)
    expect([run.state, run.failure]).toEqual(['failed', expect.stringContaining(failure)])
  })

  test('is called off, and stays called off', async () => {
    const { walks, ask } = await opened()
    const { id } = (await ask('POST', 'runs', CONFIRM)).body
    expect((await ask('DELETE', `runs/${id}`)).body.state).toBe('cancelled')
    expect(walks[0]?.stopped).toBe(true)
    await expect.poll(async () => (await ask('POST', 'runs', CONFIRM)).status).toBe(202)
    expect((await ask('GET', `runs/${id}`)).body.state).toBe('cancelled')
  })

  test.each([
    { ...CONFIRM, transition: '--url' },
    { ...CONFIRM, machine: '../session' },
    { ...CONFIRM, machine: 'contracts' },
  ])('is sent nowhere but to a transition there is: %o', async (order) => {
    const { walks, ask } = await opened()
    expect((await ask('POST', 'runs', order)).status).toBe(404)
    expect(walks).toEqual([])
  })

  test('is sent by no page of another origin', async () => {
    const { walks, ask } = await opened()
    const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask('POST', 'runs', CONFIRM, foreign)).status).toBe(403)
    expect(walks).toEqual([])
  })
})

describe('what end-to-end tests covered', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'frostline-coverage-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const left = (spec: string, at: number, states: Record<string, number>) =>
    writeFileSync(
      join(dir, `${spec}.json`),
      JSON.stringify({ spec, run: '1', at, taken: { link: { states, transitions: {} } } }),
    )

  test('is nothing where none were run', async () => {
    const { ask } = await opened(join(dir, 'not-there'))
    expect((await ask('GET', 'coverage')).body).toEqual({ specs: [], taken: {} })
  })

  test('is put together from all of them, oldest first', async () => {
    left('b', 2, { online: 2 })
    left('a', 1, { online: 1, offline: 1 })
    const { ask } = await opened(dir)
    expect((await ask('GET', 'coverage')).body).toEqual({
      specs: [
        { spec: 'a', at: 1 },
        { spec: 'b', at: 2 },
      ],
      taken: { link: { states: { online: 3, offline: 1 }, transitions: {} } },
    })
  })

  test('names a file that is none', async () => {
    writeFileSync(join(dir, 'broken.json'), '{"spec":1}')
    const { ask } = await opened(dir)
    const { status, body } = await ask('GET', 'coverage')
    expect([status, body.message]).toEqual([500, expect.stringMatching(/broken\.json.*spec.*remove it/)])
  })
})
