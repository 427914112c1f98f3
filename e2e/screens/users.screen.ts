import { expect, type Locator, type Page } from '@playwright/test'

type Field = 'First Name' | 'Last Name' | 'Email' | 'Phone' | 'User Name'

/** The list of users, and the forms of one. */
export class UsersScreen {
  readonly page: Page
  readonly table: Locator
  readonly search: Locator
  readonly add: Locator
  /** of the form; the settings below it have their own */
  readonly save: Locator
  readonly create: Locator
  readonly deletion: Locator
  readonly conflict: Locator
  readonly history: Locator

  constructor(page: Page) {
    this.page = page
    this.table = page.getByRole('table', { name: 'Users' })
    this.search = page.getByRole('textbox', { name: 'Search users' })
    this.add = page.getByRole('link', { name: 'Add User' })
    this.save = page.getByRole('button', { name: 'Save' }).first()
    this.create = page.getByRole('button', { name: 'Add User' })
    this.deletion = page.getByRole('dialog', { name: 'Delete Record?' })
    this.conflict = page.getByRole('dialog', { name: 'Changed meanwhile' })
    this.history = page.getByRole('list', { name: 'Changes' })
  }

  async open(): Promise<void> {
    await this.page.goto('/users')
    await expect(this.table).toBeVisible()
  }

  async openForm(id: string): Promise<void> {
    await this.page.goto(`/user/update/${id}`)
    await expect(this.field('First Name')).not.toHaveValue('')
  }

  /** the row that holds a name or an address */
  row(text: string): Locator {
    return this.table.getByRole('row').filter({ hasText: text })
  }

  field(name: Field): Locator {
    return this.page.getByRole('textbox', { name, exact: true })
  }

  async fill(fields: Partial<Record<Field, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.field(name as Field).fill(value)
  }

  async choose(label: 'Role' | 'Type', option: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`${label}$`) }).click()
    await this.page.getByRole('option', { name: option }).click()
  }

  async pickGroup(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Group/ }).click()
    await this.page.getByRole('combobox', { name: 'Search groups' }).fill(name)
    await this.page.keyboard.press('Enter')
  }

  /** what stands under a field */
  async says(name: Field, message: string): Promise<void> {
    await expect(this.field(name)).toHaveAccessibleDescription(message)
  }
}
