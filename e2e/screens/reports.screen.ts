import { type Download, expect, type Locator, type Page } from '@playwright/test'

export type Segment = 'day' | 'month' | 'year' | 'hour' | 'minute'

/** The list of reports, the screens on which one is asked for, and the log. */
export class ReportsScreen {
  readonly page: Page
  /** of any of the screens */
  readonly form: Locator
  /** Search or Export, whichever the screen has */
  readonly send: Locator
  readonly dialog: Locator
  readonly log: Locator

  constructor(page: Page) {
    this.page = page
    this.form = page.getByRole('main').getByRole('form')
    this.send = this.form.getByRole('button', { name: /^(Search|Export)$/ })
    this.dialog = page.getByRole('dialog', { name: 'Report Request' })
    this.log = page.getByRole('table', { name: 'Report Logs' })
  }

  /** from the list, by its Select link */
  async select(title: string): Promise<void> {
    await this.page.getByRole('link', { name: `Select ${title}` }).click()
    await expect(this.page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
  }

  async tickGroup(name: string): Promise<void> {
    await this.form.getByRole('button', { name: /^Groups/ }).click()
    const groups = this.page.getByRole('dialog', { name: 'Groups' })
    await groups.getByRole('textbox', { name: 'Search groups' }).fill(name)
    await groups.getByRole('row', { name }).first().locator('label').click()
    await this.page.keyboard.press('Escape')
    await expect(groups).toBeHidden()
  }

  /** ALL, or what is found by a search, of a selector that opens a list */
  async pick(label: string, found: string): Promise<void> {
    await this.form.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    const options = this.page.getByRole('dialog', { name: label })
    if (found !== 'ALL') await options.getByRole('combobox').fill(found)
    await options.getByRole('option', { name: found }).first().click()
    await this.page.keyboard.press('Escape')
    await expect(options).toBeHidden()
  }

  /** types into a part of a date */
  async type(field: string, segment: Segment, digits: string): Promise<void> {
    const group = this.page.getByRole('group', { name: field, exact: true })
    await group.getByRole('spinbutton', { name: new RegExp(segment, 'i') }).click()
    await this.page.keyboard.type(digits)
  }

  async says(message: string): Promise<void> {
    await expect(this.form.getByText(message, { exact: true })).toBeVisible()
  }

  /** a line of the log, the newest first */
  line(nth: number): Locator {
    return this.log.locator('tbody').getByRole('row').nth(nth)
  }

  async download(line: Locator, ending: string): Promise<Download> {
    const [file] = await Promise.all([
      this.page.waitForEvent('download'),
      line.getByRole('link', { name: `Download ${ending}` }).click(),
    ])
    return file
  }
}
