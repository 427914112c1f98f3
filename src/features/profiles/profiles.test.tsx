import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import { profileOf } from '../../layout/loads/testing/make-loads.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { keptDrafts, noDrafts } from '../../layout/testing/no-drafts.ts'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import NewProfile from './new-profile.tsx'
import { changesOf } from './profile-history.tsx'
import ProfilePage from './profile-page.tsx'
import Profiles from './profiles.tsx'

let harness: PageHarness | undefined
afterEach(() => {
  harness?.unmount()
  harness = undefined
})

const PROFILES = Object.keys(SHIPPED_PROFILES).map((id) => profileOf(id))
const MEDICINES = profileOf('medicines-2-8')

async function shown(
  element: React.ReactNode,
  at: string,
  server: Server,
  mayChange = true,
  drafts = noDrafts,
) {
  harness = await mountPage(element, {
    at,
    drafts,
    fleet: createFleet((call) => call()),
    server: {
      'GET /profiles': { body: { profiles: PROFILES, mayChange } },
      'GET /profile-assignments': {
        body: { above: null, groups: [{ groupId: 'g1', profileId: 'medicines-2-8' }], devices: [] },
      },
      ...server,
    },
  })
}
const onPage = (
  <Route path="/profiles/:profileId">
    <ProfilePage />
  </Route>
)

test('every profile says its rules in words, its source and what has it', async () => {
  await shown(<Profiles />, '/profiles', {})
  const card = page
    .getByRole('list', { name: 'Profiles' })
    .getByRole('listitem')
    .filter({ hasText: 'Medicines 2–8 °C' })
  await expect
    .element(card.first())
    .toMatchTextContent(
      /as shipped.*Never above 15 °C.*Above 8 °C for at most 24 h in all.*Source: USP <1079.2>.*Assigned to 1 group/,
    )
  await expect.element(page.getByRole('link', { name: 'Add Profile' })).toBeVisible()
})

test('a changed limit is saved as the next version, which its history shows with who set it', async () => {
  const changed: Profile = {
    ...MEDICINES,
    number: 1,
    version: '1',
    rules: MEDICINES.rules.map((rule, i) => (i === 1 ? { ...rule, limit: 9 } : rule)),
    changedAt: '2026-11-25T06:00:00.000Z',
    changedBy: { _id: 'u1', name: 'Bilal' },
  }
  let versions = [MEDICINES]
  await shown(onPage, '/profiles/medicines-2-8', {
    'GET /profiles/medicines-2-8': { body: MEDICINES },
    'GET /profiles/medicines-2-8/history': () => ({ body: { versions } }),
    'PUT /profiles/medicines-2-8': () => {
      versions = [changed, MEDICINES]
      return { body: changed }
    },
  })
  const rule = page.getByRole('region', { name: 'Rule 2' })
  await rule.getByLabelText('Limit').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Each limit and time must be a number')).toBeVisible()
  await rule.getByLabelText('Limit').fill('9')
  await expect.element(rule).toMatchTextContent(/Above 9 °C for at most 24 h in all/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .element(page.getByRole('list', { name: 'Versions' }))
    .toMatchTextContent(/Bilal.*changed it · version 1.*Above 8 °C.*Above 9 °C.*Frostline.*shipped it/)
  const [sent] = harness?.calls('PUT /profiles/medicines-2-8') ?? []
  const body = sent?.body as Profile | undefined
  expect(body?.rules[1]).toEqual({ ...MEDICINES.rules[1], limit: 9 })
  expect(sent?.headers.get('if-match')).toBe('"0"')
})

const READ: Server = {
  'GET /profiles/medicines-2-8': { body: MEDICINES },
  'GET /profiles/medicines-2-8/history': { body: { versions: [MEDICINES] } },
}

test('a time that is empty is no number, and neither is it counted only nor saved', async () => {
  await shown(onPage, '/profiles/medicines-2-8', READ)
  const rule = page.getByRole('region', { name: 'Rule 2' })
  await rule.getByLabelText('Time').fill('')
  await expect.element(rule.getByLabelText('Time')).toHaveFocus()
  await expect.element(rule).toMatchTextContent(/A number is missing.*For a time in all/)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Each limit and time must be a number')).toBeVisible()
  expect(harness?.calls('PUT /profiles/medicines-2-8')).toEqual([])
})

test('a time may begin with a 0, which is never only where that is chosen', async () => {
  await shown(onPage, '/profiles/medicines-2-8', READ)
  const rule = page.getByRole('region', { name: 'Rule 2' })
  await rule.getByLabelText('Time').fill('0')
  await expect.element(rule).toMatchTextContent(/Never above 8 °C.*For a time in all/)
  await expect.element(rule.getByLabelText('Time')).toHaveFocus()
  await userEvent.keyboard('.5')
  await expect.element(rule.getByLabelText('Time')).toHaveValue('0.5')
})

test('an excursion above what is empty is no number, and stays asked for', async () => {
  await shown(onPage, '/profiles/medicines-2-8', READ)
  const rule = page.getByRole('region', { name: 'Rule 4' })
  await rule.getByLabelText('Excursion above').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Each limit and time must be a number')).toBeVisible()
  await expect.element(rule.getByLabelText('Excursion above')).toBeVisible()
})

test('who may not change it reads it', async () => {
  await shown(onPage, '/profiles/medicines-2-8', READ, false)
  await expect.element(page.getByText('Managers change profiles.')).toBeVisible()
  expect(page.getByRole('button', { name: 'Save' }).query()).toBeNull()
})

test('a rule is added and taken away by the keyboard alone', async () => {
  await shown(onPage, '/profiles/medicines-2-8', READ)
  const add = page.getByRole('button', { name: 'Time beyond a limit' })
  await expect.element(add).toBeVisible()
  ;(add.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('region', { name: 'Rule 5' })).toBeVisible()
  ;(page.getByRole('button', { name: 'Remove rule 5' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(page.getByRole('region', { name: 'Rule 5' }).query()).toBeNull()
})

test('what the server would refuse of a rule is said before it is sent', async () => {
  await shown(<NewProfile />, '/profiles/add', {})
  await page.getByRole('textbox', { name: 'Name' }).fill('Plasma')
  const rule = page.getByRole('region', { name: 'Rule 1' })
  await rule.getByText('Longer if never beyond another limit').click()
  await expect.element(rule.getByLabelText('The longer time')).toHaveValue('2880')
  await rule.getByLabelText('The longer time').fill('360')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText('Rule 1: This must be longer than the other')).toBeVisible()
  expect(harness?.calls('POST /profiles')).toEqual([])
})

test('what the server finds at no field of the form is said beside Add', async () => {
  const message = 'This must be below all that was measured'
  await shown(<NewProfile />, '/profiles/add', {
    'POST /profiles': {
      status: 422,
      body: {
        code: 422,
        message,
        path: 'surroundings.high',
        errors: [{ path: 'surroundings.high', message }],
      },
    },
  })
  await page.getByRole('textbox', { name: 'Name' }).fill('Plasma')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(page.getByText(message)).toBeVisible()
})

test('what is typed of a new profile is there again where the page had to go, an emptied number too', async () => {
  const drafts = keptDrafts()
  await shown(<NewProfile />, '/profiles/add', {}, true, drafts)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Plasma')
  const coldest = page.getByRole('textbox', { name: 'Coldest surroundings' })
  await coldest.clear()
  expect(drafts.keep()).toBe(true)
  harness?.unmount()
  await shown(<NewProfile />, '/profiles/add', {}, true, drafts)
  await expect.element(name).toHaveValue('Plasma')
  await expect.element(coldest).toHaveValue('')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(coldest).toHaveAccessibleDescription('A number is expected')
})

test('what is the same in two versions is not named', () => {
  expect(changesOf(MEDICINES, { ...MEDICINES, number: 2, version: '2' })).toEqual([])
  expect(changesOf(MEDICINES, { ...MEDICINES, mktDecides: false })).toEqual([
    { what: 'The mean kinetic temperature', was: 'decides', is: 'is shown only' },
  ])
})
