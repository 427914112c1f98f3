import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TreeMultiSelect } from './tree-multi-select.tsx'
import type { TreeNode } from './tree-selection.ts'
import '../styles/tokens.css'

const leaf = (id: string): TreeNode => ({ id, text: id, children: [] })
const nodes: TreeNode[] = [
  {
    id: 'Indus',
    text: 'Indus',
    children: [
      { id: 'Punjab', text: 'Punjab', children: [leaf('Lahore'), leaf('Multan')] },
      { ...leaf('Sindh'), isBare: true, children: [leaf('Karachi'), leaf('Hyderabad')] },
    ],
  },
]

const EVERY = ['Hyderabad', 'Indus', 'Karachi', 'Lahore', 'Multan', 'Punjab', 'Sindh']

let unmount = () => {}
afterEach(() => unmount())

function Picker({ onChange }: { onChange: (picked: ReadonlySet<string>) => void }) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  return (
    <TreeMultiSelect
      label="Groups"
      noun="groups"
      nodes={nodes}
      picked={picked}
      onChange={(next) => {
        setPicked(next)
        onChange(next)
      }}
    />
  )
}

async function opened(): Promise<{ picked: () => string[] }> {
  let picked: string[] = []
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <Picker
      onChange={(next) => {
        picked = [...next].sort()
      }}
    />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  await page.getByRole('button', { name: /^Groups/ }).click()
  await expect.element(page.getByRole('row', { name: 'Lahore' })).toBeVisible()
  return { picked: () => picked }
}

const box = (name: string) => page.getByRole('row', { name, exact: true }).getByRole('checkbox')

test('a tick takes all below with it, and a part of it shows as a dash', async () => {
  const picker = await opened()
  await page.getByRole('row', { name: 'Punjab', exact: true }).click()
  expect(picker.picked()).toEqual(['Lahore', 'Multan', 'Punjab'])
  await expect.poll(() => (box('Indus').element() as HTMLInputElement).indeterminate).toBe(true)
  await page.getByRole('row', { name: 'Lahore', exact: true }).click()
  expect(picker.picked()).toEqual(['Multan', 'Punjab'])
  await expect.poll(() => (box('Punjab').element() as HTMLInputElement).indeterminate).toBe(true)
})

test('what holds nothing itself is ticked as soon as all below it is, and no longer than that', async () => {
  const picker = await opened()
  await page.getByRole('row', { name: 'Karachi', exact: true }).click()
  await page.getByRole('row', { name: 'Hyderabad', exact: true }).click()
  expect(picker.picked()).toEqual(['Hyderabad', 'Karachi', 'Sindh'])
  const sindh = () => box('Sindh').element() as HTMLInputElement
  await expect.poll(() => [sindh().checked, sindh().indeterminate]).toEqual([true, false])
  await page.getByRole('row', { name: 'Karachi', exact: true }).click()
  expect(picker.picked()).toEqual(['Hyderabad'])
  await expect.poll(() => sindh().indeterminate).toBe(true)
})

test('Ctrl+A ticks everything, Shift a row of them', async () => {
  const picker = await opened()
  await page.getByRole('row', { name: 'Multan', exact: true }).click()
  await userEvent.keyboard('{Control>}a{/Control}')
  expect(picker.picked()).toEqual(EVERY)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('row', { name: 'Punjab', exact: true }).click()
  await page.getByRole('row', { name: 'Sindh', exact: true }).click({ modifiers: ['Shift'] })
  expect(picker.picked()).toEqual(EVERY.filter((id) => id !== 'Indus'))
})

test('Select all and Clear do what they say', async () => {
  const picker = await opened()
  await page.getByRole('button', { name: 'Select all' }).click()
  expect(picker.picked()).toEqual(EVERY)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  expect(picker.picked()).toEqual([])
})

test('a search narrows the tree and ticks what it finds', async () => {
  const picker = await opened()
  await userEvent.keyboard('mul')
  await expect.element(page.getByRole('row', { name: 'Sindh' })).not.toBeInTheDocument()
  await page.getByRole('row', { name: 'Multan', exact: true }).click()
  expect(picker.picked()).toEqual(['Multan'])
})
