import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createFleet } from '../read-model/fleet.ts'
import Keys from './keys.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'
import { useGoKeys } from './use-go-keys.ts'
import { useShortcuts } from './use-shortcuts.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

async function shown() {
  const fleet = createFleet((call) => call())
  harness = await mountPage(<Around />, { at: '/groups', server: {}, fleet })
  // keys are heard once it is drawn
  await expect.element(page.getByRole('textbox', { name: 'Words' })).toBeVisible()
}

function Around() {
  const [isOpen, setOpen] = useState(false)
  useGoKeys(() => setOpen(true))
  return (
    <>
      {isOpen && <Keys onClose={() => setOpen(false)} />}
      <input aria-label="Words" />
    </>
  )
}

const keys = page.getByRole('dialog', { name: 'Keys' })

test('? shows the keys, and Escape closes them', async () => {
  await shown()
  await userEvent.keyboard('?')
  await expect.element(keys.getByText('Acknowledge').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(keys).not.toBeInTheDocument()
})

test('g and then a letter goes to a page, and nothing else hears the letter', async () => {
  await shown()
  const heard: string[] = []
  const listener = ({ key }: KeyboardEvent): void => void heard.push(key)
  window.addEventListener('keydown', listener)
  await userEvent.keyboard('gn')
  expect(harness.went().at(-1)).toBe('/notifications')
  await userEvent.keyboard('gd')
  expect(harness.went().at(-1)).toBe('/')
  expect(heard).toEqual(['g', 'g'])
  await userEvent.keyboard('gxd')
  expect(heard).toEqual(['g', 'g', 'g', 'x', 'd'])
  expect(harness.went().at(-1)).toBe('/')
  window.removeEventListener('keydown', listener)
})

test('what is typed is text, and over an open window no page is gone to', async () => {
  await shown()
  await page.getByRole('textbox', { name: 'Words' }).click()
  await userEvent.keyboard('gn?')
  await expect.element(page.getByRole('textbox', { name: 'Words' })).toHaveValue('gn?')
  await page.getByRole('textbox', { name: 'Words' }).element().blur()
  await userEvent.keyboard('?')
  await expect.element(keys).toBeVisible()
  await userEvent.keyboard('gn')
  expect(harness.went()).toEqual(['/groups'])
})

function Rows() {
  useShortcuts({ onPalette: () => {}, onPast: () => {} })
  return (
    <main id="content" tabIndex={-1}>
      <button type="button">Above</button>
      <ul data-walked>
        <li>
          <button type="button" tabIndex={-1}>
            First
          </button>
        </li>
        <li>
          <button type="button" tabIndex={0}>
            Second
          </button>
        </li>
      </ul>
    </main>
  )
}

test('J leads to the row of the page that Tab comes to, where nothing has the focus', async () => {
  harness = await mountPage(<Rows />, { at: '/groups', server: {}, fleet: createFleet((call) => call()) })
  const button = (name: string) => page.getByRole('button', { name })
  await button('Above').click()
  await userEvent.keyboard('j')
  await expect.element(button('Above')).toHaveFocus()
  ;(document.activeElement as HTMLElement).blur()
  await userEvent.keyboard('j')
  await expect.element(button('Second')).toHaveFocus()
})
