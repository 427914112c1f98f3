import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

const ADDRESS = 'depot@elsewhere.example'

let server: TestServer
let path: string
beforeEach(async () => {
  server = await buildTestServer()
  path = server.access.mailLinks.to('indus', ADDRESS)
})
afterEach(() => server.close())

const look = (url = path) => server.app.inject({ url })
const press = (payload: string, url = path) =>
  server.app.inject({
    ...{ method: 'POST', url, payload },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const published = () =>
  server.store.log
    .readFacts(0, { types: ['schedule-mail.confirmed', 'schedule-mail.unsubscribed'] })
    .map(({ type, companyId, data }) => [type, companyId, data])

test('a look at the page changes nothing, a press does, and it can be taken back', async () => {
  const page = await look()
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.body).toContain('Do you want these mails?')
  expect(published()).toEqual([])
  expect((await press('want=yes')).body).toContain('Send me no more')
  expect((await press('want=no')).body).toContain('You get no more of these mails')
  expect((await look()).body).toContain('Send them again')
  expect(published()).toEqual([
    ['schedule-mail.confirmed', 'indus', { address: ADDRESS }],
    ['schedule-mail.unsubscribed', 'indus', { address: ADDRESS }],
  ])
})

test('one click of a mail reader ends them', async () => {
  expect((await press('List-Unsubscribe=One-Click')).statusCode).toBe(200)
  expect((await press('List-Unsubscribe=One-Click')).statusCode).toBe(200)
  expect(published()).toEqual([['schedule-mail.unsubscribed', 'indus', { address: ADDRESS }]])
})

test('a link that is none of ours, and a press that says nothing, change nothing', async () => {
  const other = server.access.mailLinks.to('karakoram', ADDRESS).split('.')[1]
  for (const url of ['/mail/guess', `${path}x`, `${path.split('.')[0]}.${other}`])
    expect((await press('want=yes', url)).statusCode).toBe(404)
  expect((await press('want=maybe')).statusCode).toBe(200)
  expect((await press('')).statusCode).toBe(200)
  expect((await press(`want=yes&${'x'.repeat(2000)}`)).statusCode).toBe(413)
  expect(published()).toEqual([])
})

test('a row of the list says who gets none, and why', async () => {
  const token = (await server.signIn('ayesha')).access_token
  const emails = ['ops@indus.example', ADDRESS]
  const body = {
    ...{ groups: ['indus'], vehicles: [], allVehicles: true, interval: 'Daily' },
    ...{ reportTypes: ['POWER_REPORT'], emails },
  }
  const made = await server.answer('scheduleReport', { token, body })
  expect(made.notSent).toEqual([{ email: ADDRESS, because: 'confirm' }])
  await press('want=yes')
  const list = () => server.answer('schedules', { token, params: { companyId: 'indus' } })
  expect((await list())[0]).not.toHaveProperty('notSent')
  await press('want=no')
  expect((await list())[0]?.notSent).toEqual([{ email: ADDRESS, because: 'unsubscribed' }])
  const many = Array.from({ length: 21 }, (_, i) => `p${i}@indus.example`)
  const refused = await server.ask('scheduleReport', { token, body: { ...body, emails: many } })
  expect(refused.json()).toMatchObject({ code: 422, message: 'A schedule has at most 20 addresses.' })
})
