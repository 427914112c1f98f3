import { afterEach, expect, onTestFinished, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import { plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import Groups from './groups.tsx'
import { reveal } from './kept-expanded.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const karachi = groupOf('karachi', {
  name: 'Karachi',
  parentId: 'south',
  totalVehicles: 3,
  unAssignedvehicles: 3,
})
const south = groupOf('south', {
  name: 'South',
  parentId: 'top',
  totalVehicles: 5,
  assignedVehicles: 3,
  unAssignedvehicles: 2,
  users: 1,
  child: [karachi],
})
const tree = (more = {}) =>
  groupOf('top', { name: 'Indus', totalVehicles: 5, assignedVehicles: 5, child: [south], ...more })
const ALL = 'GET /groups/company/indus'

let fleet: Fleet
async function shown(server: Server = { [ALL]: { body: [tree()] } }) {
  fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [], [plainGroup('top'), plainGroup('south', 'top')]))
  harness = await mountPage(<Groups />, { at: '/groups', server, fleet })
}
const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name} `) })

test('groups stand below each other with their counts, and the own one is neither edited nor deleted', async () => {
  await shown()
  await expect.element(row('South')).toHaveAttribute('aria-level', '2')
  await expect.element(row('South')).toMatchTextContent(/5 devices ?3 assigned below ?2 unassigned ?1 user/)
  await expect
    .element(page.getByRole('link', { name: 'Edit South' }))
    .toHaveAttribute('href', '/groups/south/update')
  await expect.element(page.getByRole('button', { name: 'Delete South' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Edit Indus' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Delete Indus' })).not.toBeInTheDocument()
  for (const head of [
    'GROUP NAME',
    'TOTAL DEVICES',
    'ASSIGNED DEVICES',
    'UNASSIGNED DEVICES',
    'NUMBER OF USERS',
    'ACTION',
  ])
    await expect.element(page.getByRole('columnheader', { name: head, exact: true })).toBeInTheDocument()
})

test('on paper, which is narrower than a desk, groups stand below each other', async () => {
  const media = (name: string) => cdp().send('Emulation.setEmulatedMedia', { media: name })
  await page.viewport(1280, 800)
  await shown()
  await expect.element(row('Karachi')).toBeVisible()
  const karachi = row('Karachi').element()
  // as the browser lays paper out: nothing is measured anew
  onTestFinished(() => media('').then(() => {}))
  await media('print')
  karachi.closest('main')?.style.setProperty('width', '703px')
  const rows = page.getByRole('row').elements().slice(1)
  for (const [i, one] of rows.entries()) {
    expect(getComputedStyle(one).transform).toBe('none')
    if (i > 0)
      expect(one.getBoundingClientRect().top).toBeGreaterThanOrEqual(
        rows[i - 1]?.getBoundingClientRect().bottom ?? 0,
      )
  }
})

test('arrow keys walk, fold and unfold; Enter opens the form', async () => {
  await shown()
  await expect.element(row('Indus')).toBeVisible()
  ;(row('Indus').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(row('South')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(row('Karachi')).not.toBeInTheDocument()
  await expect.element(row('South')).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(row('Karachi')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}k{Enter}')
  expect(harness.went()).toEqual(['/groups'])
  await userEvent.keyboard('{Home}jj{Enter}')
  await expect.poll(harness.went).toEqual(['/groups', '/groups/karachi/update'])
})

test('a search finds what is folded away, and says when nothing is there', async () => {
  await shown()
  await page.getByRole('button', { name: 'Fold Indus' }).click()
  await page.getByRole('textbox', { name: 'Search groups' }).fill('kara')
  await expect.element(row('Karachi')).toBeVisible()
  await page.getByRole('textbox', { name: 'Search groups' }).fill('nowhere')
  await expect.element(page.getByText('No data Found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).first().click()
  await expect.element(row('Indus')).toBeVisible()
})

test('counts follow what others change, without losing the place', async () => {
  let users = 1
  await shown({ [ALL]: () => ({ body: [tree({ child: [{ ...south, users }] })] }) })
  await page.getByRole('button', { name: 'Fold South' }).click()
  users = 12
  harness.change({ subject: 'users', ids: ['u7'] })
  await expect.element(row('South')).toMatchTextContent(/12 users/)
  await expect.element(row('Karachi')).not.toBeInTheDocument()
})

test('what changed while the link was cut is there once it is back', async () => {
  let name = 'South'
  await shown({ [ALL]: () => ({ body: [tree({ child: [{ ...south, name }] })] }) })
  await expect.element(row('South')).toBeVisible()
  harness.link('offline')
  name = 'Far south'
  harness.link('live')
  await expect.element(row('Far south')).toBeVisible()
})

test('who comes back finds open what stood open, and what was put somewhere', async () => {
  await shown()
  await page.getByRole('button', { name: 'Fold Indus' }).click()
  harness.unmount()
  harness = await mountPage(<Groups />, { at: '/groups', server: { [ALL]: { body: [tree()] } }, fleet })
  await expect.element(row('Indus')).toHaveAttribute('aria-expanded', 'false')
  harness.unmount()
  reveal(fleet, 'south')
  harness = await mountPage(<Groups />, { at: '/groups', server: { [ALL]: { body: [tree()] } }, fleet })
  await expect.element(row('Karachi')).toBeVisible()
})

test('deleting says what becomes of what is in it, and happens once', async () => {
  await shown({
    [ALL]: () => ({ body: [harness?.calls('DELETE /groups/south').length ? tree({ child: [] }) : tree()] }),
    'DELETE /groups/south': {
      body: { message: 'ok', to: { _id: 'top', name: 'Indus' }, moved: { devices: 2, users: 1, groups: 1 } },
    },
  })
  await page.getByRole('button', { name: 'Delete South' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Record?' })
  await expect.element(dialog).toMatchTextContent(/2 devices, 1 user and 1 group with 3 devices go to Indus/)
  await expect.element(dialog).toMatchTextContent(/Scheduled reports on all its vehicles end with it/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(harness.calls('DELETE /groups/south')).toEqual([])
  await page.getByRole('button', { name: 'Delete South' }).click()
  await dialog.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect.element(row('South')).not.toBeInTheDocument()
  expect(harness.toasts).toEqual(['Group deleted Successfully'])
  expect(harness.calls('DELETE /groups/south')).toHaveLength(1)
})

test('a failure is told with a way to try again', async () => {
  let isDown = true
  await shown({
    [ALL]: () => (isDown ? { status: 503, body: { code: 503, message: 'Starting' } } : { body: [tree()] }),
  })
  await expect.element(page.getByText('The groups could not be loaded')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('South')).toBeVisible()
})

test('of a thousand groups only those in view exist', async () => {
  const many = Array.from({ length: 1000 }, (_, i) =>
    groupOf(`g${i}`, { name: `Group ${i}`, parentId: 'top' }),
  )
  await shown({ [ALL]: { body: [tree({ child: many })] } })
  await expect.element(row('Group 0')).toHaveAttribute('aria-setsize', '1000')
  expect(document.querySelectorAll('tbody tr').length).toBeLessThan(60)
  ;(row('Group 0').element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(row('Group 999')).toHaveFocus()
})
