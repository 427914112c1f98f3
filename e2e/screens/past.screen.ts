import { expect, type Locator, type Page } from '@playwright/test'

/** The bar above a portal that stands at a time that is past. */
export class PastScreen {
  readonly page: Page
  readonly bar: Locator
  /** the time one looks at, in words */
  readonly words: Locator
  readonly slider: Locator

  constructor(page: Page) {
    this.page = page
    this.bar = page.getByRole('region', { name: 'Looking back' })
    this.words = this.bar.getByRole('status')
    this.slider = this.bar.getByRole('slider')
  }

  async press(
    name: 'Event before' | 'Event after' | 'Play' | 'Pause' | 'Back to now' | 'Copy link' | 'Try again',
  ): Promise<void> {
    await this.bar.getByRole('button', { name }).click()
  }

  async choose(
    words: 'As known then' | 'As known now' | 'Differences only' | '×1' | '×60' | '×600',
  ): Promise<void> {
    await this.bar.getByText(words).click()
  }

  /** one of these that is not chosen */
  async chooseOther(of: 'View' | 'Speed'): Promise<void> {
    const others = this.bar.getByRole('radiogroup', { name: of }).locator('label:not(:has(:checked))')
    await others.first().click()
  }

  /** `09:35`: it stands there */
  async standsAt(time: string): Promise<void> {
    await expect(this.words).toContainText(
      new RegExp(`^You look at .* ${time} \\(PKT\\)\\. Nothing here is live\\.`),
    )
  }
}
