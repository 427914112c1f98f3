import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createFleet } from '../read-model/fleet.ts'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'
import ViewsDialog from './views-dialog.tsx'

const view = (name: string, more = {}) => ({
  ...{ _id: `vw-${name}`, name, path: `/?q=${name}`, isGroups: false, savedBy: 'Bilal Ahmed' },
  ...{ savedAt: '2026-11-23T10:00:00.000Z', mayRemove: true, ...more },
})
const mine = view('Reefers')
const ours = view('Night', { isGroups: true, mayRemove: false, savedBy: 'Ayesha Khan' })
let harness: PageHarness
let closed = 0
afterEach(() => harness.unmount())

async function open(
  views: object[],
  savesForGroup = true,
  more = {},
  at = '/notifications?q=100%25&status=open',
) {
  closed = 0
  harness = await mountPage(<ViewsDialog onClose={() => closed++} />, {
    at,
    server: {
      'GET /views': { body: { views, savesForGroup } },
      'POST /views': { status: 201, body: { views: [], savesForGroup } },
      'DELETE /views/vw-Reefers': { body: { views: [], savesForGroup } },
      ...more,
    },
    fleet: createFleet((call) => call()),
  })
}
const name = page.getByRole('textbox', { name: 'Save this page as' })

test('the page is saved by name as its address says it, for oneself or the group', async () => {
  await open([])
  await expect.element(page.getByText(/^Nothing is saved yet/)).toBeVisible()
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard(' Open ones {Enter}')
  await expect.element(name).toHaveValue('')
  await name.fill('All of us')
  await page.getByText('For everybody of the group').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(name).toHaveValue('')
  const path = '/notifications?q=100%25&status=open'
  expect(harness.calls('POST /views').map(({ body }) => body)).toEqual([
    { name: 'Open ones', path, isGroups: false },
    { name: 'All of us', path, isGroups: true },
  ])
})

test('without a name nothing is saved, and a name that is there is said to be', async () => {
  await open([mine], false)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('A view needs a name')
  await name.fill('reefers')
  await expect.element(page.getByText('It takes the place of the view of this name')).toBeVisible()
  await expect.element(page.getByRole('switch')).not.toBeInTheDocument()
  expect(harness.calls('POST /views')).toEqual([])
})

test('what is saved is opened, and removed by whoever may', async () => {
  await open([mine, ours])
  await expect.element(page.getByRole('button', { name: 'Remove “Night”' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Remove “Reefers”' }).click()
  await expect.poll(() => harness.calls('DELETE /views/vw-Reefers').length).toBe(1)
  await page.getByRole('link', { name: /^Night/ }).click()
  expect([harness.went().at(-1), closed]).toEqual(['/?q=Night', 1])
})

test.each([
  ['of which the address says only that they are many', '/?groups=~*'],
  ['that take more than a view holds', `/?groups=${'g'.repeat(2000)}`],
])('groups %s are no view to save, and it is said why', async (_, at) => {
  await open([mine], true, {}, at)
  await expect.element(page.getByText(/^More is picked on this page than a view can hold/)).toBeVisible()
  await expect.element(name).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'Reefers' })).toBeVisible()
})

test('a list that does not come can be asked for again; what is refused is told and stays typed', async () => {
  await open([], true, {
    'GET /views': { status: 500, body: { code: 500, message: 'No' } },
    'POST /views': {
      status: 409,
      body: { code: 409, message: 'There are as many views as there may be: remove one first' },
    },
  })
  await expect.element(page.getByText('The views could not be loaded')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await name.fill('One more')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => harness.toasts)
    .toEqual(['There are as many views as there may be: remove one first'])
  await expect.element(name).toHaveValue('One more')
})
