import { expect, type Locator, type Page } from '@playwright/test'
import { paintedOn } from './painted.ts'

const NEAR = 15

export type Status = 'Total' | 'Online' | 'Disconnected' | 'Offline'

/** The fleet on one map, and beside it as a list. */
export class DashboardScreen {
  readonly page: Page
  readonly find: Locator
  readonly list: Locator
  readonly stats: Locator
  readonly map: Locator
  /** the map goes along with the selected device again */
  readonly follow: Locator
  /** of the selected device, beside its marker */
  readonly markerCard: Locator
  readonly deviceUpdate: Locator
  /** fields of that window */
  readonly deviceName: Locator
  readonly deviceGroup: Locator

  constructor(page: Page) {
    this.page = page
    this.find = page.getByRole('textbox', { name: 'Find in the list' })
    this.list = page.getByRole('list', { name: 'Devices' })
    this.stats = page.getByRole('region', { name: 'Devices by status' })
    this.map = page.getByRole('region', { name: 'Map of devices' })
    this.follow = page.getByRole('button', { name: 'Follow the selected device' })
    this.markerCard = page.getByRole('region', { name: / on the map$/ })
    this.deviceUpdate = page.getByRole('dialog', { name: 'Device Update' })
    this.deviceName = this.deviceUpdate.getByRole('textbox', { name: 'Device Name' })
    this.deviceGroup = this.deviceUpdate.getByRole('button', { name: /Select Group/ })
  }

  async isShown(): Promise<void> {
    await expect(this.page).toHaveURL(/\/(\?.*)?$/)
    await expect(this.rows.first()).toBeVisible()
  }

  /** the map below the markers has come */
  async landIsThere(): Promise<void> {
    await expect(this.map.locator('canvas.maplibregl-canvas')).toBeVisible()
  }

  /** how near the map looks */
  async zoom(): Promise<number> {
    await expect(this.map).toHaveAttribute('data-zoom', /./)
    return Number(await this.map.getAttribute('data-zoom'))
  }

  /** how near the map is where it opens: with the fleet on it, it stands */
  async opened(): Promise<number> {
    await this.landIsThere()
    await expect.poll(() => this.onMap()).not.toEqual([])
    return this.zoom()
  }

  get rows(): Locator {
    return this.list.getByRole('listitem')
  }

  /** the line of one device: its name begins it */
  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByRole('button', { name: `Edit ${name}`, exact: true }) })
  }

  /** the row itself as one presses it, rather than the pencil beside it */
  line(name: string): Locator {
    return this.row(name).getByRole('button').first()
  }

  /** leaves the one device that is called so in the list */
  async search(words: string): Promise<void> {
    await this.find.fill(words)
  }

  /** takes back whatever narrows list and map */
  async showAll(): Promise<void> {
    await this.page.getByRole('button', { name: 'Show all devices' }).click()
  }

  async select(name: string): Promise<void> {
    await this.search(name)
    await this.line(name).click()
    await expect(this.line(name)).toHaveAttribute('aria-current', 'true')
  }

  /** closes the card; the map stays where it is */
  async letGo(): Promise<void> {
    await expect(this.markerCard).toBeVisible()
    await this.page.getByRole('button', { name: 'Let go of the device' }).click()
    await expect(this.markerCard).toBeHidden()
  }

  /** a line of the selected device's details: Plate, Group, Position, … */
  detail(name: string): Locator {
    return this.list.getByRole('term').filter({ hasText: name }).locator('+ dd')
  }

  /** where the selected device is: its place in words, with the coordinates on hover */
  get position(): Locator {
    return this.detail('Position').locator('[title]')
  }

  async count(status: Status): Promise<number> {
    const figure = this.stats.getByRole('button', { name: new RegExp(`${status}$`) })
    return Number(((await figure.textContent()) ?? '').replaceAll(/\D/g, ''))
  }

  async pickGroups(...names: string[]): Promise<void> {
    await this.page.getByRole('button', { name: /^Groups/ }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Groups' })
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
    for (const name of names) await dialog.getByRole('row', { name, exact: true }).locator('label').click()
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** ticks one group among the others, or unticks it */
  async toggleGroup(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Groups/ }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Groups' })
    await dialog.getByRole('textbox', { name: 'Search groups' }).fill(name)
    await dialog.getByRole('row', { name, exact: true }).locator('label').click()
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** ticks one device among the others, or unticks it */
  async toggleDevice(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Devices/ }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Devices' })
    await dialog.getByRole('combobox', { name: 'Search devices' }).fill(name)
    await dialog.getByRole('option').filter({ hasText: name }).first().click()
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  async pickDevices(...names: string[]): Promise<void> {
    await this.page.getByRole('button', { name: /^Devices/ }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Devices' })
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
    for (const name of names) {
      await dialog.getByRole('combobox', { name: 'Search devices' }).fill(name)
      await dialog.getByRole('option').filter({ hasText: name }).first().click()
    }
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** so near that no other device is in the same circle */
  async comeNear(): Promise<void> {
    const nearer = this.page.getByRole('button', { name: 'Zoom in' })
    for (let zoom = await this.zoom(); zoom < NEAR; zoom++) await nearer.click()
    await expect.poll(() => this.zoom()).toBeGreaterThanOrEqual(NEAR)
  }

  /** takes the map in hand */
  async dragMap(): Promise<void> {
    await this.landIsThere()
    const box = await this.map.boundingBox()
    if (box === null) throw new Error('The map has no place')
    const at = { x: box.x + box.width * 0.3, y: box.y + box.height * 0.75 }
    await this.page.mouse.move(at.x, at.y)
    await this.page.mouse.down()
    await this.page.mouse.move(at.x + 60, at.y - 60, { steps: 6 })
    await this.page.mouse.up()
  }

  async pencil(name: string): Promise<void> {
    await this.search(name)
    await this.page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
    await expect(this.deviceUpdate).toBeVisible()
  }

  async rename(to: { name?: string; group?: string }): Promise<void> {
    if (to.name !== undefined) await this.deviceName.fill(to.name)
    if (to.group !== undefined) await this.chooseGroup(to.group)
    await this.deviceUpdate.getByRole('button', { name: 'Save' }).click()
    await expect(this.deviceUpdate).toBeHidden()
  }

  async chooseGroup(name: string): Promise<void> {
    await this.deviceGroup.click()
    await this.page.getByRole('option', { name }).first().click()
  }

  /** the texts on the map: names, temperatures, and how many are in a cluster */
  async onMap(): Promise<string[]> {
    return (await paintedOn(this.map)).map(({ text }) => text)
  }

  /** what a device's line says, the numbers as numbers; null: N/A */
  async reading(
    name: string,
  ): Promise<{ temperature: number | null; humidity: number | null; words: string }> {
    const words = ((await this.line(name).textContent()) ?? '').replaceAll('\u2212', '-')
    return {
      temperature: numberBefore(words, '°C'),
      humidity: numberBefore(words, '%'),
      words,
    }
  }
}

function numberBefore(text: string, unit: string): number | null {
  const found = text.match(new RegExp(`(-?\\d+(?:\\.\\d+)?) ${unit}`))
  return found === null ? null : Number(found[1])
}
