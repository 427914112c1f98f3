import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TypedRange } from '#machines/rules/date-range.ts'
import { ClockContext } from './clock-context.ts'
import { DateRangeField } from './date-range-field.tsx'
import '../styles/tokens.css'

const timeZone = 'Asia/Karachi'
/** 21-11-2026 14:05 in Karachi, five hours ahead of UTC. */
const now = Date.UTC(2026, 10, 21, 9, 5)
const local = (month: number, day: number, hour = 0, minute = 0) =>
  Date.UTC(2026, month - 1, day, hour - 5, minute)
const endOf = (month: number, day: number) => local(month, day + 1) - 1

let unmount = () => {}
afterEach(() => unmount())

function Field(props: {
  start: TypedRange
  granularity: 'day' | 'minute'
  goesOn: boolean
  onChange: (range: TypedRange) => void
}) {
  const [range, setRange] = useState(props.start)
  return (
    <>
      <DateRangeField
        range={range}
        timeZone={timeZone}
        granularity={props.granularity}
        goesOn={props.goesOn}
        onChange={(next) => {
          setRange(next)
          props.onChange(next)
        }}
      />
      <button type="button">elsewhere</button>
    </>
  )
}

function shown(start: TypedRange, granularity: 'day' | 'minute' = 'minute', goesOn = false) {
  let last = start
  const clock = { at: now, now: () => clock.at }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <ClockContext value={clock}>
      <Field
        start={start}
        granularity={granularity}
        goesOn={goesOn}
        onChange={(range) => {
          last = range
        }}
      />
    </ClockContext>,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  return { last: () => last, clock }
}

const text = (field: string) => () =>
  page
    .getByRole('group', { name: field, exact: true })
    .element()
    .textContent?.replaceAll(/[\u2066-\u2069]/g, '')
const segment = (field: string, name: RegExp) =>
  page.getByRole('group', { name: field, exact: true }).getByRole('spinbutton', { name })

test('a start that is typed draws the end in once it is left, not while it is typed', async () => {
  const { last } = shown({ from: local(11, 19, 14, 5), to: now })
  await segment('From', /month/i).click()
  await userEvent.keyboard('09')
  await expect.poll(last).toEqual({ from: local(9, 19, 14, 5), to: now })
  await page.getByRole('button', { name: 'elsewhere' }).click()
  await expect.poll(last).toEqual({ from: local(9, 19, 14, 5), to: endOf(10, 19) })
  await expect.poll(text('To')).toContain('19-10-2026 23:59')
})

test('the calendar of the end offers the month after the start, and no day before it', async () => {
  const { last } = shown({ from: local(9, 19), to: local(10, 2) })
  await page.getByRole('button', { name: /^To: calendar/ }).click()
  const day = (name: RegExp) => page.getByRole('button', { name })
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect.element(day(/18 September 2026/)).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Next' }).first().click()
  await expect.element(day(/20 October 2026/)).toHaveAttribute('aria-disabled', 'true')
  await day(/19 October 2026/).click()
  await expect.poll(() => last().to).toBe(local(10, 19))
})

test('days are whole: the start from its first millisecond, the end to its last', async () => {
  const { last } = shown({ from: local(11, 19), to: endOf(11, 21) }, 'day')
  await expect.poll(text('From')).toMatch(/19-11-2026$/)
  await expect.poll(text('To')).toMatch(/21-11-2026$/)
  await segment('To', /day/i).click()
  await userEvent.keyboard('20')
  await expect.poll(last).toEqual({ from: local(11, 19), to: endOf(11, 20) })
  await segment('From', /day/i).click()
  await userEvent.keyboard('18')
  await expect.poll(last).toEqual({ from: local(11, 18), to: endOf(11, 20) })
})

test('a date that misses a part is none, until the part is there again', async () => {
  const { last } = shown({ from: local(11, 19), to: now })
  await segment('From', /day/i).click()
  await userEvent.keyboard('{Backspace}')
  await userEvent.keyboard('{Backspace}')
  await expect.poll(last).toEqual({ from: null, to: now })
  await userEvent.keyboard('1')
  await expect.poll(last).toEqual({ from: local(11, 1), to: now })
})

test('a span that is offered is one press: up to now, or of whole days', async () => {
  const { last } = shown({ from: null, to: null })
  await page.getByRole('button', { name: '7 d' }).click()
  await expect.poll(last).toEqual({ from: local(11, 14, 14, 5), to: now })
  await page.getByRole('button', { name: 'Last night' }).click()
  await expect.poll(last).toEqual({ from: local(11, 20, 22), to: local(11, 21, 6) })
  unmount()
  const days = shown({ from: null, to: null }, 'day')
  await page.getByRole('button', { name: '7 d' }).click()
  await expect.poll(days.last).toEqual({ from: local(11, 15), to: endOf(11, 21) })
})

test('a span ends when it is pressed, however long ago the field was drawn, or with that day where it goes on', async () => {
  const { last, clock } = shown({ from: null, to: null })
  await expect.element(page.getByRole('button', { name: '7 d' })).toBeVisible()
  clock.at = now + 3_600_000
  await page.getByRole('button', { name: '7 d' }).click()
  await expect.poll(last).toEqual({ from: local(11, 14, 15, 5), to: now + 3_600_000 })
  unmount()
  const ongoing = shown({ from: null, to: null }, 'minute', true)
  await page.getByRole('button', { name: '7 d' }).click()
  await expect.poll(ongoing.last).toEqual({ from: local(11, 14, 14, 5), to: endOf(11, 21) })
  await page.getByRole('button', { name: 'Last night' }).click()
  await expect.poll(ongoing.last).toEqual({ from: local(11, 20, 22), to: local(11, 21, 6) })
})

test('nothing is between the parts of a date but what is written there', async () => {
  shown({ from: local(11, 19, 14, 5), to: now })
  const group = page.getByRole('group', { name: 'From', exact: true })
  await expect.element(group).toBeVisible()
  const parts = group.getByRole('spinbutton').elements()
  expect(parts).toHaveLength(5)
  const figures = parts.map((part) => {
    const range = document.createRange()
    range.selectNodeContents(part)
    return { text: range.getBoundingClientRect(), target: part.getBoundingClientRect() }
  })
  const gaps = figures.slice(1).map(({ text }, i) => text.left - (figures[i]?.text.right ?? 0))
  expect(Math.max(...gaps)).toBeLessThan(10)
  expect(Math.min(...gaps)).toBeGreaterThan(2)
  for (const { target } of figures) expect(target.width).toBeGreaterThanOrEqual(24)
  const overlaps = figures.slice(1).map(({ target }, i) => (figures[i]?.target.right ?? 0) - target.left)
  expect(Math.max(...overlaps)).toBeLessThan(0.5)
})
