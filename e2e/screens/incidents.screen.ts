import { expect, type Locator, type Page } from '@playwright/test'

export type IncidentsView = 'Open' | 'Mine' | 'Nobody’s' | 'Known' | 'Over'

/** What is to do, beside the dashboard's list: each press is counted, as an operator's finger would. */
export class IncidentsScreen {
  readonly page: Page
  readonly list: Locator
  readonly dialog: Locator
  readonly shelved: Locator
  /** presses of a button or a key since `begin` */
  presses = 0

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('list', { name: 'Incidents' })
    this.dialog = page.getByRole('dialog')
    this.shelved = page.getByRole('region', { name: 'Shelved' })
  }

  get rows(): Locator {
    return this.list.getByRole('listitem')
  }

  row(device: string): Locator {
    return this.rows.filter({ hasText: device })
  }

  begin(): void {
    this.presses = 0
  }

  async look(view: IncidentsView): Promise<void> {
    await this.press(
      this.page.getByRole('radiogroup', { name: 'Show' }).getByText(new RegExp(`^${view} \\d`)),
    )
    await expect(this.rows.first()).toBeVisible()
  }

  async act(what: 'Acknowledge' | 'Shelve' | 'Take' | 'Give up' | 'Comment'): Promise<void> {
    await this.press(
      this.page.getByRole('toolbar', { name: 'What to do' }).getByRole('button', { name: what }),
    )
  }

  async answer(words: string): Promise<void> {
    await this.press(this.dialog.getByRole('button', { name: words, exact: true }))
  }

  async press(what: Locator): Promise<void> {
    this.presses++
    await what.click()
  }

  async key(key: string): Promise<void> {
    this.presses++
    await this.page.keyboard.press(key)
  }
}
