import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '../styles/tokens.css'
import { TreeSelect } from './tree-select.tsx'

const nodes = [
  {
    id: 'top',
    text: 'Indus',
    children: [
      { id: 'punjab', text: 'Punjab', children: [{ id: 'lahore', text: 'Lahore', children: [] }] },
      { id: 'sindh', text: 'Sindh', children: [] },
    ],
  },
]

let unmount = () => {}
beforeEach(() => {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(<Field />)
  unmount = () => {
    root.unmount()
    place.remove()
  }
})
afterEach(() => unmount())

function Field() {
  const [value, setValue] = useState('punjab')
  return <TreeSelect label="Group" noun="groups" nodes={nodes} value={value} onChange={setValue} />
}
const field = page.getByRole('button', { name: /^Group/ })
const search = page.getByRole('combobox', { name: 'Search groups' })

test('opens on what is chosen, and arrow keys walk the tree', async () => {
  await field.click()
  await expect.element(page.getByRole('option', { name: 'Punjab' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(field).toMatchTextContent(/Lahore/)
  await expect.element(search).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
})

test('a search tells where what it found hangs; Escape leaves all as it was', async () => {
  await field.click()
  await search.fill('lah')
  await expect.element(page.getByRole('option')).toMatchTextContent(/Lahore.*Indus › Punjab/)
  await search.fill('nowhere')
  await expect.element(page.getByText('No groups match')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(field).toMatchTextContent(/Punjab/)
})
