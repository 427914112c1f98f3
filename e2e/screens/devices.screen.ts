import { expect, type Locator, type Page } from '@playwright/test'

/** The devices of a company: their list, the form of a new one, and lists of them that are imported. */
export class DevicesScreen {
  readonly page: Page
  readonly search: Locator
  readonly imei: Locator
  readonly name: Locator
  readonly submit: Locator
  /** what the tracker's clock keeps */
  readonly clock: Locator
  /** lines of an imported list that cannot be taken */
  readonly badLines: Locator

  constructor(page: Page) {
    this.page = page
    this.search = page.getByLabel('Search devices')
    this.imei = page.getByRole('textbox', { name: 'IMEI' })
    this.name = page.getByRole('textbox', { name: 'Name' })
    this.submit = page.locator('button[type=submit]')
    this.clock = page.getByRole('button', { name: /Tracker’s clock/ })
    this.badLines = page.getByRole('table', { name: 'Lines that cannot be taken' }).getByRole('row')
  }

  async open(): Promise<void> {
    await this.page.goto('/devices')
  }

  async chooseList(name: string, text: string): Promise<void> {
    await this.page.getByRole('link', { name: 'Import' }).click()
    await this.page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  }

  async keepClock(offset: string): Promise<void> {
    await this.clock.click()
    await this.page.getByRole('option', { name: offset, exact: true }).click()
  }

  /** of a list with bad lines those that can be taken */
  async takeGoodLines(count: number): Promise<void> {
    await this.page.getByRole('button', { name: `Add the ${count} good ones only` }).click()
    await expect(this.page.getByText(`${count} devices were added`)).toBeVisible()
  }

  async find(wanted: string): Promise<void> {
    await this.search.fill(wanted)
  }

  line(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true })
  }
}
