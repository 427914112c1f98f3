import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CALLS } from '#machines/contracts/calls.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { noteChanged } from '../../commands/repeatable.ts'
import { ANSWERS_KEPT_MS } from '../../store/answers.ts'
import { createOnce } from './once.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

const KEY = '6f1f2b1e-0c7a-4a5e-9b39-1f2f3c4d5e6f'
const GROUP = {
  ...{ name: 'Cold store', description: '', parentId: 'indus', companyId: 'indus' },
  ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
  ...{ lowHumidityThreshold: 20, highHumidityThreshold: 80 },
}

let server: TestServer
beforeEach(async () => {
  server = await buildTestServer()
})
afterEach(() => server.close())

const tokenOf = async (name: string, at = server) => (await at.signIn(name)).access_token
const groupsOf = ({ store }: TestServer): Fact[] =>
  store.log
    .readFacts(0, { types: ['group.created'] })
    .filter(({ data }) => 'name' in data && data.name === GROUP.name)

async function create(token: string, key: string, body: object = GROUP, at = server) {
  const response = await at.ask('createGroup', { token, body, headers: { 'idempotency-key': key } })
  const { statusCode: status, headers } = response
  return {
    status,
    body: response.json(),
    isReplay: headers['idempotency-replayed'] === 'true',
    etag: headers.etag,
  }
}

describe('a command with a key', () => {
  test('is done once however often it is sent, at once and later, and answered the same', async () => {
    const token = await tokenOf('ayesha')
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(token, KEY)))
    const later = await create(token, `"${KEY}"`)
    expect(new Set([...answers, later].map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set([...answers, later].map(({ body }) => body._id)).size).toBe(1)
    expect([...answers, later].filter(({ isReplay }) => isReplay)).toHaveLength(5)
    expect(later.etag).toBe(answers[0]?.etag)
    expect(groupsOf(server)).toHaveLength(1)
  })

  test('is answered as it was at first, whatever became of it', async () => {
    const token = await tokenOf('ayesha')
    const { body } = await create(token, KEY)
    await server.answer('deleteGroup', { token, params: { id: body._id } })
    expect((await create(token, KEY)).body).toEqual(body)
    expect(groupsOf(server)).toHaveLength(1)
  })

  test('is refused where another was sent under the key, and belongs to who sent it', async () => {
    const token = await tokenOf('ayesha')
    await create(token, KEY)
    const other = await create(token, KEY, { ...GROUP, name: 'Another' })
    expect(other).toMatchObject({ status: 422, body: { message: expect.stringContaining('take a new one') } })
    const stranger = await create(await tokenOf('karim'), KEY, {
      ...GROUP,
      parentId: 'karakoram',
      companyId: 'karakoram',
    })
    expect(stranger).toMatchObject({ status: 201, isReplay: false })
    expect(groupsOf(server)).toHaveLength(2)
  })

  test('is decided again where it was refused, and the key is free for another', async () => {
    const token = await tokenOf('ayesha')
    expect((await create(token, KEY, { ...GROUP, name: '' })).status).toBe(422)
    expect((await create(token, KEY)).status).toBe(201)
  })

  test('is another one a day later', async () => {
    await create(await tokenOf('ayesha'), KEY)
    server.clock.at += ANSWERS_KEPT_MS + 1
    server.uptime.at += ANSWERS_KEPT_MS + 1
    const token = await tokenOf('ayesha')
    expect((await create(token, KEY, { ...GROUP, name: 'Tomorrow' })).status).toBe(201)
  })

  test('is refused with a key that is none', async () => {
    const token = await tokenOf('ayesha')
    for (const key of ['short', 'x'.repeat(129), 'with a space in it'])
      expect((await create(token, key)).status).toBe(400)
    expect(groupsOf(server)).toEqual([])
  })

  test('whose answer was lost with the server is answered of what was done', async () => {
    const token = await tokenOf('ayesha')
    // stopped between the record and the answer
    const { keep } = server.store.answers
    server.store.answers.keep = async () => {}
    const first = await create(token, KEY)
    server.store.answers.keep = keep
    const again = await create(token, KEY)
    expect(again).toEqual({ ...first, isReplay: false })
    expect(groupsOf(server)).toHaveLength(1)
    expect(await create(token, KEY, { ...GROUP, name: 'Another' })).toMatchObject({ status: 422 })
  })

  test('keeps no secret of its answer that could be read without the key', async () => {
    const token = await tokenOf('ayesha')
    const kept: Buffer[] = []
    const { keep } = server.store.answers
    server.store.answers.keep = async (id, answered) => {
      kept.push(Buffer.from(answered.bytes))
      return keep(id, answered)
    }
    const ask = () =>
      server.ask('createDeviceKey', {
        token,
        params: { companyId: 'indus' },
        body: { name: 'ERP', scopes: ['read'], expiresAt: null },
        headers: { 'idempotency-key': KEY },
      })
    const [made, again] = [(await ask()).json(), (await ask()).json()]
    expect(made.key).toBeTypeOf('string')
    expect(again).toEqual(made)
    expect(Buffer.concat(kept).includes(made.key)).toBe(false)
  })
})

test('is known after a restart', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'frostline-once-'))
  const start = () => buildTestServer({ env: { DATA_DIR: dir } })
  try {
    const before = await start()
    const first = await create(await tokenOf('ayesha', before), KEY, GROUP, before)
    await before.close()
    const after = await start()
    const again = await create(await tokenOf('ayesha', after), KEY, GROUP, after)
    expect(again).toEqual({ ...first, isReplay: true })
    expect(groupsOf(after)).toHaveLength(1)
    await after.close()
  } finally {
    rmSync(dir, { recursive: true })
  }
})

test('answers beyond what a company may have kept a day are made anew of what was done', async () => {
  const { answers } = server.store
  let requests = 0
  const once = createOnce({ answers, clock: server.clock, bytesADay: 100 })
  const send = (key: string, companyId = 'indus') =>
    once(
      {
        request: { method: 'PUT', url: '/groups/g', headers: { 'idempotency-key': key } },
        reply: { header: () => {}, getHeader: () => undefined },
        call: CALLS.updateGroup,
        visitor: { userId: companyId, companyId },
      } as unknown as Parameters<ReturnType<typeof createOnce>>[0],
      () => {
        requests++
        noteChanged()
        return { name: 'Cold store' }
      },
    )
  for (const key of ['first-key', 'second-key', 'first-key', 'second-key']) await send(key)
  expect(requests).toBe(3)
  for (const key of ['third-key', 'third-key']) await send(key, 'ravi')
  expect(requests).toBe(4)
})
