import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'

/** The page for testers on which sessions are recorded and gone through, and what says on every page that one is. */
export class RecordingsScreen {
  readonly page: Page
  readonly badge: Locator
  readonly playing: Locator
  readonly step: Locator
  readonly machines: Locator
  readonly fleet: Locator

  constructor(page: Page) {
    this.page = page
    this.badge = page.getByRole('region', { name: 'Recording', exact: true })
    this.playing = page.getByRole('region', { name: 'Playing' })
    this.step = page.getByRole('region', { name: 'Steps' }).locator('[aria-current="step"]')
    this.machines = page.locator('section', { has: page.getByRole('heading', { name: 'Machines' }) })
    this.fleet = page
      .locator('section', { has: page.getByRole('heading', { name: 'Fleet' }) })
      .filter({ visible: true })
  }

  async open(): Promise<void> {
    await this.page.goto('/lab/recordings')
    await this.isShown()
  }

  async isShown(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: 'Open a recording' })).toBeVisible()
  }

  async start(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start Recording' }).click()
    await expect(this.badge).toBeVisible()
  }

  /** Ends the recording; answers the file: its name, where it is and what is in it. */
  async save(): Promise<{ name: string; path: string; text: string }> {
    const coming = this.page.waitForEvent('download')
    await this.badge.getByRole('button', { name: 'Save' }).click()
    const download = await coming
    const path = await download.path()
    await expect(this.badge).toBeHidden()
    return { name: download.suggestedFilename(), path, text: readFileSync(path, 'utf8') }
  }

  async choose(file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.page.locator('input[type="file"]').first().setInputFiles(file)
  }

  /** It has been played on the machines of today, and nothing was other. */
  async goesTheSameWay(): Promise<void> {
    await expect(this.playing).toContainText('Goes the same way today')
  }

  /** The state of a machine after the step it stands at. */
  stateOf(machine: string): Locator {
    return this.machines.locator('summary').filter({ hasText: machine })
  }
}
