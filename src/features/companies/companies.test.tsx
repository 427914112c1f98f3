import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route, Switch } from 'wouter'
import type { CompanyDetail, CompanyRow } from '#machines/contracts/entities/companies.ts'
import { mountPage, type PageHarness, SESSION } from '../../layout/testing/mount-page.tsx'
import type { Answer, Server } from '../../layout/testing/test-root.ts'
import { topOf } from '../../layout/testing/top-of.ts'
import { createFleet } from '../../read-model/fleet.ts'
import Companies from './companies.tsx'
import Company from './company.tsx'
import NewCompany from './new-company.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const ADMINISTRATOR = {
  ...SESSION,
  accessToken: `h.${btoa(JSON.stringify({ exp: 1_900_000_000, superAdmin: true }))}.s`,
}
const rowOf = (_id: string, name: string, rest: Partial<CompanyRow> = {}): CompanyRow => ({
  ...{ _id, name, suspended: false, suspendedBecause: null },
  ...{ devices: 1200, users: 3, readingsAMinute: 40.2, lastWordAt: null },
  ...rest,
})
const RAVI: CompanyDetail = {
  ...{ _id: 'ravi', name: 'Ravi Foods', suspended: false, suspendedBecause: null, timeZone: 'Asia/Karachi' },
  ...{ bam: null, partner: null, retentionDays: null, managersAddDevices: false },
  ...{ groupId: 'top', createdAt: '2026-05-04T06:00:00.000Z', version: '1' },
}
const FIGURES = {
  ...{ devices: 2, users: 1, readingsAMinute: 4, lastWordAt: null, storedBytes: 2048, isEstimated: false },
}

async function shown(at: string, server: Server = {}, session = ADMINISTRATOR) {
  harness = await mountPage(
    <Switch>
      <Route path="/admin/companies" component={Companies} />
      <Route path="/admin/companies/new" component={NewCompany} />
      <Route path="/admin/companies/:companyId" component={Company} />
    </Switch>,
    {
      at,
      session,
      fleet: createFleet((call) => call()),
      server: {
        'GET /admin/companies': { body: [] },
        'GET /admin/companies/ravi': { body: RAVI },
        'GET /admin/companies/ravi/figures': { body: FIGURES },
        'GET /companies/ravi/keys': { body: [] },
        ...server,
      },
    },
  )
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const fits = (): boolean => {
  const place = document.querySelector('main') as HTMLElement
  return place.scrollWidth <= place.clientWidth
}

test('a server without a company says so, and leads to the first', async () => {
  await shown('/admin/companies')
  await expect.element(page.getByText('Add the first company.')).toBeVisible()
  await page.getByRole('link', { name: 'Add Company' }).click()
  await expect.element(page.getByRole('heading', { name: 'New company' })).toBeVisible()
})

test('companies are listed with what they have; a suspended one is not entered', async () => {
  await shown('/admin/companies', {
    'GET /admin/companies': {
      body: [
        rowOf('ravi', 'Ravi Foods'),
        rowOf('thar', 'Thar Dairy', { suspended: true, suspendedBecause: 'unpaid' }),
      ],
    },
  })
  await expect
    .element(page.getByRole('row', { name: /Ravi Foods/ }))
    .toMatchTextContent(/Ravi Foods.*1,200.*3.*40.*no reading yet/)
  await expect.element(page.getByRole('row', { name: /Thar Dairy/ })).toMatchTextContent(/Suspended/)
  await expect.element(button('Enter Ravi Foods')).toBeEnabled()
  await expect.element(button('Enter Thar Dairy')).toBeDisabled()
})

test('companies that cannot be loaded are loaded again', async () => {
  let isBroken = true
  await shown('/admin/companies', {
    'GET /admin/companies': () =>
      isBroken
        ? { status: 500, body: { code: 500, message: 'broken' } }
        : { body: [rowOf('ravi', 'Ravi Foods')] },
  })
  await expect.element(page.getByText('The companies could not be loaded')).toBeVisible()
  isBroken = false
  await button('Try again').click()
  await expect.element(page.getByRole('link', { name: 'Ravi Foods' })).toBeVisible()
})

test('what is wrong with a new company is said at its field, before and by the server, and nothing typed is lost', async () => {
  const message = 'There is a company of this name'
  let isTaken = true
  await shown('/admin/companies/new', {
    'POST /admin/companies': () =>
      isTaken
        ? { status: 422, body: { code: 422, message, path: 'name', errors: [{ path: 'name', message }] } }
        : { status: 201, body: RAVI },
  })
  await expect.element(field('Name')).toBeVisible()
  await expect.element(page.getByText(/^Empty or over 92: 92,/)).toBeVisible()
  await field('Days that readings are kept').fill('many')
  await button('Add Company').click()
  await expect.element(field('Name')).toHaveFocus()
  expect(harness.calls('POST /admin/companies')).toEqual([])
  await field('Name').fill('Ravi Foods')
  await field('Days that readings are kept').fill('90')
  await button('Add Company').click()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(field('Days that readings are kept')).toHaveValue('90')
  isTaken = false
  await button('Add Company').click()
  await expect.poll(() => harness.toasts).toEqual(['Ravi Foods is there. Invite its first manager next.'])
  await expect.element(button('Invite a manager')).toBeVisible()
  expect(harness.calls('POST /admin/companies').at(-1)?.body).toMatchObject({
    name: 'Ravi Foods',
    retentionDays: 90,
  })
})

test('a company is suspended with a reason, by the keyboard alone', async () => {
  let isSuspended = false
  const company = () => ({ ...RAVI, suspended: isSuspended, suspendedBecause: isSuspended ? 'unpaid' : null })
  await shown('/admin/companies/ravi', {
    'GET /admin/companies/ravi': () => ({ body: company() }),
    'POST /admin/companies/ravi/suspend': () => {
      isSuspended = true
      return { body: company() }
    },
  })
  await expect.element(button('Suspend')).toBeVisible()
  ;(button('Suspend').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/Everybody of it is out at once/)).toBeVisible()
  const reason = field('Reason').element()
  while (document.activeElement !== reason) await userEvent.tab()
  await userEvent.keyboard('unpaid')
  const suspend = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Suspend' })
  while (document.activeElement !== suspend.element()) await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Resume')).toBeVisible()
  await expect.element(page.getByText(/unpaid/)).toBeVisible()
  await expect.element(button('Enter')).toBeDisabled()
  expect(harness.calls('POST /admin/companies/ravi/suspend').map(({ body }) => body)).toEqual([
    { reason: 'unpaid' },
  ])
})

test('the form of a company stays where it is when its figures come', async () => {
  const figures = Promise.withResolvers<Answer>()
  await shown('/admin/companies/ravi', {
    'GET /admin/companies/ravi/figures': () => figures.promise,
  })
  const save = page.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeVisible()
  const before = topOf(save.element())
  figures.resolve({ body: FIGURES })
  await expect.element(page.getByText('no reading yet')).toBeVisible()
  expect(topOf(save.element())).toBe(before)
})

test('a manager whose address is taken is not invited, and what was typed stays', async () => {
  const message = 'This e-mail address is taken'
  await shown('/admin/companies/ravi', {
    'POST /admin/companies/ravi/managers': {
      status: 422,
      body: { code: 422, message, path: 'email', errors: [{ path: 'email', message }] },
    },
  })
  await button('Invite a manager').click()
  await field('First name').fill('Amna')
  await field('Last name').fill('Malik')
  await field('E-mail').fill('amna@ravi.example')
  await field('Phone').fill('03001234567')
  await button('Invite').click()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(field('E-mail')).toHaveValue('amna@ravi.example')
})

test('closing the invitation leaves what is typed of the company as it is, and asks nothing', async () => {
  await shown('/admin/companies/ravi', { 'PUT /admin/companies/ravi': { body: { ...RAVI, name: 'Ravi' } } })
  await field('Name').fill('Ravi')
  await button('Invite a manager').click()
  await button('Cancel').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(field('Name')).toHaveValue('Ravi')
  await button('Save').click()
  await expect.poll(() => harness.toasts).toEqual(['Ravi is saved'])
})

test('an invitation that is filled in asks before it is closed', async () => {
  await shown('/admin/companies/ravi')
  await button('Invite a manager').click()
  await field('First name').fill('Amna')
  await button('Cancel').click()
  await button('Leave').click()
  await expect.element(field('First name')).not.toBeInTheDocument()
  await expect.element(field('Name')).toHaveValue('Ravi Foods')
})

test('who is no administrator is led away, and nothing is asked', async () => {
  await shown('/admin/companies', {}, SESSION)
  await expect.poll(() => harness.went()).toContain('/')
  expect(harness.calls('GET /admin/companies')).toEqual([])
})

test.each([['/admin/companies'], ['/admin/companies/ravi'], ['/admin/companies/new']])(
  'on a phone nothing of %s is wider than the screen',
  async (at) => {
    await page.viewport(390, 844)
    const long = 'Ravi Foods and Cold Stores of the Northern Districts Limited'
    await shown(at, {
      'GET /admin/companies': { body: [rowOf('ravi', long, { suspended: true })] },
      'GET /admin/companies/ravi': { body: { ...RAVI, name: long, suspended: true, suspendedBecause: long } },
    })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (at.endsWith('ravi')) await expect.element(field('Name')).toHaveValue(long)
    if (at.endsWith('companies')) await expect.element(page.getByRole('link', { name: long })).toBeVisible()
    expect(fits()).toBe(true)
  },
)
