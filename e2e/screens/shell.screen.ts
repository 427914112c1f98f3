import { expect, type Locator, type Page } from '@playwright/test'

/** What stands around every page. */
export class Shell {
  readonly page: Page
  /** how live the screen is, in words */
  readonly link: Locator
  /** beside it, where trying again may help */
  readonly tryAgain: Locator
  readonly userMenu: Locator
  readonly content: Locator
  readonly palette: Locator
  readonly toasts: Locator

  constructor(page: Page) {
    this.page = page
    this.link = page.getByRole('banner').getByRole('status')
    this.tryAgain = page.getByRole('button', { name: 'Try again now' })
    this.userMenu = page.getByRole('button', { name: /, menu$/ })
    this.content = page.getByRole('main')
    this.palette = page.getByRole('dialog', { name: 'Go to' })
    this.toasts = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  }

  async isLive(): Promise<void> {
    await expect(this.link).toContainText(/^live/)
  }

  /** Among what pops up in the corner there is this. */
  async says(words: string | RegExp): Promise<void> {
    await expect(this.toasts.filter({ hasText: words })).not.toHaveCount(0)
  }

  /** Nothing that popped up in the corner is there any more. */
  async closeToasts(): Promise<void> {
    await this.page.evaluate(() => {
      for (const close of document.querySelectorAll<HTMLElement>('[data-sonner-toast] [data-close-button]'))
        close.click()
    })
    await expect(this.toasts).toHaveCount(0)
  }

  async logOut(): Promise<void> {
    await this.userMenu.click()
    await this.page.getByRole('menuitem', { name: 'Logout' }).click()
  }

  /** another address in the page that is open, as a link in it leads there: nothing is loaded anew but what it needs */
  async follow(path: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, '', to), path)
  }

  async openViews(): Promise<void> {
    await this.userMenu.click()
    await this.page.getByRole('menuitem', { name: 'Saved views' }).click()
  }

  /** Ctrl K, a few letters, Enter on the first that fits. */
  async goTo(words: string): Promise<void> {
    await this.page.keyboard.press('Control+k')
    await this.palette.getByRole('combobox').fill(words)
    await expect(this.palette.getByRole('option').first()).toContainText(words)
    await this.page.keyboard.press('Enter')
    await expect(this.palette).toBeHidden()
  }
}
