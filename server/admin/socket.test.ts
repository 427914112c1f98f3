import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AdminRequest, MOST_BYTES } from '#machines/contracts/administration.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Administration } from './administration.ts'
import { askServer, listenForAdmin, PathTooLong } from './socket.ts'

const LIST: AdminRequest & { operation: 'list' } = { operation: 'list', data: {} }
const EMPTY = { administrators: [], companies: [], head: 1 }

let dir: string
let requested: AdminRequest[]
const closing: (() => Promise<void>)[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'frostline-admin-'))
  requested = []
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(dir, { recursive: true, force: true })
})

async function listening(run: Administration['run'] = async () => ({ answer: EMPTY })): Promise<void> {
  const socket = await listenForAdmin(dir, () => ({
    run(request) {
      requested.push(request)
      return run(request)
    },
  }))
  closing.push(socket.close)
}

/** What is answered to these bytes, or nothing where the connection is cut. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect({ path: join(dir, 'admin.sock'), allowHalfOpen: true })
  socket.end(bytes)
  return text(socket).catch(() => '')
}

test('a server answers in its folder, to the owner of it alone', async () => {
  await listening()
  expect(statSync(join(dir, 'admin.sock')).mode & 0o777).toBe(0o600)
  expect(await askServer(dir, LIST)).toEqual({ answer: EMPTY })
  expect(requested).toEqual([LIST])
})

test('where no server listens there is no answer, also where one went without a word', async () => {
  expect(await askServer(dir, LIST)).toBeUndefined()
  await listening()
  await closing.pop()?.()
  expect(await askServer(dir, LIST)).toBeUndefined()
})

test('what lies in its place is removed by the server that has the folder', async () => {
  writeFileSync(join(dir, 'admin.sock'), '')
  await listening()
  expect(await askServer(dir, LIST)).toEqual({ answer: EMPTY })
})

test.each([
  ['no JSON', 'hello', ''],
  ['no operation', '{"data":{}}', 'operation'],
  ['an operation there is not', '{"operation":"rm","data":{}}', 'operation'],
  ['a field too many', '{"operation":"list","data":{"of":1}}', 'data.of'],
  [
    'a field that is no text',
    '{"operation":"create-admin","data":{"email":7,"firstName":"","lastName":""}}',
    'data.email',
  ],
])('%s is refused with its path', async (_, bytes, path) => {
  await listening()
  expect(JSON.parse(await answerTo(bytes))).toMatchObject({ refused: { status: 400, path } })
  expect(requested).toEqual([])
})

test('more than is ever said is cut off, and the next is answered', async () => {
  await listening()
  expect(await answerTo('x'.repeat(MOST_BYTES + 1))).toBe('')
  expect(await askServer(dir, LIST)).toEqual({ answer: EMPTY })
})

test('a store that cannot be written is said so', async () => {
  await listening(async () => {
    throw new StoreUnavailable(new Error('disk full'))
  })
  expect(await askServer(dir, LIST)).toEqual({
    refused: { status: 503, message: "the store can't write now: disk full", path: null },
  })
})

test('a folder whose path is too long for a socket is named', async () => {
  const long = join(dir, 'd'.repeat(120))
  await expect(listenForAdmin(long, () => ({ run: async () => ({ answer: EMPTY }) }))).rejects.toThrow(
    PathTooLong,
  )
})
