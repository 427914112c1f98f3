import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { LateSpan } from '#machines/contracts/entities/devices.ts'
import { LatePart, type LatePartProps } from './late-part.tsx'
import '../../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

const start = new Date(2026, 10, 21, 9).getTime()
const iso = (minutes: number): string => new Date(start + minutes * 60_000).toISOString()
const span: LateSpan = {
  from: iso(130),
  to: iso(165),
  receivedFrom: iso(300),
  receivedTo: iso(302),
  readings: 7,
  upTo: 172 * 60,
}

function shown(spans: readonly LateSpan[], more: Partial<LatePartProps> = {}): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(
    <LatePart
      spans={spans}
      range={{ from: start, to: start + 6 * 3_600_000 }}
      isMeanwhile={false}
      onMeanwhile={() => {}}
      onSpan={() => {}}
      {...more}
    />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
}

test('a late span says when it came and how late, and is shown by itself with the keyboard', async () => {
  const looked: { from: Date; to: Date }[] = []
  shown([span], { onSpan: (one) => looked.push(one) })
  const button = page.getByRole('list', { name: 'Spans received late' }).getByRole('button')
  await expect.element(button).toHaveTextContent('11:10–11:45received 14:02, up to 2 h 52 min late')
  await userEvent.keyboard('{Tab}{Tab}{Enter}')
  expect(looked).toEqual([{ from: new Date(span.from), to: new Date(span.to) }])
})

test('the charts are drawn as they looked meanwhile with the switch', async () => {
  const wanted: boolean[] = []
  shown([span], { onMeanwhile: (isMeanwhile) => wanted.push(isMeanwhile) })
  await page.getByText('As it looked meanwhile').click()
  expect(wanted).toEqual([true])
  unmount()
  shown([span], { isMeanwhile: true })
  await expect.element(page.getByText('What came late is left out of the charts.')).toBeVisible()
})

test('where nothing came late nothing is said', async () => {
  shown([])
  expect(page.getByText('Received late').elements()).toEqual([])
})
