import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SigningOff } from '#machines/contracts/entities/sign-off.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { createFleet } from '../read-model/fleet.ts'
import { SignOffDialog } from './sign-off-dialog.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

/** What was signed, and how often it was closed. */
async function shown(sign: (signing: SigningOff) => Promise<void>) {
  let closed = 0
  harness = await mountPage(
    <SignOffDialog
      title="Close the case"
      meanings={['reviewed', 'approved']}
      name="Ayesha Khan"
      act="Close the case"
      sign={sign}
      onClose={() => closed++}
    >
      For good.
    </SignOffDialog>,
    { at: '/', server: {}, fleet: createFleet((call) => call()) },
  )
  return { closed: () => closed }
}
const why = page.getByLabelText('Why', { exact: true })
const password = page.getByLabelText('Your password, as Ayesha Khan')
const button = page.getByRole('button', { name: 'Close the case' })

test('signs with a reason, a meaning and the password, by keys alone', async () => {
  const signed: SigningOff[] = []
  const { closed } = await shown(async (one) => void signed.push(one))
  await expect.element(why).toHaveFocus()
  await userEvent.keyboard(' Door open {Tab}Fr0st#line24')
  await expect.element(password).toHaveValue('Fr0st#line24')
  await userEvent.keyboard('{Shift>}{Tab}{Tab}{/Shift}{ArrowRight}')
  await expect.element(page.getByRole('radio', { name: 'Approved' })).toBeChecked()
  await userEvent.keyboard('{Tab}{Tab}{Enter}')
  await expect
    .poll(() => signed)
    .toEqual([{ reason: 'Door open', meaning: 'approved', password: 'Fr0st#line24' }])
  expect(closed()).toBe(1)
})

test('says what is missing, and sends nothing', async () => {
  const signed: SigningOff[] = []
  await shown(async (one) => void signed.push(one))
  await button.click()
  await expect.element(page.getByText('Please say why')).toBeVisible()
  await expect.element(page.getByText('Please enter your password')).toBeVisible()
  await expect.element(why).toHaveFocus()
  expect(signed).toEqual([])
})

test('a wrong password is said at its field and typed anew, what else was refused stands beneath; the reason stays', async () => {
  const refusals = [
    new CallRefused(
      422,
      'The password is wrong',
      { errors: [{ path: 'password', message: 'The password is wrong' }], message: '' },
      false,
    ),
    new CallRefused(429, 'Too many attempts, try again in 5 s', {}, false),
  ]
  const { closed } = await shown(async () => {
    throw refusals.shift()
  })
  await why.fill('Door open')
  await password.fill('wrong')
  await button.click()
  await expect.element(page.getByText('The password is wrong')).toBeVisible()
  await expect.element(password).toHaveValue('')
  await password.fill('wrong again')
  await button.click()
  await expect.element(page.getByText('Too many attempts, try again in 5 s')).toBeVisible()
  await expect.element(why).toHaveValue('Door open')
  expect(closed()).toBe(0)
})
