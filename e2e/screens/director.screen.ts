import { expect, type Locator, type Page } from '@playwright/test'

/** Wide enough for the panel to stand beside the page rather than over it. */
export const BESIDE = { width: 1280, height: 620 }

export type Part = 'Faults' | 'Network' | 'People' | 'Done' | 'World'

/** The director's panel beside the page, the footer below it, and the page that opens a moment. */
export class DirectorScreen {
  readonly page: Page
  readonly panel: Locator
  readonly clock: Locator
  /** lines of what was done, newest first */
  readonly done: Locator
  readonly footer: Locator

  constructor(page: Page) {
    this.page = page
    this.panel = page.getByRole('complementary', { name: 'Director' })
    this.clock = this.panel.getByRole('region', { name: 'Clock' })
    this.done = this.panel.getByRole('list', { name: 'Done' }).getByRole('listitem')
    this.footer = page.getByRole('region', { name: 'Simulated world' })
  }

  /** by its key, once the page is there to hear it: the footer tells of the world then */
  async open(): Promise<void> {
    await expect(this.footer.locator('time')).toBeVisible()
    await this.page.keyboard.press('d')
    await expect(this.clock).toBeVisible()
  }

  async part(name: Part): Promise<void> {
    await this.panel.getByRole('tab', { name }).click()
    await expect(this.panel.getByRole('tabpanel', { name })).toBeVisible()
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name })
  }

  /** what is wrong by the director's hand, in a part */
  inForce(title: 'Broken now' | 'Wrong with the network now'): Locator {
    return this.panel.getByRole('region', { name: title }).getByRole('listitem')
  }

  async choose(label: string, option: string): Promise<void> {
    await this.panel.getByRole('button', { name: label }).click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
  }

  /** `1 hour on`; the world has come there when it is done */
  async step(how: string): Promise<void> {
    await this.button('Step').click()
    await this.page.getByRole('menuitem', { name: how }).click()
    await this.hasArrived()
  }

  async jump(): Promise<void> {
    await this.button('Jump to the next incident').click()
    await expect(this.clock.getByRole('status')).toContainText(/ is .* since |Nothing went wrong/)
  }

  async hasArrived(): Promise<void> {
    await expect(this.button('Jump to the next incident')).toBeVisible()
  }
}
