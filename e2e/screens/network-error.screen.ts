import { expect, type Locator, type Page } from '@playwright/test'

/** The window that says there was no answer, on a page of its own or over the one that stands. */
export class NetworkErrorScreen {
  readonly page: Page
  readonly window: Locator
  readonly reload: Locator

  constructor(page: Page) {
    this.page = page
    this.window = page.getByRole('dialog', { name: 'Network Error, Please Reload Page' })
    this.reload = this.window.getByRole('button', { name: 'Reload Page' })
  }

  /** on the page of its own */
  async isShown(): Promise<void> {
    await expect(this.window).toBeVisible()
    await expect(this.page).toHaveURL(/\/error$/)
  }

  /** back to where one was, which is as one left it */
  async goBack(): Promise<void> {
    await this.reload.click()
    await expect(this.window).toBeHidden()
  }

  async details(): Promise<string> {
    await this.window.getByRole('button', { name: 'Details' }).click()
    return (await this.window.locator('pre').textContent()) ?? ''
  }
}
