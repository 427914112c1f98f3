import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

const FIVE_MB = 5 * 1024 * 1024
const TOO_LARGE = 'Please select an image less than the size of 5MB.'
const NO_PICTURE = 'Invalid file format, please select an image!'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
})
afterAll(() => server.close())

const form = (file: Buffer, { name = 'file', type = 'image/png' } = {}) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: Buffer.concat([
    Buffer.from(
      `--edge\r\ncontent-disposition: form-data; name="${name}"; filename="logo.png"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    file,
    Buffer.from('\r\n--edge--\r\n'),
  ]),
})
const put = (file: Buffer, id = 'indus', more: { headers?: Record<string, string>; type?: string } = {}) => {
  const { headers, body } = form(file, more)
  return server.ask('updateGroupImage', {
    params: { id },
    token,
    headers: { ...headers, ...more.headers },
    body,
    from: `10.1.${Math.floor(counter / 250)}.${counter++ % 250}`,
  })
}
let counter = 1
const png = (colour: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
    .png()
    .toBuffer()
/** A PNG of exactly so many bytes: what follows its end is nobody's concern. */
const padded = async (bytes: number) => {
  const file = await png('#123')
  return Buffer.concat([file, Buffer.alloc(bytes - file.length)])
}

describe('the picture of a group', () => {
  test('is seen by whoever has its address, and never changes there', async () => {
    const { image } = (await put(await png('#0a7'))).json()
    expect(image).toMatch(/^\/api\/images\/[\w-]{43}$/)
    const shown = await server.app.inject(image)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 64 })
  })

  test('is told at sign-in, with the group, and in its history', async () => {
    const { image } = (await put(await png('#aa0'))).json()
    expect((await server.signIn('ayesha')).groupInfo.groupImage).toBe(image)
    expect((await server.answer('group', { params: { id: 'indus' }, token })).image).toBe(image)
    const { changes } = await server.answer('groupHistory', { params: { id: 'indus' }, token })
    expect(changes[0]).toMatchObject({
      by: { _id: 'u1', name: 'ayesha Malik' },
      changes: [{ field: 'image', after: image }],
    })
  })

  test('takes 100 kB of the record at most, however much there is to see', async () => {
    const noise = { width: 600, height: 600, channels: 3 as const }
    const raw = Buffer.from(Array.from({ length: 600 * 600 * 3 }, (_, i) => Math.imul(i, 2654435761) >>> 24))
    const { image } = (await put(await sharp(raw, { raw: noise }).png().toBuffer())).json()
    expect((await server.app.inject(image)).rawPayload.length).toBeLessThan(100_000)
  })

  test('is not one of more than 50 new ones of a company a day', async () => {
    const other = await buildTestServer()
    const ayesha = (await other.signIn('ayesha')).access_token
    const send = async (i: number) =>
      other.ask('updateGroupImage', {
        ...{ params: { id: 'indus' }, token: ayesha, from: `10.1.0.${i}` },
        ...form(await png(`rgb(${(i & 3) * 80}, ${((i >> 2) & 3) * 80}, ${(i >> 4) * 60})`)),
      })
    try {
      for (let i = 1; i <= 50; i++) expect((await send(i)).statusCode).toBe(200)
      const refused = await send(51)
      expect([refused.statusCode, refused.json().message]).toEqual([
        ...[429, 'Your company has sent 50 new pictures today: send this one tomorrow'],
      ])
      expect((await send(7)).statusCode).toBe(200)
    } finally {
      await other.close()
    }
  })

  test('has to be under 5 MB: one byte less is, 5 MB are not', async () => {
    expect((await put(await padded(FIVE_MB - 1))).statusCode).toBe(200)
    for (const bytes of [FIVE_MB, FIVE_MB + 1, 2 * FIVE_MB]) {
      const { statusCode, ...response } = await put(await padded(bytes))
      expect([bytes, statusCode, response.json().message]).toEqual([bytes, 413, TOO_LARGE])
    }
  })

  test.each([
    ['a program that says it is a picture', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'image/png'],
    [
      'a drawing that says it is a picture',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'image/png',
    ],
    ['nothing', Buffer.alloc(0), 'image/jpeg'],
  ])('is not %s', async (_, file, type) => {
    const response = await put(file, 'indus', { type })
    expect([response.statusCode, response.json().message]).toEqual([415, NO_PICTURE])
  })

  test('is what its bytes say, though it is called otherwise', async () => {
    expect((await put(await png('#0aa'), 'indus', { type: 'application/x-sh' })).statusCode).toBe(200)
  })

  test('is not a form without a file, or anything but a form', async () => {
    const json = await server.ask('updateGroupImage', { params: { id: 'indus' }, token, body: { file: 'x' } })
    expect([json.statusCode, json.json().message]).toEqual([415, NO_PICTURE])
    const field = await server.app.inject({
      method: 'PUT',
      url: '/api/groups/indus/image',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=edge' },
      payload: '--edge\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n--edge--\r\n',
    })
    expect(field.statusCode).toBe(415)
  })

  test('other calls take no forms', async () => {
    const { headers, body } = form(await png('#111'))
    const response = await server.ask('renameGroup', { params: { id: 'indus' }, token, headers, body })
    expect(response.statusCode).toBe(415)
  })

  test('is refused to who saw an older group, and says what there is now', async () => {
    const { version } = await server.answer('group', { params: { id: 'sindh' }, token })
    const ifMatch = { headers: { 'if-match': `"${version}"` } }
    expect((await put(await png('#222'), 'sindh', ifMatch)).statusCode).toBe(200)
    const before = server.store.log.head()
    const late = await put(await png('#333'), 'sindh', ifMatch)
    expect(late.statusCode).toBe(412)
    expect(server.store.log.head(), 'the picture is kept all the same').toBe(before)
    expect(late.json().current.image).toMatch(/^\/api\/images\//)
  })

  test('that nobody gave is not found', async () => {
    const response = await server.ask('image', { params: { image: 'A'.repeat(43) } })
    expect([response.statusCode, response.json()]).toEqual([404, { code: 404, message: 'Not found' }])
    expect((await server.ask('image', { params: { image: '../secret' } })).statusCode).toBe(400)
  })
})
