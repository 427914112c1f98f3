import { expect, type Locator, type Page } from '@playwright/test'

/** Who is invited as a company's manager. */
export type Invited = { firstName: string; lastName: string; email: string; phone: string }

/** The companies of a server, and the page of one of them. */
export class CompaniesScreen {
  readonly page: Page
  readonly name: Locator
  readonly retention: Locator
  readonly submit: Locator

  constructor(page: Page) {
    this.page = page
    this.name = page.getByLabel('Name', { exact: true })
    this.retention = page.getByLabel('Days that readings are kept')
    this.submit = page.locator('button[type=submit]')
  }

  async open(): Promise<void> {
    await this.page.goto('/admin/companies')
  }

  /** fills the form of a new company and leads to its page */
  async add(name: string, { retentionDays = '' } = {}): Promise<void> {
    await this.page.getByRole('link', { name: 'Add Company' }).click()
    await this.name.fill(name)
    await this.retention.fill(retentionDays)
    await this.submit.click()
    await expect(this.page.getByRole('heading', { name })).toBeVisible()
  }

  /** the page of one in the list */
  async choose(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).click()
    await expect(this.page.getByRole('heading', { name })).toBeVisible()
  }

  async invite({ firstName, lastName, email, phone }: Invited): Promise<void> {
    await this.page.getByRole('button', { name: 'Invite a manager' }).click()
    const invitation = this.page.getByRole('dialog', { name: 'Invite a manager' })
    await invitation.getByLabel('First name').fill(firstName)
    await invitation.getByLabel('Last name').fill(lastName)
    await invitation.getByLabel('E-mail').fill(email)
    await invitation.getByLabel('Phone').fill(phone)
    await invitation.getByRole('button', { name: 'Invite' }).click()
    await expect(this.page.getByText('The link to choose a password is on its way')).toBeVisible()
  }

  /** a new key that sends readings, as it is shown this once */
  async makeKey(name: string): Promise<string> {
    await this.page.getByRole('button', { name: 'New key' }).click()
    await this.page.getByRole('dialog').getByLabel('Name').fill(name)
    await this.page.getByRole('button', { name: 'Make key' }).click()
    const key = await this.page.getByLabel('Key', { exact: true }).inputValue()
    await this.page.getByRole('button', { name: 'I have kept it' }).click()
    await expect(this.page.getByText('not used yet')).toBeVisible()
    return key
  }

  async suspend(reason: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Suspend' }).click()
    await this.becauseOf(reason, 'Suspend')
    await expect(this.page.getByText(reason)).toBeVisible()
  }

  async resume(reason: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Resume' }).click()
    await this.becauseOf(reason, 'Resume')
    await expect(this.page.getByRole('button', { name: 'Suspend' })).toBeVisible()
  }

  private async becauseOf(reason: string, word: string): Promise<void> {
    await this.page.getByLabel('Reason').fill(reason)
    await this.page.getByRole('dialog').getByRole('button', { name: word }).click()
  }
}
