import { expect, type Locator, type Page } from '@playwright/test'

/** `/scheduleReport`: the form of a schedule, and those there are. */
export class SchedulesScreen {
  readonly page: Page
  readonly form: Locator
  readonly emails: Locator
  /** Save, Update, or that it is being saved */
  readonly send: Locator
  readonly table: Locator
  readonly deletion: Locator

  constructor(page: Page) {
    this.page = page
    this.form = page.locator('form')
    this.emails = page.getByRole('textbox', { name: 'Emails' })
    this.send = this.form.getByRole('button', { name: /^(Save|Update|Saving…)$/ })
    this.table = page.getByRole('table', { name: 'Scheduled Reports' })
    this.deletion = page.getByRole('dialog', { name: 'Delete Report Schedule?' })
  }

  async open(): Promise<void> {
    await this.page.goto('/scheduleReport')
    await this.isThere()
  }

  async isThere(): Promise<void> {
    await expect(this.send).toBeVisible()
    // devices to choose from come with the fleet
    await expect(this.page.getByRole('button', { name: /^Vehicles/ })).toBeEnabled()
  }

  selector(name: 'Groups' | 'Vehicles' | 'Report Types'): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${name}`) })
  }

  async everything(): Promise<void> {
    for (const all of [/^All groups/, /^All vehicles/])
      if (!(await this.page.getByRole('switch', { name: all }).isChecked()))
        await this.form.getByText(all).click()
  }

  async chooseInterval(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /Interval$/ }).click()
    await this.page.getByRole('option', { name, exact: true }).click()
  }

  choosePowerReport(): Promise<void> {
    return this.chooseReport('Power Report')
  }

  async chooseReport(title: string): Promise<void> {
    await this.selector('Report Types').click()
    const option = this.page.getByRole('option', { name: title, exact: true })
    if ((await option.getAttribute('aria-selected')) !== 'true') await option.click()
    await this.page.keyboard.press('Escape')
    // until the focus is back, a list that is opened next would lose it again
    await expect(this.selector('Report Types')).toBeFocused()
  }

  async address(email: string, key: 'Enter' | 'Tab' = 'Enter'): Promise<void> {
    await this.emails.fill(email)
    await this.emails.press(key)
  }

  addresses(): Locator {
    return this.page.getByRole('button', { name: /^Remove / })
  }

  async withoutAddresses(): Promise<void> {
    for (let left = await this.addresses().count(); left > 0; left--) {
      await this.addresses().first().click()
      await expect(this.addresses()).toHaveCount(left - 1)
    }
  }

  row(text: string): Locator {
    return this.table.getByRole('row').filter({ hasText: text })
  }

  edit(interval: string): Locator {
    return this.table.getByRole('button', { name: new RegExp(`^Edit ${interval}`) }).first()
  }

  delete(interval: string): Locator {
    return this.table.getByRole('button', { name: new RegExp(`^Delete ${interval}`) }).first()
  }
}
