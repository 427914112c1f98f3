import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { bytesOfHex, verifyConsistency, verifyInclusion } from '#machines/rules/merkle-tree.ts'
import { isSignedBy, verifySeal } from '#machines/rules/verify-seal.ts'
import { NODE_CRYPTO } from '../../jobs/seals/keys.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
})
afterEach(() => server.close())

const origin = { at: START, companyId: 'indus' }
const FILE = new TextEncoder().encode('a report')
const digest = {
  sha256: createHash('sha256').update(FILE).digest('hex'),
  bytes: FILE.length,
}
const report = (reportId: string, version?: number): NewFact[] => [
  {
    ...origin,
    type: 'report.requested',
    data: {
      ...{ reportId, groupId: 'indus', kind: 'power', title: 'Power Report', things: [], groups: ['indus'] },
      ...{ from: START - 1000, to: START, types: null, minDistance: null, requestedBy: 'ayesha Malik' },
      ...{ scheduleId: null, upTo: 1, ...(version && { version, firstId: 'r1' }) },
    },
  },
  {
    ...origin,
    type: 'report.completed',
    data: {
      reportId,
      files: [{ fileName: 'power.xlsx', contentType: 'application/x-book', ...digest }],
      ...(version && { version, firstId: 'r1' }),
    },
  },
]
const append = async (facts: readonly NewFact[]) => {
  const { facts: stored } = await server.store.log.append('reports-indus', [...facts])
  await server.readModels.settled(stored.at(-1)?.seq ?? 0)
}
const sealOf = async (id: string, as = token) => server.ask('reportSeal', { params: { id }, token: as })
const keys = async () => (await server.answer('sealKeys')).keys

describe('a report', () => {
  test('has a seal once the record is signed after it, which shows its file to be genuine', async () => {
    await append(report('r1'))
    expect((await sealOf('r1')).statusCode).toBe(409)
    await server.signRecord()
    const seal = await server.answer('reportSeal', { params: { id: 'r1' }, token })
    const answer = await verifySeal(NODE_CRYPTO, digest, seal, await keys())
    expect(answer).toMatchObject({ is: 'genuine', file: { reportId: 'r1', fileName: 'power.xlsx' } })
    const other = { ...digest, sha256: digest.sha256.replace(/^./, (c) => (c === '0' ? '1' : '0')) }
    expect(await verifySeal(NODE_CRYPTO, other, seal, await keys())).toMatchObject({ is: 'changed' })
  })

  test('is superseded in a seal that is asked for after a later version', async () => {
    await append(report('r1'))
    await server.signRecord()
    const before = await server.answer('reportSeal', { params: { id: 'r1' }, token })
    expect(before.supersededBy).toBeUndefined()
    await append(report('r2', 2))
    await server.signRecord()
    const after = await server.answer('reportSeal', { params: { id: 'r1' }, token })
    const by = { reportId: 'r2', version: 2 }
    expect(await verifySeal(NODE_CRYPTO, digest, after, await keys())).toMatchObject({ is: 'superseded', by })
    const newest = await server.answer('reportSeal', { params: { id: 'r2' }, token })
    expect(await verifySeal(NODE_CRYPTO, digest, newest, await keys())).toMatchObject({ is: 'genuine' })
  })

  test('that one cannot see, that there is none of or that is not finished, has no seal', async () => {
    await append([...report('r1'), ...report('r3').slice(0, 1)])
    await server.signRecord()
    const stranger = (await server.signIn('karim')).access_token
    expect((await sealOf('r1', stranger)).statusCode).toBe(404)
    expect((await sealOf('r9')).statusCode).toBe(404)
    expect((await sealOf('r3')).statusCode).toBe(404)
  })
})

describe('heads', () => {
  test('are there for whoever asks, with the keys that signed them', async () => {
    expect((await server.ask('sealHead')).statusCode).toBe(404)
    await server.signRecord()
    const head = await server.answer('sealHead')
    const [key] = await keys()
    expect(key && (await isSignedBy(NODE_CRYPTO, head, key))).toBe(true)
    expect(await server.answer('sealHead', { query: { size: head.size } })).toEqual(head)
    expect((await server.ask('sealHead', { query: { size: head.size - 1 } })).statusCode).toBe(404)
    const file = await server.app.inject('/.well-known/frostline-seal-keys.json')
    expect(file.json()).toEqual({ is: 'frostline-seal-keys', keys: [key] })
  })

  test('of yesterday and today are shown to be of one record', async () => {
    await server.signRecord()
    const before = await server.answer('sealHead')
    await append(report('r1'))
    await server.signRecord()
    const proof = await server.answer('sealConsistency', { query: { from: before.size } })
    expect(proof.to.size).toBeGreaterThan(before.size)
    const isConsistent = (root: string) =>
      verifyConsistency(
        NODE_CRYPTO.sha256,
        { size: before.size, root: bytesOfHex(root) },
        { size: proof.to.size, root: bytesOfHex(proof.to.root) },
        proof.path.map(bytesOfHex),
      )
    expect(proof.root).toBe(before.root)
    expect(await isConsistent(before.root)).toBe(true)
    expect(await isConsistent(proof.to.root)).toBe(false)
    const later = { query: { from: proof.to.size + 1 } }
    expect((await server.ask('sealConsistency', later)).statusCode).toBe(404)
    expect((await server.ask('sealConsistency', { query: { from: 0 } })).statusCode).toBe(404)
  })

  test('of before a tree that was begun anew cannot be held against it, which is said in words', async () => {
    await server.signRecord()
    const before = await server.answer('sealHead')
    // what a salvage leaves that could not read the leaves any more
    const { size: sizeOf } = server.store.seals
    vi.spyOn(server.store.seals, 'size').mockImplementation(async () => ({
      ...(await sizeOf()),
      past: before.size,
    }))
    const refused = await server.ask('sealConsistency', { query: { from: before.size } })
    expect(refused.statusCode).toBe(409)
    expect(refused.body).toContain(`was begun anew after entry ${before.size}`)
    expect(refused.body).toContain('hold it against a backup of then')
    await append(report('r1'))
    await server.signRecord()
    const { size } = await server.answer('sealHead')
    expect((await server.ask('sealConsistency', { query: { from: size } })).statusCode).toBe(200)
  })

  test('hold each entry up to their size, and no other', async () => {
    await server.signRecord()
    const { size, root } = await server.answer('sealHead')
    for (const seq of [1, size]) {
      const proof = await server.answer('sealInclusion', { params: { seq: String(seq) }, token })
      const place = { index: seq - 1, size, path: proof.path.map(bytesOfHex) }
      expect(await verifyInclusion(NODE_CRYPTO.sha256, bytesOfHex(proof.leaf), place, bytesOfHex(root))).toBe(
        true,
      )
    }
    const later = { params: { seq: String(size + 1) }, token }
    expect((await server.ask('sealInclusion', later)).statusCode).toBe(404)
  })
})

describe('who outside keeps the daily heads of a company', () => {
  const params = { companyId: 'indus' }
  const put = (address: string, as = token) =>
    server.ask('updateHeadAddress', { params, body: { address }, token: as })

  test('is chosen by a manager, shows whether they get them, and is nobody again', async () => {
    const get = () => server.answer('headAddress', { params, token })
    expect(await get()).toMatchObject({ address: '', sends: null })
    expect((await put('keeper@elsewhere.example')).json()).toMatchObject({
      ...{ address: 'keeper@elsewhere.example', sends: 'confirm' },
    })
    const link = server.access.mailLinks.to('indus', 'keeper@elsewhere.example')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const press = await server.app.inject({ method: 'POST', url: link, payload: 'want=yes', headers })
    expect(press.body).toContain('the daily head of the record')
    expect(await get()).toMatchObject({ sends: 'sent' })
    expect((await put('keeper')).statusCode).toBe(422)
    expect((await put('')).json()).toMatchObject({ address: '', sends: null })
  })

  test('is refused to who is not at the top', async () => {
    const danish = (await server.signIn('danish')).access_token
    expect((await put('keeper@elsewhere.example', danish)).statusCode).toBe(403)
  })
})
