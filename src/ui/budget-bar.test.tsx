import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { BudgetBar, type BudgetBarProps } from './budget-bar.tsx'
import '../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

function show(given: Partial<BudgetBarProps>): void {
  const place = document.body.appendChild(document.createElement('div'))
  place.style.width = '200px'
  const root = createRoot(place)
  root.render(<BudgetBar label="Budget of lot 7" look="within" used={null} words="" {...given} />)
  unmount = () => {
    root.unmount()
    place.remove()
  }
}
const bar = page.getByRole('meter', { name: 'Budget of lot 7' })
/** px each part of it is wide, the lighter one first */
const parts = (): number[] =>
  Array.from(bar.element().children, (part) => Math.round(part.getBoundingClientRect().width))

test('what may have been used while nothing was measured is a lighter part beyond what surely was', async () => {
  show({ used: { value: 0.5, low: 0.5, high: 0.75 }, words: 'Between 4 h 05 and 6 h 20 used' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Between 4 h 05 and 6 h 20 used')
  await expect.element(bar).toHaveAttribute('aria-valuenow', '50')
  expect(parts()).toEqual([150, 100])
})

test('more than all of it fills the bar and no more', async () => {
  show({ look: 'exhausted', used: { value: 1.4, low: 1.4, high: 2 }, words: 'Exhausted: hold for review' })
  await expect.element(bar).toHaveAttribute('aria-valuenow', '100')
  expect(parts()).toEqual([200, 200])
})

test('of what was not measured the bar is hatched, never empty', async () => {
  show({ used: null, words: 'Not measured' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', 'Not measured')
  expect(parts()).toEqual([200])
})
