import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { RowTable } from './row-table.tsx'
import '../styles/tokens.css'

let unmount = () => {}
let show = (_numbers: readonly number[]): void => {}
beforeEach(() => {
  const place = document.body.appendChild(document.createElement('main'))
  Object.assign(place.style, { height: '500px', overflow: 'auto' })
  const root = createRoot(place)
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1)
  show = (rows) => root.render(tableOf(rows))
  show(numbers)
  unmount = () => {
    root.unmount()
    place.remove()
  }
})

const tableOf = (numbers: readonly number[]) => (
  <RowTable
    label="Users"
    heads={['NAME', 'ACTIONS']}
    columns=""
    rows={numbers}
    keyOf={String}
    heights={{ line: 48, card: 48 }}
  >
    {(number) => (
      <>
        <td>
          <a href={`/user/${number}`}>{`User ${number}`}</a>
        </td>
        <td>
          {number !== 3 && <button type="button">{`Edit ${number}`}</button>}
          <input aria-label={`Words of ${number}`} />
        </td>
      </>
    )}
  </RowTable>
)
afterEach(() => unmount())

const link = (number: number) => page.getByRole('link', { name: `User ${number}`, exact: true })
const edit = (number: number) => page.getByRole('button', { name: `Edit ${number}`, exact: true })

async function pressed(keys: string, then: ReturnType<typeof link>): Promise<void> {
  await userEvent.keyboard(keys)
  await expect.element(then).toHaveFocus()
}

test('arrows, J and K go from row to row, a page and to both ends', async () => {
  await expect.element(link(1)).toBeVisible()
  link(1).element().focus()
  await pressed('{ArrowDown}', link(2))
  await pressed('j', link(3))
  await pressed('k{ArrowUp}{ArrowUp}', link(1))
  await pressed('{PageDown}', link(9))
  await pressed('{End}', link(300))
  await expect.element(link(300)).toBeInViewport()
  await pressed('j', link(300))
  await pressed('{Home}', link(1))
})

test('the focus of what was pressed in a row that leaves goes to the row in its place', async () => {
  await expect.element(edit(2)).toBeVisible()
  edit(2).element().focus()
  await expect.element(edit(2)).toHaveFocus()
  show([1, 3, 4])
  await expect.element(edit(2)).not.toBeInTheDocument()
  await expect.element(page.getByRole('row').filter({ hasText: 'User 3' })).toHaveFocus()
  await pressed('j', link(4))
})

test('keys stay in their column where the next row has something to press there', async () => {
  await expect.element(edit(1)).toBeVisible()
  edit(1).element().focus()
  await pressed('j', edit(2))
  await pressed('j', link(3))
})

test('a row that was pressed beside its links is walked on from', async () => {
  await page
    .getByRole('row')
    .filter({ has: link(4) })
    .click({ position: { x: 200, y: 4 } })
  await pressed('j', link(5))
})

test('where one types a letter is a letter, and with Ctrl or Alt keys mean something else', async () => {
  const words = page.getByRole('textbox', { name: 'Words of 2', exact: true })
  await words.click()
  await userEvent.keyboard('jk')
  await expect.element(words).toHaveValue('jk')
  await link(2).element().focus()
  await pressed('{Control>}j{/Control}{Alt>}{ArrowDown}{/Alt}', link(2))
})

test('the row that has the focus is there wherever the page is scrolled', async () => {
  await expect.element(link(2)).toBeVisible()
  link(2).element().focus()
  const main = page.getByRole('main').element()
  main.scrollTop = main.scrollHeight
  await expect.element(link(300)).toBeVisible()
  await expect.element(link(2)).toHaveFocus()
})
