import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DateTimeField } from './date-time-field.tsx'
import '../styles/tokens.css'

const at = Date.UTC(2026, 10, 1, 9, 5, 40)
let unmount = () => {}
afterEach(() => unmount())

function Field({ timeZone, onChange }: { timeZone: string; onChange: (at: number | null) => void }) {
  const [value, setValue] = useState<number | null>(at)
  return (
    <DateTimeField
      label="Start date"
      timeZone={timeZone}
      value={value}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}

function shown(timeZone: string): { last: () => number | null } {
  let last: number | null = at
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <Field
      timeZone={timeZone}
      onChange={(next) => {
        last = next
      }}
    />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  return { last: () => last }
}

const bottomOf = (element: Element): number => element.getBoundingClientRect().bottom

test('in a low window the last days of the calendar are scrolled to', async () => {
  await page.viewport(844, 300)
  shown('Asia/Karachi')
  await page.getByRole('button', { name: /calendar/ }).click()
  await expect.element(page.getByRole('button', { name: /30 November 2026/ })).toBeInTheDocument()
  const day = page.getByRole('button', { name: /30 November 2026/ }).element()
  const calendar = day.closest('.floating') as HTMLElement
  day.scrollIntoView()
  expect(bottomOf(day)).toBeLessThanOrEqual(bottomOf(calendar))
  expect(bottomOf(calendar)).toBeLessThanOrEqual(300)
})

test('reads DD-MM-YYYY HH:mm in its time zone', async () => {
  shown('Asia/Karachi')
  const field = page.getByRole('group', { name: 'Start date' })
  await expect.poll(() => field.element().textContent?.replaceAll(/[⁦-⁩]/g, '')).toContain('01-11-2026 14:05')
})

test('what is typed is an instant of that zone, without the seconds that are not shown', async () => {
  const { last } = shown('Asia/Karachi')
  await page.getByRole('spinbutton', { name: /hour/i }).click()
  await userEvent.keyboard('0715')
  await expect.poll(last).toBe(Date.UTC(2026, 10, 1, 2, 15))
})

test('a midnight typed over another is that one, whatever years are gone through on the way', async () => {
  const { last } = shown('Asia/Karachi')
  for (const typed of ['010120310000', '010120200000']) {
    await page.getByRole('spinbutton', { name: /day/i }).click()
    await userEvent.keyboard(typed)
  }
  await expect.poll(last).toBe(Date.UTC(2019, 11, 31, 19))
})
