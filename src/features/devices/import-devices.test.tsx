import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DeviceImport, LineRemark } from '#machines/contracts/entities/device-records.ts'
import { mountPage, type PageHarness, SESSION } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import ImportDevices from './import-devices.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const JOB: DeviceImport = {
  _id: 'j1',
  fileName: 'fleet.csv',
  state: 'reading',
  ...{ lines: 0, toAdd: 0, known: 0, differing: 0, faults: 0, warnings: 0, added: 0 },
  reason: null,
}
const BAD: LineRemark = {
  line: 4,
  imei: 'not an imei',
  reason: '“not an imei” is no IMEI: 15 digits are expected',
}
const may = (mayRegister: boolean) => ({
  body: { mayRegister, since: '2026-05-04T06:00:00.000Z', devices: [] },
})

/** The page against a server at which the list is as `is` says. */
async function shown(server: Server = {}, is: { job: DeviceImport } = { job: JOB }, session = SESSION) {
  harness = await mountPage(<ImportDevices />, {
    at: '/devices/import',
    fleet: createFleet((call) => call()),
    session,
    server: {
      'GET /unknown-devices': may(true),
      'POST /device-imports': () => ({ status: 202, body: is.job }),
      'GET /device-imports/j1': () => ({ body: is.job }),
      'GET /device-imports/j1/remarks': (_body, _headers, query) => ({
        body: query.get('of') === 'faults' ? { remarks: [BAD], total: 1 } : { remarks: [], total: 0 },
      }),
      ...server,
    },
  })
  return is
}
const choose = page.getByRole('button', { name: 'Choose File' })
async function send(): Promise<void> {
  await expect.element(choose).toBeVisible()
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement
  await userEvent.upload(input, new File(['IMEI,Name\n'], 'fleet.csv', { type: 'text/csv' }))
}
const status = page.getByRole('status')
const checked = (rest: Partial<DeviceImport>): DeviceImport => ({ ...JOB, state: 'checked', ...rest })

test('of a list with bad lines each is named with its reason, and only the good ones are added', async () => {
  const is = await shown({
    'POST /device-imports/j1/apply': () => {
      is.job = { ...is.job, state: 'adding' }
      return { status: 202, body: is.job }
    },
  })
  await send()
  await expect.element(status).toHaveTextContent('Reading: 0 lines so far')
  is.job = checked({ lines: 3, toAdd: 2, faults: 1 })
  const bad = page.getByRole('table', { name: 'Lines that cannot be taken' })
  await expect.element(bad).toMatchTextContent(/LINE.*IMEI.*WHY.*4.*not an imei.*15 digits are expected/)
  expect(harness.calls('POST /device-imports/j1/apply')).toEqual([])
  await page.getByRole('button', { name: 'Add the 2 good ones only' }).click()
  await expect.element(status).toHaveTextContent('Adding: 0 of 2')
  expect(harness.calls('POST /device-imports/j1/apply').map(({ body }) => body)).toEqual([
    { only: 'good-lines' },
  ])
  is.job = { ...is.job, state: 'done', added: 2 }
  await expect.element(status).toHaveTextContent('2 devices were added')
  await expect.element(page.getByRole('link', { name: 'Show devices' })).toHaveAttribute('href', '/devices')
})

test('a list of which not all could be added by then says so', async () => {
  await shown({}, { job: { ...JOB, state: 'done', toAdd: 1_000, added: 400 } })
  await send()
  await expect
    .element(status)
    .toHaveTextContent(
      '400 of 1,000 devices were added: the others are registered by now, or in groups you no longer see',
    )
})

test('a list with nothing new offers nothing to add', async () => {
  await shown({}, { job: checked({ lines: 2, known: 2, differing: 1 }) })
  await send()
  await expect.element(status).toHaveTextContent('2 lines were read: there is nothing to add')
  await expect.element(page.getByText(/1 of them with other values: those stay as they are/)).toBeVisible()
  expect(page.getByRole('button', { name: /^Add/ }).query()).toBeNull()
})

test('a list that stopped on the way is tried again with one press', async () => {
  const stopped = { ...JOB, state: 'failed', added: 200, reason: 'The server ended', canRetry: true } as const
  const is = await shown(
    {
      'POST /device-imports/j1/retry': () => {
        is.job = checked({ lines: 300, toAdd: 100, known: 200 })
        return { status: 202, body: JOB }
      },
    },
    { job: stopped },
  )
  await send()
  await expect.element(status).toHaveTextContent('The server ended (200 were added)')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('button', { name: 'Add 100 devices' })).toBeVisible()
})

test('one that cannot be read says why, and another file is chosen', async () => {
  await shown({}, { job: { ...JOB, state: 'failed', reason: 'The first line has no column IMEI' } })
  await send()
  await expect.element(status).toHaveTextContent('The first line has no column IMEI')
  expect(page.getByRole('button', { name: 'Try again' }).query()).toBeNull()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await expect.element(choose).toBeVisible()
})

test('of a list that was put aside for another file nothing is heard any more', async () => {
  let stop = (_: { body: DeviceImport }): void => {}
  const is = await shown(
    {
      'DELETE /device-imports/j1': () =>
        new Promise((resolve) => {
          stop = resolve
        }),
      'POST /device-imports/j2/apply': () => ({ status: 202, body: { ...is.job, state: 'adding' } }),
    },
    { job: checked({ lines: 2, toAdd: 2 }) },
  )
  await send()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  is.job = checked({ _id: 'j2', lines: 3, toAdd: 3 })
  await send()
  const add = page.getByRole('button', { name: 'Add 3 devices' })
  await expect.element(add).toBeVisible()
  stop({ body: { ...JOB, state: 'cancelled' } })
  await add.click()
  await expect.element(status).toHaveTextContent('Adding: 0 of 3')
})

test('a refusal is told, and a file can be chosen again', async () => {
  const message = 'Another list is being read or added: try again when it is done'
  await shown({ 'POST /device-imports': { status: 409, body: { code: 409, message } } })
  await send()
  await expect.element(page.getByRole('alert')).toHaveTextContent(message)
  await expect.element(choose).toBeEnabled()
})

test('an answer that fails on the way is told, and no more once the next one comes', async () => {
  let isBroken = true
  await shown({
    'GET /device-imports/j1': () =>
      isBroken
        ? { status: 502, body: { code: 502, message: 'The server is gone' } }
        : { body: { ...JOB, lines: 7 } },
  })
  await send()
  await expect.element(page.getByRole('alert')).not.toBeEmptyDOMElement()
  isBroken = false
  await expect.element(status).toHaveTextContent('Reading: 7 lines so far')
  await expect.element(page.getByRole('alert')).toBeEmptyDOMElement()
})

test('it is stopped by the keyboard alone', async () => {
  const is = await shown({
    'DELETE /device-imports/j1': () => {
      is.job = { ...JOB, state: 'cancelled' }
      return { body: is.job }
    },
  })
  await send()
  await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  const stop = page.getByRole('button', { name: 'Stop' }).element() as HTMLElement
  while (document.activeElement !== stop) await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(status).toHaveTextContent('Stopped: 0 were added')
})

test('on a phone nothing is wider than the screen', async () => {
  await page.viewport(390, 844)
  await shown({}, { job: checked({ lines: 3, toAdd: 2, faults: 1 }) })
  await send()
  await expect.element(page.getByText(/15 digits are expected/)).toBeVisible()
  const place = document.querySelector('main') as HTMLElement
  expect(place.scrollWidth).toBeLessThanOrEqual(place.clientWidth)
})

test.each([
  ['somebody who may not', SESSION, 'You may not add devices'],
  [
    'an administrator in no company',
    { ...SESSION, accessToken: `h.${btoa(JSON.stringify({ exp: 1_900_000_000, superAdmin: true }))}.s` },
    'You are in no company',
  ],
])('%s is offered no file to choose, and told who adds devices', async (_who, session, words) => {
  await shown({ 'GET /unknown-devices': may(false) }, undefined, session)
  await expect.element(page.getByText(words)).toBeVisible()
  expect(choose.query()).toBeNull()
})

test('a list is asked for again only once the answer before is there', async () => {
  const looks: (() => void)[] = []
  await shown({
    'GET /device-imports/j1': () =>
      new Promise((resolve) => {
        looks.push(() => resolve({ body: JOB }))
      }),
  })
  await send()
  await expect.poll(() => looks.length).toBe(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(1)
  looks[0]?.()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toHaveLength(2)
})
