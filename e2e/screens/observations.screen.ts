import type { Locator, Page } from '@playwright/test'

/** Readings of one device as a table, and the file of them. */
export class ObservationsScreen {
  readonly page: Page
  readonly search: Locator
  readonly table: Locator
  readonly download: Locator
  /** of a file that is being made */
  readonly progress: Locator
  readonly cancel: Locator
  /** what counts in no chart, beneath the table */
  readonly aside: Locator

  constructor(page: Page) {
    this.page = page
    this.search = page.getByRole('form', { name: 'Search observations' })
    this.table = page.getByRole('table', { name: 'Observation List' })
    this.download = page.getByRole('button', { name: /^(Download|Try again)$/ })
    this.progress = page.getByRole('progressbar', { name: 'Making the file' })
    this.cancel = page.getByRole('button', { name: 'Cancel' })
    this.aside = page.getByRole('list', { name: 'Readings kept aside' })
  }

  async open(): Promise<void> {
    await this.page.goto('/devices/chiller-observation')
  }

  async pick(imei: string): Promise<void> {
    await this.search.getByRole('button', { name: /^Vehicle/ }).click()
    await this.page.getByRole('combobox', { name: 'Search devices' }).fill(imei)
    await this.page.getByRole('option').first().click()
  }

  async find(): Promise<void> {
    await this.search.getByRole('button', { name: 'Search', exact: true }).click()
  }
}
