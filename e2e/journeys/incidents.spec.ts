import type { Page } from '@playwright/test'
import { expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { bringSession } from '../session.ts'

test.use({ world: { of: 'incidents', devices: 60 } })

/** Presses of keys and of the pointer. */
function counted(page: Page) {
  let presses = 0
  return {
    get presses() {
      return presses
    },
    async key(key: string) {
      presses++
      await page.keyboard.press(key)
    },
    async press(name: string | RegExp, role: 'button' | 'radio' = 'button') {
      presses++
      const one = page.getByRole(role, { name, exact: typeof name === 'string' })
      await (role === 'radio' ? one.locator('xpath=ancestor-or-self::label') : one).first().click()
    },
  }
}

test('what is worst is acknowledged with a reason and shelved, and others see who has it', async ({
  visitor: { page },
  app,
}) => {
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  await page.goto('/')
  const view = (name: RegExp) => page.getByRole('radio', { name })
  const rows = page.getByRole('list', { name: 'Violations' }).getByRole('listitem')
  await view(/^Open [1-9]/).waitFor({ state: 'attached' })
  await page.getByText(/^Open \d/).click()
  await expect(rows.first()).toContainText('Nobody has it')
  await expect(rows.first()).toContainText(/(above|below) /)
  const first = rows.first().getByRole('button')
  await first.focus()

  const acknowledging = counted(page)
  await acknowledging.key('a')
  await acknowledging.press('Defrost')
  await expect(rows.first()).toContainText('has it, acknowledged')
  expect(acknowledging.presses).toBeLessThanOrEqual(3)
  await expect(view(/^Mine 1$/)).toBeAttached()

  const other = await page.context().newPage()
  await other.goto('/')
  await other.getByText(/^Mine 1$/).click()
  await expect(other.getByRole('list', { name: 'Violations' }).getByRole('listitem')).toHaveCount(1)

  await first.focus()
  const shelving = counted(page)
  await shelving.key('s')
  await shelving.press('Sensor fault')
  await shelving.press('4 h')
  expect(shelving.presses).toBe(3)
  await expect(rows.first()).toContainText('Shelved until')

  await other.getByText(/^Known 1$/).click()
  const shelved = other.getByRole('region', { name: 'Shelved' })
  await expect(shelved).toContainText('Sensor fault')
  await shelved.getByRole('button', { name: /^End early/ }).click()
  await expect(shelved).toBeHidden()
  await expect(view(/^Mine 1$/)).toBeAttached()
  await other.close()
})
