import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** Violations as bars, and their summary as a pie. */
export class VisualizationScreen {
  readonly page: Page
  readonly filter: Locator
  readonly counters: Locator
  readonly bars: Locator
  readonly pie: Locator

  constructor(page: Page) {
    this.page = page
    this.filter = page.getByRole('form', { name: 'Filter Criteria' })
    this.counters = page.getByRole('list', { name: 'Violations by kind' })
    this.bars = page.getByRole('list', { name: 'Violations by device' })
    this.pie = page.getByRole('figure')
  }

  async isDrawn(): Promise<void> {
    await expect(this.page.getByText(/^As of/)).toBeVisible()
  }

  /** high and low temperature, high and low humidity, and the total, as they stand there */
  async counts(): Promise<number[]> {
    const items = await this.counters.getByRole('listitem').allTextContents()
    return items.map((text) => Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '')))
  }

  bar(plate: string): Locator {
    return this.bars.getByRole('link', { name: new RegExp(`^${plate}: `) })
  }

  /** `when` as the fields are written: DD-MM-YYYY HH:mm, digit by digit into its segments */
  async type(field: 'Start Date' | 'End Date', when: string): Promise<void> {
    const segments = this.filter.getByRole('group', { name: field, exact: true }).getByRole('spinbutton')
    await segments.first().click()
    await this.page.keyboard.type(when.replaceAll(/\D/g, ''))
  }

  /** all devices, or none of them */
  async tickAll(isAll: boolean): Promise<void> {
    await this.filter.getByRole('button', { name: isAll ? 'Select all' : 'Clear', exact: true }).click()
  }

  async apply(): Promise<void> {
    await this.filter.getByRole('button', { name: 'Filter' }).click()
  }

  async download(): Promise<Download> {
    const arriving = this.page.waitForEvent('download')
    await this.page.getByRole('button', { name: 'Download chart as image' }).click()
    return arriving
  }
}
