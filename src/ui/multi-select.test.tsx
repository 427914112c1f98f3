import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MultiSelect } from './multi-select.tsx'
import { type FindOptions, nothing, type Selection } from './options.ts'
import '../styles/tokens.css'

const TOTAL = 100_000
let looked = 0
/** So many that a list which made them all would not come up at all. */
const find: FindOptions = (query) => {
  const first = query === '' ? 0 : Number(query)
  const length = query === '' ? TOTAL : Number.isNaN(first) ? 0 : 1
  return {
    length,
    at(index) {
      looked++
      return { id: `d${first + index}`, text: `Device ${first + index}` }
    },
  }
}

let unmount = () => {}
afterEach(() => unmount())

function Picker({ onChange }: { onChange: (selection: Selection) => void }) {
  const [selection, setSelection] = useState<Selection>(nothing)
  return (
    <MultiSelect
      label="Devices"
      noun="devices"
      total={TOTAL}
      find={find}
      selection={selection}
      onChange={(next) => {
        setSelection(next)
        onChange(next)
      }}
    />
  )
}

async function opened(): Promise<{ selection: () => Selection }> {
  let selection: Selection = nothing
  looked = 0
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <Picker
      onChange={(next) => {
        selection = next
      }}
    />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  await page.getByRole('button', { name: /^Devices/ }).click()
  await expect.element(page.getByRole('option', { name: 'Device 0', exact: true })).toBeVisible()
  return { selection: () => selection }
}

test('of 100,000 only those in view are looked at', async () => {
  await opened()
  expect(looked).toBeLessThan(500)
  await expect
    .element(page.getByRole('option', { name: 'Device 0', exact: true }))
    .toHaveAttribute('aria-setsize', String(TOTAL + 1))
})

test('ALL picks everything, and one after it that one alone', async () => {
  const picker = await opened()
  await page.getByRole('option', { name: 'ALL' }).click()
  expect(picker.selection()).toBe('all')
  await expect
    .element(page.getByRole('option', { name: 'Device 1', exact: true }))
    .toHaveAttribute('aria-selected', 'true')
  await page.getByRole('option', { name: 'Device 1', exact: true }).click()
  expect(picker.selection()).toEqual(new Set(['d1']))
})

test('the list is walked and picked from without leaving the search', async () => {
  const picker = await opened()
  const search = page.getByRole('combobox', { name: 'Search devices' })
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}{ArrowDown}{Enter}')
  expect(picker.selection()).toEqual(new Set(['d1', 'd2']))
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}')
  await expect.element(page.getByRole('option', { name: 'Device 99999' })).toBeVisible()
})

test('a search finds the one far down, and none says so', async () => {
  const picker = await opened()
  await userEvent.keyboard('54321')
  await page.getByRole('option', { name: 'Device 54321' }).click()
  expect(picker.selection()).toEqual(new Set(['d54321']))
  await userEvent.keyboard('x')
  await expect.element(page.getByText('No devices match')).toBeVisible()
})

test('Clear lets go of all, Escape closes', async () => {
  const picker = await opened()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  expect(picker.selection()).toEqual(new Set())
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: /^Devices/ })).toHaveFocus()
})
