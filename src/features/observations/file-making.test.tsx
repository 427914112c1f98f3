import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { FileMaking, type FileMakingProps } from './file-making.tsx'
import '../../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

function shown(props: Partial<FileMakingProps>) {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const handlers = { onDownload: vi.fn(), onCancel: vi.fn() }
  root.render(
    <FileMaking total={100_000} isMaking={false} written={0} error={null} {...handlers} {...props} />,
  )
  unmount = () => {
    root.unmount()
    place.remove()
  }
  return handlers
}

test('a file on its way says how far it is and can be left off', async () => {
  const { onCancel } = shown({ isMaking: true, written: 40_000 })
  const bar = page.getByRole('progressbar', { name: 'Making the file' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '40,000 of 100,000 rows')
  await expect.element(page.getByText('40,000 of 100,000 rows')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(onCancel).toHaveBeenCalledOnce()
})

test('one that could not be made says why, and may be tried again', async () => {
  const { onDownload } = shown({ error: 'There is no room' })
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('The file could not be made: There is no room')
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(onDownload).toHaveBeenCalledOnce()
})
