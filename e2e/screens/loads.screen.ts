import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** What devices carry: the list of loads, the story of one, and opening one on a device. */
export class LoadsScreen {
  readonly page: Page
  readonly search: Locator
  /** how the load one looks at is, and what can be done about it */
  readonly summary: Locator
  /** what happened to it, newest first */
  readonly happened: Locator

  constructor(page: Page) {
    this.page = page
    this.search = page.getByLabel('Search loads')
    this.summary = page.getByRole('region', { name: 'In short' })
    this.happened = page.getByRole('list', { name: 'What happened' })
  }

  async open(path = '/loads'): Promise<void> {
    await this.page.goto(path)
    await expect(this.page.getByRole('heading', { name: 'Loads', exact: true })).toBeVisible()
  }

  /** on the device that is selected or whose page is open */
  async openLoad(reference: string, profile: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Open a load' }).first().click()
    const dialog = this.page.getByRole('dialog', { name: 'Open a load' })
    await dialog.getByLabel('Reference').fill(reference)
    await dialog.getByRole('button', { name: /Profile/ }).click()
    await this.page.getByRole('option', { name: profile }).click()
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(dialog).toBeHidden()
  }

  /** how many there are in a state, as the list says it */
  view(word: string): Locator {
    return this.page.getByRole('radio', { name: new RegExp(`^${word}`) })
  }

  row(reference: string): Locator {
    return this.page.getByRole('table', { name: 'Loads' }).getByRole('row').filter({ hasText: reference })
  }

  async openStory(reference: string): Promise<void> {
    await this.row(reference).getByRole('link', { name: reference }).click()
    await expect(this.page.getByRole('heading', { name: reference })).toBeVisible()
  }

  budget(reference: string): Locator {
    return this.page.getByRole('meter', { name: `Budget of ${reference}`, exact: true })
  }

  async beginReview(): Promise<void> {
    await this.summary.getByRole('button', { name: 'Begin review' }).click()
    await expect(this.summary).toContainText('In review')
  }

  async decide(decision: 'Release' | 'Reject', reason: string, password: string): Promise<void> {
    await this.summary.getByRole('button', { name: decision }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Why').fill(reason)
    await dialog.getByLabel(/^Your password/).fill(password)
    await dialog.getByRole('button', { name: decision }).click()
    await expect(dialog).toBeHidden()
  }

  async close(): Promise<void> {
    await this.summary.getByRole('button', { name: 'Close load' }).click()
    await this.page.getByRole('dialog').getByRole('button', { name: 'Close the load' }).click()
    await expect(this.page.getByRole('dialog')).toBeHidden()
  }

  async pdf(): Promise<Download> {
    const coming = this.page.waitForEvent('download')
    await this.page.getByRole('button', { name: 'PDF' }).click()
    return coming
  }

  async chooseList(name: string, text: string): Promise<void> {
    // a list that is empty offers it once more
    await this.page.getByRole('link', { name: 'Import a list' }).first().click()
    await this.sendList(name, text)
  }

  /** where a list is chosen */
  async sendList(name: string, text: string): Promise<void> {
    await this.page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  }
}
