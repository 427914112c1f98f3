import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { isAccessible, isAccessibleInEachLook } from '../accessible.ts'
import { type App, DESK, expect, PASSWORD, test } from '../app.ts'
import { CaseScreen } from '../screens/case.screen.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { isPastEvaluated } from '../trial.ts'

test.use({ world: { of: 'verify', devices: 60 }, viewport: DESK, isMapDrawn: false })
test.beforeAll(async ({ app }) => {
  await app.sim.pause()
  await isPastEvaluated(app)
})

test('a case is opened from Why, made into a PDF, and closed by a signature', async ({ signedInAt, app }) => {
  const { _id, thingName } = await violation(app)
  const { page } = await signedInAt('/notifications')
  const notifications = new NotificationsScreen(page)
  await notifications.isLoaded()
  await notifications.pick('Devices', thingName)
  const entry = notifications.list.getByRole('listitem').first()
  await notifications.open(entry)
  await (await notifications.why(entry)).getByRole('link', { name: 'Open the case' }).click()
  await expect(page).toHaveURL(/\/violations\/f\d+$/)

  await page.goto(`/violations/${_id}`)
  const one = new CaseScreen(page)
  await one.isShown()
  await isAccessibleInEachLook(page)
  const [file] = await Promise.all([page.waitForEvent('download'), one.pdf.click()])
  expect(file.suggestedFilename()).toMatch(/^Case-.*\.pdf$/)
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  await one.close.click()
  await isAccessible(page)
  await one.sign('Door stood open while loading', 'Investigated', PASSWORD)
  await expect(page.getByText(/^Investigated and closed by .*: Door stood open while loading$/)).toBeVisible()
  await expect(one.close).toBeHidden()
})

test('what one cannot see has no case', async ({ signedInAt, app }) => {
  const { _id } = await violation(app)
  const { page, trouble } = await signedInAt(`/violations/${_id}`, 'operator@karakoram.example')
  trouble.allow(/404/)
  await expect(page.getByText('There is no such violation')).toBeVisible()
})

test('a report is verified from the disk without a network, refused with one byte changed, and superseded by version 2', async ({
  signedInAt,
  app,
  browser,
}, info) => {
  const { _id } = await violation(app, 1)
  const { page } = await signedInAt(`/violations/${_id}`)
  const one = new CaseScreen(page)
  await one.isShown()
  const first = await readZip(await (await one.sealed()).path())
  await page.goto('/verify')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'This page as a file' }).click(),
  ])
  await saved.saveAs(join(info.outputDir, 'frostline-verify.html'))

  const stick = await browser.newContext({ offline: true })
  const offline = await stick.newPage()
  const complaints: string[] = []
  offline.on('console', (message) => complaints.push(message.text()))
  await offline.goto(`file://${join(info.outputDir, 'frostline-verify.html')}`)
  const put = (name: string, bytes: Uint8Array) => {
    const path = join(info.outputDir, name)
    writeFileSync(path, bytes)
    return path
  }
  const [report, seal] = [put(first.name, first.report), put(`${first.name}.seal.json`, first.seal)]
  await give(offline, report, seal)
  await expect(
    offline.getByRole('heading', { name: /^Genuine: made \d+ Jun 2026 \d\d:\d\d PKT, position [\d,]+$/ }),
  ).toBeVisible()
  await isAccessibleInEachLook(offline)

  const changed = first.report.slice()
  const middle = Math.floor(changed.length / 2)
  changed[middle] = (changed[middle] as number) ^ 1
  await give(offline, put(first.name, changed))
  await expect(offline.getByRole('heading', { name: 'Changed: not the bytes Frostline made' })).toBeVisible()
  expect(complaints).toEqual([])
  await stick.close()

  await app.sim.advance(60)
  await page.goto(`/violations/${_id}`)
  await one.isShown()
  const second = await readZip(await (await one.sealed()).path())
  expect(second.name).toContain('-version-2')
  await page.goto('/verify')
  await give(page, put(first.name, first.report), seal)
  await expect(page.getByRole('heading', { name: /^Genuine/ })).toBeVisible()
  await give(page, put(second.name, second.report), put(`${second.name}.seal.json`, second.seal))
  await expect(page.getByRole('heading', { name: 'Superseded by version 2' })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Genuine/ })).toBeVisible()
  await isAccessibleInEachLook(page)
})

test('the daily head of a mail is compared with the log of today, and refused with one digit changed', async ({
  app,
  newVisitor,
}) => {
  const heads = async () =>
    (await app.sim.outbox('operator@indus.example')).filter(({ subject }) => /^The record on /.test(subject))
  await expect.poll(async () => (await heads()).length).toBeGreaterThan(0)
  const text = (await heads())[0]?.text ?? ''
  const entries = /^Entries: (\d+)$/m.exec(text)?.[1] ?? ''
  // more comes into the record, and is signed
  await app.sim.advance(120)

  const { page } = await newVisitor()
  // whoever got the mail has no account
  await page.goto('/')
  await page.getByRole('link', { name: 'Verify a report' }).click()
  await page.getByText('Compare a daily head that came by mail').click()
  const paste = async (mail: string) => {
    await page.getByRole('textbox', { name: 'Text of the mail' }).fill(mail)
    await page.getByRole('button', { name: 'Check the mail' }).click()
  }
  await paste(text)
  await expect(
    page.getByRole('heading', { name: `A signed head, of ${Number(entries).toLocaleString('en')} entries` }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Compare with the record of today' }).click()
  await expect(page.getByRole('heading', { name: 'The same log', exact: true })).toBeVisible()
  await isAccessibleInEachLook(page)
  await paste(text.replace(/^Root: (.)/m, (_, first) => `Root: ${first === '7' ? '8' : '7'}`))
  await expect(page.getByRole('heading', { name: 'Not shown to be the same log' })).toBeVisible()
  await expect(page.getByText('was not signed by its key: it was changed')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The same log', exact: true })).toBeHidden()
})

const give = (page: Page, ...paths: string[]) => page.getByLabel('Choose files').setInputFiles(paths)

/** The two files of a sealed ZIP. */
async function readZip(path: string): Promise<{ name: string; report: Uint8Array; seal: Uint8Array }> {
  const entries = Object.entries(unzipSync(readFileSync(path)))
  const [name = '', report = new Uint8Array()] = entries.find(([one]) => !one.endsWith('.json')) ?? []
  const [, seal = new Uint8Array()] = entries.find(([one]) => one.endsWith('.json')) ?? []
  return { name, report, seal }
}

/** The newest violation of temperature that is over, or one before it. */
async function violation({ api }: App, nth = 0): Promise<Notification> {
  const { notifications } = await api.ask(NOTIFICATION_CALLS.notifications, {
    params: { groupId: api.groupId },
    body: { startDate: 0, endDate: Date.UTC(2100, 0), limit: 500 },
  })
  const found = notifications.filter(
    ({ type, violationId, clearedAt }) =>
      violationId !== null && clearedAt !== null && type.includes('TEMPERATURE'),
  )[nth]
  if (found === undefined) throw new Error(`There are not ${nth + 1} violations that are over`)
  return found
}
