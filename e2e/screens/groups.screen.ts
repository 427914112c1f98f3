import { expect, type Locator, type Page } from '@playwright/test'

export type Count = 'TOTAL DEVICES' | 'ASSIGNED DEVICES' | 'UNASSIGNED DEVICES' | 'NUMBER OF USERS'
const COUNTS: readonly Count[] = [
  'TOTAL DEVICES',
  'ASSIGNED DEVICES',
  'UNASSIGNED DEVICES',
  'NUMBER OF USERS',
]

/** The table of groups, and the forms of one. */
export class GroupsScreen {
  readonly page: Page
  readonly table: Locator
  readonly find: Locator
  readonly add: Locator
  readonly name: Locator
  readonly description: Locator
  readonly parent: Locator
  readonly devices: Locator
  readonly save: Locator
  readonly cancel: Locator
  readonly deletion: Locator
  readonly conflict: Locator
  readonly leaving: Locator
  readonly history: Locator

  constructor(page: Page) {
    this.page = page
    this.table = page.getByRole('treegrid', { name: 'Groups' })
    this.find = page.getByRole('textbox', { name: 'Search groups' })
    this.add = page.getByRole('link', { name: 'Add Group' })
    this.name = page.getByRole('textbox', { name: 'Name', exact: true })
    this.description = page.getByRole('textbox', { name: 'Description' })
    this.parent = page.getByRole('button', { name: /^Parent Group/ })
    this.devices = page.getByRole('combobox', { name: 'Search devices' })
    this.save = page.getByRole('button', { name: /^(Save|Create Group)$/ })
    this.cancel = page.getByRole('button', { name: 'Cancel' })
    this.deletion = page.getByRole('dialog', { name: 'Delete Record?' })
    this.conflict = page.getByRole('dialog', { name: 'Changed meanwhile' })
    this.leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
    this.history = page.getByRole('list', { name: 'Changes' })
  }

  async open(): Promise<void> {
    await this.page.goto('/groups')
    await expect(this.table).toBeVisible()
  }

  async openAdd(): Promise<void> {
    await this.page.goto('/groups/add')
    await expect(this.name).toBeVisible()
  }

  async openForm(id: string): Promise<void> {
    await this.page.goto(`/groups/${id}/update`)
    await expect(this.name).not.toHaveValue('')
  }

  /** the row of a group by its name */
  row(name: string): Locator {
    return this.table.getByRole('row').filter({ has: this.page.getByTitle(name, { exact: true }) })
  }

  /** shows the one group that is called so, with all above */
  async search(name: string): Promise<void> {
    await this.find.fill(name)
    await expect(this.row(name)).toBeVisible()
  }

  /** a figure of a row as it stands there */
  count(name: string, what: Count): Locator {
    return this.row(name)
      .getByRole('gridcell')
      .nth(1 + COUNTS.indexOf(what))
  }

  async edit(name: string): Promise<void> {
    await this.page.getByRole('link', { name: `Edit ${name}`, exact: true }).click()
    await expect(this.name).toHaveValue(name)
  }

  async askToDelete(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
    await expect(this.deletion).toBeVisible()
  }

  async putBelow(parent: string): Promise<void> {
    await this.parent.click()
    await this.page.getByRole('combobox', { name: 'Search groups' }).fill(parent)
    await this.page
      .getByRole('option', { name: new RegExp(`^${parent}`) })
      .first()
      .click()
    await expect(this.parent).toContainText(parent)
  }

  /** ticks or unticks the one device that is called so */
  async pick(device: string): Promise<void> {
    await this.devices.fill(device)
    await this.device(device).click()
    await this.devices.fill('')
  }

  device(name: string): Locator {
    return this.page
      .getByRole('listbox', { name: 'Devices' })
      .getByRole('option', { name: new RegExp(`^${name}\\b`) })
      .first()
  }

  threshold(label: 'Low temperature' | 'High temperature' | 'Low humidity' | 'High humidity'): Locator {
    return this.page.getByRole('textbox', { name: label })
  }

  /** both versions of a field, and whose is kept */
  version(field: string, side: 'Mine' | 'Theirs'): Locator {
    return this.conflict
      .getByRole('group', { name: field })
      .getByRole('radio', { name: new RegExp(`^${side}`) })
  }
}
