import { expect, type Locator, type Page } from '@playwright/test'

/** What an activation link can turn out to be. */
export type LinkOutcome =
  | 'valid'
  | 'expired'
  | 'used'
  | 'refused'
  | 'unknown'
  | 'unanswered'
  | 'done'
  | 'checking'

/** What a link is for: the first password of an account, or another one. */
export type LinkPurpose = 'activation' | 'password'

const headings: Record<Exclude<LinkOutcome, 'checking'>, string> = {
  valid: 'Activate your account',
  expired: 'This link has expired',
  used: 'This link was already used',
  refused: 'Another user already logged in, please logout and activate your account.',
  unknown: 'Invalid link',
  unanswered: 'The link could not be checked',
  done: 'Your account is ready',
}
const headingsOf = {
  activation: headings,
  password: { ...headings, valid: 'Set password', done: 'Your password is set' },
}

/** The pages around signing in: mails asked for, links opened, passwords chosen, companies entered. */
export class AccessScreen {
  readonly page: Page
  readonly email: Locator
  readonly code: Locator
  /** the new password, whatever it is called on the page */
  readonly password: Locator
  readonly again: Locator
  readonly submit: Locator
  readonly resend: Locator
  readonly retry: Locator
  readonly logout: Locator
  readonly alreadyCreated: Locator
  readonly toLogin: Locator
  readonly askForAnother: Locator
  /** of a password while it is typed: what the rule asks for, and how strong it is */
  readonly rule: Locator
  /** above everything while an administrator is inside a company */
  readonly banner: Locator

  constructor(page: Page) {
    this.page = page
    this.email = page.getByRole('textbox', { name: 'Email' })
    this.code = page.getByRole('textbox', { name: 'Confirmation code' })
    this.password = page.getByLabel(/^(New|Set) password$/)
    this.again = page.getByLabel(/^(Confirm|Retype) password$/)
    this.submit = page.locator('button[type=submit]')
    this.resend = page.getByRole('button', { name: /^(Resend Link|Sending…)$/ })
    this.retry = page.getByRole('button', { name: 'Try again' })
    this.logout = page.getByRole('button', { name: 'Logout' })
    this.alreadyCreated = page.getByRole('button', { name: 'Account already created. Goto Login Page' })
    this.toLogin = page.getByRole('link', { name: 'Goto Login Page' })
    this.askForAnother = page.getByRole('link', { name: 'Ask for another' })
    this.rule = page
      .getByText('Use numbers, special characters, uppercase and lowercase letters.')
      .locator('..')
    this.banner = page.getByRole('complementary', { name: 'Administrator' })
  }

  async requestMail(email: string): Promise<void> {
    await this.page.goto('/forgot-password')
    await this.email.fill(email)
    await this.page.getByRole('button', { name: 'Reset Password' }).click()
  }

  /** an address of a mail, opened in this portal */
  async open(link: string): Promise<void> {
    await this.page.goto(new URL(link, 'http://portal').pathname)
  }

  async choose(password: string, again = password): Promise<void> {
    await this.password.fill(password)
    await this.again.fill(again)
    await this.submit.click()
  }

  async shows(outcome: LinkOutcome, purpose: LinkPurpose = 'activation'): Promise<void> {
    if (outcome === 'checking') await expect(this.page.getByRole('status', { name: 'Loading' })).toBeVisible()
    else
      await expect(
        this.page.getByRole('heading', { name: headingsOf[purpose][outcome], exact: true }),
      ).toBeVisible()
  }

  async enterCompany(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Enter ${name}` }).click()
  }

  async leaveCompany(): Promise<void> {
    await this.banner.getByRole('button', { name: 'Leave' }).click()
  }
}
