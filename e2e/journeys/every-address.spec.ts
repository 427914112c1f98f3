import { administration, inside, outside } from '../addresses.ts'
import { CALM, expect, OPERATOR, PASSWORD, SUPER_ADMIN, test } from '../app.ts'

test.use({ world: CALM })
test.beforeAll(async ({ app }) => app.sim.pause())

test('each address inside opens its page', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.shell.isLive()
  for (const [path, heading] of Object.entries(inside)) {
    await visitor.page.goto(path)
    await expect(visitor.shell.content.getByRole('heading', { name: heading }).first(), path).toBeVisible()
    await expect(visitor.page.getByRole('banner'), path).toBeVisible()
  }
})

test('the page of a device, and each address of administrators, opens', async ({ signedInAt, app }) => {
  const [device] = await app.api.fleet()
  const { page, shell } = await signedInAt(`/devices/${device?.imei}`)
  await expect(shell.content.getByRole('heading', { name: device?.name ?? '' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Tracker', exact: true })).toBeVisible()
  for (const [path, heading] of Object.entries(administration)) {
    await signedInAt(path, SUPER_ADMIN)
    await expect(shell.content.getByRole('heading', { name: heading }).first(), path).toBeVisible()
  }
})

test('each address outside opens its page', async ({ visitor }) => {
  visitor.trouble.allow(/404/)
  for (const [path, heading] of Object.entries(outside)) {
    await visitor.page.goto(path)
    await expect(visitor.page.getByRole('heading', { name: heading }), path).toBeVisible()
  }
})

test('the network error page says what to do', async ({ visitor }) => {
  await visitor.page.goto('/error')
  await expect(visitor.page.getByText('Network Error, Please Reload Page')).toBeVisible()
  await expect(visitor.page.getByRole('button', { name: 'Reload Page' })).toBeVisible()
})

test('every page of the sidebar is reached from it', async ({ visitor }) => {
  await visitor.page.setViewportSize({ width: 1100, height: 600 })
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.shell.isLive()
  const sidebar = visitor.page.getByRole('navigation')
  const links = await sidebar
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(expect.arrayContaining(['/', '/groups', '/reports', '/account', '/users']))
  for (const path of links) {
    await sidebar.locator(`li a[href="${path}"]`).click()
    await expect(visitor.page).toHaveURL(new RegExp(`${path}$`))
    await expect(sidebar.locator('[aria-current="page"]')).toHaveAttribute('href', path ?? '')
  }
})
