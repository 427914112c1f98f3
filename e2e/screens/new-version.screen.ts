import { expect, type Locator, type Page } from '@playwright/test'
import { BUILD_HEADER } from '#machines/contracts/protocol.ts'

/** What says that there is a new version: a bar over the page, or a window where there is no page to show. */
export class NewVersionScreen {
  readonly page: Page
  readonly bar: Locator
  readonly later: Locator
  readonly reload: Locator
  readonly window: Locator
  readonly reloadPage: Locator

  constructor(page: Page) {
    this.page = page
    this.bar = page.getByRole('complementary', { name: 'New version' })
    this.later = this.bar.getByRole('button', { name: 'Later' })
    this.reload = this.bar.getByRole('button', { name: /^Reload/ })
    this.window = page.getByRole('dialog', { name: 'There is a new version' })
    this.reloadPage = this.window.getByRole('button', { name: 'Reload Page' })
  }

  /** From now on the server says that it is of another build; answers how to say what is so again. */
  async deploy(): Promise<() => Promise<void>> {
    await this.page.route(API, async (route) => {
      const answered = async () => {
        const response = await route.fetch()
        const headers = { ...response.headers(), [BUILD_HEADER]: 'index-of-tomorrow' }
        await route.fulfill({ response, headers })
      }
      // what is on its way when the window is closed is given to nobody
      await answered().catch((error: unknown) => {
        if (!/disposed|closed/.test(String(error))) throw error
      })
    })
    // Answers that are still on their way are given: a page that was left does not want them.
    return () => this.page.unrouteAll({ behavior: 'wait' })
  }

  async isAway(): Promise<void> {
    await expect(this.bar).toBeHidden()
    await expect(this.window).toBeHidden()
  }
}

const API = /\/api\//
