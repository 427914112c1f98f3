import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ManagedUser } from '#machines/contracts/entities/users.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { userOf } from './testing.ts'
import Users from './users.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const ALL = 'GET /groups/top/users'
const me = userOf('u1', { firstName: 'Bilal', lastName: 'Ahmed' })
const hina = userOf('u2', {
  firstName: 'Hina',
  lastName: 'Malik',
  phone: '03217654321',
  group: { _id: 'lahore', name: 'Lahore', child: [] },
})
const waiting = userOf('u3', { firstName: 'Zara', lastName: 'Baig', activated: false })
const answered = (users: readonly ManagedUser[]) => ({ body: users })

async function shown(server: Server = { [ALL]: answered([waiting, hina, me]) }) {
  harness = await mountPage(<Users />, { at: '/users', server, fleet: createFleet((call) => call()) })
}
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const search = page.getByRole('textbox', { name: 'Search users' })

test('users stand in the order of their names, with the documents’ columns', async () => {
  await shown()
  await expect.element(row('Hina Malik')).toMatchTextContent(/hina|u2@indus.example.*03217654321.*Lahore/)
  const names = () =>
    page
      .getByRole('row')
      .elements()
      .slice(1)
      .map((one) => one.querySelector('a')?.textContent)
  expect(names()).toEqual(['Bilal Ahmed', 'Hina Malik', 'Zara Baig'])
  for (const head of ['NAME', 'EMAIL', 'PHONE', 'GROUP', 'ACTIONS'])
    await expect.element(page.getByRole('columnheader', { name: head })).toBeInTheDocument()
  await expect
    .element(page.getByRole('link', { name: 'Add User' }))
    .toHaveAttribute('href', '/users/create/top')
  await expect
    .element(page.getByRole('link', { name: 'Edit Hina Malik' }))
    .toHaveAttribute('href', '/user/update/u2')
})

test('who was made while the link was being made is listed once it is live', async () => {
  let users = [me]
  await shown({ [ALL]: () => answered(users) })
  await expect.element(row('Bilal Ahmed')).toBeVisible()
  users = [me, hina]
  harness.link('live')
  await expect.element(row('Hina Malik')).toBeVisible()
})

test('nobody deletes themselves', async () => {
  await shown()
  await expect.element(row('Bilal Ahmed')).toMatchTextContent(/You/)
  await expect.element(page.getByRole('button', { name: 'Delete Hina Malik' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Delete Bilal Ahmed' })).not.toBeInTheDocument()
})

test('who is not activated yet is told so, and can be sent another link', async () => {
  await shown({
    [ALL]: answered([me, waiting]),
    'POST /users/resendLink': { body: { message: 'Activation link sent successfully!' } },
  })
  await expect.element(row('Zara Baig')).toMatchTextContent(/not activated yet/)
  await row('Zara Baig').getByRole('button', { name: 'Resend Link' }).click()
  await expect.poll(() => harness.toasts).toEqual(['Activation link sent successfully!'])
  expect(harness.calls('POST /users/resendLink').map(({ body }) => body)).toEqual([{ id: 'u3' }])
  expect(page.getByRole('button', { name: 'Resend Link' }).elements()).toHaveLength(1)
})

test('a search that finds nobody says so, and is cleared', async () => {
  await shown()
  await search.fill('lahore')
  await expect.element(row('Bilal Ahmed')).not.toBeInTheDocument()
  await expect.element(row('Hina Malik')).toBeVisible()
  await search.fill('nobody at all')
  await expect.element(page.getByText('No data Found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search', exact: true }).last().click()
  await expect.element(row('Bilal Ahmed')).toBeVisible()
})

test('Confirm Delete deletes once and says so; Cancel does nothing', async () => {
  let users = [me, hina]
  await shown({
    [ALL]: () => answered(users),
    'DELETE /users/u2': () => {
      users = [me]
      return { body: { message: 'User deleted Successfully' } }
    },
  })
  const dialog = page.getByRole('dialog', { name: 'Delete Record?' })
  await page.getByRole('button', { name: 'Delete Hina Malik' }).click()
  await expect.element(dialog).toMatchTextContent(/Hina Malik/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(harness.calls('DELETE /users/u2')).toHaveLength(0)
  await page.getByRole('button', { name: 'Delete Hina Malik' }).click()
  await dialog.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect.element(row('Hina Malik')).not.toBeInTheDocument()
  expect(harness.toasts).toEqual(['User deleted Successfully'])
  expect(harness.calls('DELETE /users/u2')).toHaveLength(1)
})

test('somebody who comes, or whose group is renamed, is there without a reload', async () => {
  let users = [me]
  await shown({ [ALL]: () => answered(users) })
  await expect.element(row('Bilal Ahmed')).toBeVisible()
  users = [me, hina]
  harness.change({ subject: 'users', ids: ['u2'] })
  await expect.element(row('Hina Malik')).toBeVisible()
  users = [me, { ...hina, group: { ...hina.group, name: 'Lahore North' } }]
  harness.change({ subject: 'groups', ids: ['lahore'] })
  await expect.element(row('Hina Malik')).toMatchTextContent(/Lahore North/)
})

test('what fails is told and tried again; what is known stays', async () => {
  let isBroken = true
  await shown({
    [ALL]: () => (isBroken ? { status: 500, body: { code: 500, message: 'Out of order' } } : answered([me])),
  })
  await expect.element(page.getByText('The users could not be loaded')).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('Bilal Ahmed')).toBeVisible()
  isBroken = true
  harness.change({ subject: 'users', ids: [] })
  await expect.element(page.getByText('This list could not be brought up to date.')).toBeVisible()
  await expect.element(row('Bilal Ahmed')).toBeVisible()
})

test('of five thousand only those in view exist, and each can be reached', async () => {
  const many = Array.from({ length: 5000 }, (_, i) =>
    userOf(`n${i}`, { firstName: `User ${String(i).padStart(4, '0')}`, lastName: '' }),
  )
  await shown({ [ALL]: answered(many) })
  await expect.element(page.getByText('5,000 users in your group and below')).toBeVisible()
  await expect.element(page.getByRole('table', { name: 'Users' })).toHaveAttribute('aria-rowcount', '5001')
  expect(page.getByRole('row').elements().length).toBeLessThan(60)
  const scroller = document.querySelector('main')
  await expect
    .poll(() => {
      scroller?.scrollTo({ top: scroller.scrollHeight })
      return row('User 4999').elements().length
    })
    .toBe(1)
  await search.fill('4321')
  await expect.element(row('User 4321')).toBeInTheDocument()
})
