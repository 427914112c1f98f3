import { expect, type Page } from '@playwright/test'

/** The fleet on one map. */
export class DashboardScreen {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async isShown(): Promise<void> {
    await expect(this.page).toHaveURL(/\/$/)
  }
}
