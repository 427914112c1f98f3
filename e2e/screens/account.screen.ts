import { expect, type Locator, type Page } from '@playwright/test'

export type Quantity = 'Temperature' | 'Humidity'

/** The settings of one's group and of oneself, and the form of the group's name and picture. */
export class AccountScreen {
  readonly page: Page
  readonly edit: Locator
  readonly name: Locator
  readonly picture: Locator
  readonly preview: Locator
  readonly save: Locator
  /** in the header: the group's picture, and the way to its settings */
  readonly groupImage: Locator

  constructor(page: Page) {
    this.page = page
    this.edit = page.getByRole('link', { name: 'Edit group' })
    this.name = page.getByRole('textbox', { name: 'Name', exact: true })
    this.picture = page.locator('input[type=file]')
    this.preview = page.getByRole('img', { name: 'As it will look' })
    this.save = page.getByRole('button', { name: 'Save' })
    this.groupImage = page.getByRole('banner').getByRole('link', { name: /group settings$/ })
  }

  async open(): Promise<void> {
    await this.page.goto('/account')
    await expect(this.thumb('Temperature', 'Low')).toBeAttached()
  }

  section(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  band(quantity: Quantity): Locator {
    return this.section(`${quantity} Threshold`)
  }

  thumb(quantity: Quantity, end: 'Low' | 'High'): Locator {
    return this.band(quantity).getByRole('slider', { name: new RegExp(end) })
  }

  typed(quantity: Quantity, end: 'Low' | 'High'): Locator {
    return this.band(quantity).getByRole('textbox', { name: end })
  }

  async saveBand(quantity: Quantity): Promise<void> {
    await this.band(quantity).getByRole('button', { name: 'Save' }).click()
  }
}
