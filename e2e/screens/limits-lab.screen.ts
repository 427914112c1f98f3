import type { Locator, Page } from '@playwright/test'

/** Where limits are tried. */
export class LimitsLabScreen {
  readonly page: Page
  readonly form: Locator
  readonly begin: Locator
  readonly lately: Locator
  readonly figures: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.form = page.getByRole('form', { name: 'Try limits' })
    this.begin = this.form.getByRole('button', { name: 'Try limits' })
    this.lately = page.getByRole('list', { name: 'Tried lately' })
    this.figures = page.getByRole('table', { name: 'Figures' })
    this.dialog = page.getByRole('dialog')
  }

  button(name: string): Locator {
    return this.page.getByRole('main').getByRole('button', { name, exact: true })
  }

  /** the fields of a candidate, from 1 on */
  field(candidate: number, name: 'Low' | 'High' | 'Delay' | 'Margin'): Locator {
    return this.form.getByRole('group', { name: `Candidate ${candidate}` }).getByLabel(name)
  }

  applyOf(candidate: number): Locator {
    return this.figures.getByRole('button', { name: new RegExp(`^Apply candidate ${candidate}:`) })
  }

  /** a figure of a column: 0 is what was in force */
  async figure(word: string, column: number): Promise<string> {
    const row = this.figures.getByRole('row', { name: new RegExp(`^${word}`) }).first()
    return (await row.getByRole('cell').nth(column).textContent()) ?? ''
  }
}
