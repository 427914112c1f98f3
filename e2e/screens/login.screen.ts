import { expect, type Locator, type Page } from '@playwright/test'

/** The way in. */
export class LoginScreen {
  readonly page: Page
  readonly email: Locator
  readonly password: Locator
  readonly login: Locator
  readonly demoAccounts: Locator

  constructor(page: Page) {
    this.page = page
    this.email = page.getByRole('textbox', { name: 'Email' })
    this.password = page.getByLabel('Password', { exact: true })
    this.login = page.getByRole('button', { name: 'Login' })
    this.demoAccounts = page.getByRole('region', { name: 'Demo accounts' })
  }

  async open(): Promise<void> {
    await this.page.goto('/login')
    await this.isShown()
  }

  async isShown(): Promise<void> {
    await expect(this.page).toHaveURL(/\/login$/)
    await expect(this.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.email.fill(email)
    await this.password.fill(password)
    await this.login.click()
  }

  async pickDemoAccount(email: string): Promise<void> {
    await this.demoAccounts.getByRole('button', { name: email }).click()
  }
}
