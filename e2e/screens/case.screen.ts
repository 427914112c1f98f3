import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** The case of a violation, and the page that verifies what it was made into. */
export class CaseScreen {
  readonly page: Page
  readonly pdf: Locator
  readonly close: Locator

  constructor(page: Page) {
    this.page = page
    this.pdf = page.getByRole('button', { name: 'PDF', exact: true })
    this.close = page.getByRole('button', { name: 'Close the case' })
  }

  async isShown(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'What happened' })).toBeVisible()
    await expect(this.page.getByRole('img', { name: /^Temperature|^Humidity/ })).toBeVisible()
  }

  /** presses PDF and waits for it, then takes it with its seal */
  async sealed(): Promise<Download> {
    await Promise.all([this.page.waitForEvent('download'), this.pdf.click()])
    const [file] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('link', { name: 'PDF with its seal' }).click(),
    ])
    return file
  }

  async sign(reason: string, meaning: string, password: string): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Close the case' })
    await dialog.getByLabel('Why', { exact: true }).fill(reason)
    await dialog.getByRole('radio', { name: meaning }).check()
    await dialog.getByLabel(/^Your password/).fill(password)
    await dialog.getByRole('button', { name: 'Close the case' }).click()
  }
}
