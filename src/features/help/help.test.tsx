import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import Help from './help.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const bam = { firstName: 'Ayesha', lastName: 'Khan', email: 'ayesha@frostline.example', phone: '03001234567' }
const partner = { emergencyHelpLineNumber: '+92 42 5550199', emergencyEmail: 'help@frostline.example' }
const group = groupOf('top', { name: 'Indus', users: 1, version: '1.0' })

async function shown(contacts: { bam?: typeof bam | null; partner?: typeof partner | null }) {
  harness = await mountPage(<Help />, {
    at: '/help',
    server: { 'GET /groups/top': { body: { ...group, ...contacts } } },
    fleet: createFleet((call) => call()),
  })
}
const line = page.getByRole('heading', { name: 'Emergency Help Line' })
const manager = page.getByRole('heading', { name: 'Business Account Manager' })

test('says whom to call, and calls them at a press', async () => {
  await shown({ bam, partner })
  await expect.element(line).toBeVisible()
  await expect.element(page.getByText('Ayesha Khan')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /5550199/ }))
    .toHaveAttribute('href', 'tel:+92 42 5550199')
  await expect
    .element(page.getByRole('link', { name: /ayesha@/ }))
    .toHaveAttribute('href', 'mailto:ayesha@frostline.example')
})

test('what is not on record is no link, and who has nothing on record is not shown', async () => {
  const nothing = { firstName: '', lastName: '', email: '', phone: '' }
  await shown({ bam: { ...nothing, firstName: 'Ayesha' }, partner: { ...partner, emergencyEmail: '' } })
  await expect.element(page.getByText('Ayesha')).toBeVisible()
  expect(
    page
      .getByRole('link')
      .elements()
      .map((one) => one.getAttribute('href')),
  ).toEqual(['tel:+92 42 5550199'])
  harness.unmount()
  await shown({ bam: nothing, partner: null })
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
})

test('shows each only where there is one', async () => {
  await shown({ bam: null, partner })
  await expect.element(line).toBeVisible()
  await expect.element(manager).not.toBeInTheDocument()
  harness.unmount()
  await shown({ bam })
  await expect.element(manager).toBeVisible()
  await expect.element(line).not.toBeInTheDocument()
  harness.unmount()
  await shown({})
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
  // nothing else takes the focus: from here the page is scrolled by keys
  await expect.element(page.getByRole('region', { name: 'All keys' })).toHaveAttribute('tabindex', '0')
})
