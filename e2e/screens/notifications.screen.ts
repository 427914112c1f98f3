import { expect, type Locator, type Page } from '@playwright/test'

/** The list of notifications, the bell, and what pops up. */
export class NotificationsScreen {
  readonly page: Page
  readonly list: Locator
  readonly shown: Locator
  readonly loadMore: Locator
  readonly bell: Locator
  readonly todays: Locator
  readonly popup: Locator

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('list', { name: 'Notifications', exact: true })
    /** "50 of 1,234" */
    this.shown = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /^[\d,]+ of [\d,]+$/ })
    this.loadMore = page.getByRole('button', { name: 'Load More' })
    this.bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
    this.todays = page.getByRole('dialog', { name: 'Notifications of today' })
    const toasts = page.getByRole('region', { name: /Notifications alt/ }).getByRole('listitem')
    this.popup = toasts.filter({ has: page.getByRole('button', { name: /^View/ }) })
  }

  async isLoaded(): Promise<void> {
    await expect(this.shown).toBeVisible()
  }

  /** entries of a device by its name */
  entries(device: string): Locator {
    return this.list.getByRole('listitem').filter({ has: this.page.getByText(device, { exact: true }) })
  }

  async open(entry: Locator): Promise<void> {
    await entry.getByRole('button').first().click()
    await expect(entry.getByRole('button', { name: 'Share' })).toBeVisible()
  }

  /** why there is a violation, in the entry that is open */
  async why(entry: Locator): Promise<Locator> {
    await entry.getByRole('button', { name: 'Why' }).click()
    return entry.getByRole('region', { name: 'Why' })
  }

  async comment(entry: Locator, text: string): Promise<void> {
    await entry.getByRole('textbox', { name: 'Comment' }).fill(text)
    await entry.getByRole('button', { name: 'Post' }).click()
  }

  async choose(label: 'Devices' | 'Types', option: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${label}`) }).click()
    await this.page.getByRole('combobox').fill(option)
    await this.page.getByRole('option').filter({ hasText: option }).first().click()
    await this.page.keyboard.press('Escape')
  }

  /** chooses it, and the list is of that */
  async pick(label: 'Devices' | 'Types', option: string): Promise<void> {
    await this.choose(label, option)
    // what was listed before stands there until the answer comes
    await expect(this.page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  }

  /** how many the bell says nobody has seen, as far as it counts */
  async unread(): Promise<number> {
    const spoken = (await this.bell.getAttribute('aria-label')) ?? ''
    return Number(/\d+/.exec(spoken)?.[0] ?? 0)
  }

  /** what the bell says nobody has seen */
  async hasUnread(count: number): Promise<void> {
    await expect(this.bell).toHaveAccessibleName(
      count === 0 ? 'Notifications' : `Notifications, ${count > 99 ? '99+' : count} new`,
    )
  }
}
