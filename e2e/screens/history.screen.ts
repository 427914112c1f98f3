import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** Temperature and humidity of one device over time. */
export class HistoryScreen {
  readonly page: Page
  readonly search: Locator
  readonly latest: Locator
  readonly temperatureChart: Locator
  readonly humidityChart: Locator
  readonly map: Locator
  /** what is out, in a sentence */
  readonly summary: Locator
  /** what came late, beneath the line */
  readonly late: Locator
  /** that it is catching up, or that readings came later */
  readonly news: Locator

  constructor(page: Page) {
    this.page = page
    this.search = page.getByRole('form', { name: 'Search history' })
    this.latest = page.getByRole('region', { name: 'Latest Update' })
    this.temperatureChart = page.getByRole('region', { name: 'Temperature chart' })
    this.humidityChart = page.getByRole('region', { name: 'Humidity chart' })
    this.summary = page.getByRole('region', { name: 'In short' })
    this.map = page.getByRole('region', { name: 'Location' })
    this.news = page.getByRole('main').getByRole('status')
    this.late = page.getByRole('region', { name: 'Received late' })
  }

  async open(imei: string): Promise<void> {
    await this.page.goto(`/temperature/${imei}`)
    await this.isDrawn()
  }

  async isDrawn(): Promise<void> {
    await expect(this.drawn(this.temperatureChart)).toBeVisible()
    await expect(this.drawn(this.humidityChart)).toBeVisible()
  }

  /** the figure of a chart, once there is one; its name says what it shows */
  drawn(chart: Locator): Locator {
    return chart.getByRole('img')
  }

  /** `when` as the fields are written: DD-MM-YYYY HH:mm, digit by digit into its segments */
  async type(field: 'Start date' | 'End date', when: string): Promise<void> {
    const segments = this.search.getByRole('group', { name: field }).getByRole('spinbutton')
    await segments.first().click()
    await this.page.keyboard.type(when.replaceAll(/\D/g, ''))
  }

  /** a span that is offered */
  async preset(name: '1 h' | '24 h' | 'Last night' | '7 d'): Promise<void> {
    await this.search.getByText(name, { exact: true }).click()
  }

  /** the two presses of sharing; answers the address of the link */
  async share(): Promise<string> {
    await this.page.getByRole('button', { name: 'Share' }).click()
    await this.page.getByRole('button', { name: 'Copy a link' }).click()
    const link = this.page.getByRole('textbox', { name: 'The link' })
    await expect(link).toHaveValue(/\/shared\/[\w-]{43}$/)
    return link.inputValue()
  }

  async find(): Promise<void> {
    await this.search.getByRole('button', { name: 'Search' }).click()
  }

  async download(chart: Locator): Promise<Download> {
    const arriving = this.page.waitForEvent('download')
    await chart.getByRole('button', { name: /^Download .* as image$/ }).click()
    return arriving
  }
}
