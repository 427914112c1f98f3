import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { ActionDialog } from './action-dialog.tsx'
import { Badge, cappedCount } from './badge.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorState } from './error-state.tsx'
import { Progress } from './progress.tsx'
import { Segments } from './segments.tsx'
import { Select } from './select.tsx'
import { StateGlyph } from './state-glyph.tsx'
import { Tabs } from './tabs.tsx'
import { TextField } from './text-field.tsx'
import '../styles/tokens.css'

let unmount = () => {}
afterEach(() => unmount())

function show(what: React.ReactNode): void {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  root.render(what)
  unmount = () => {
    root.unmount()
    place.remove()
  }
}

test('a field keeps its height when its message comes, and says it', async () => {
  show(<TextField label="Name" />)
  const height = () => page.getByLabelText('Name').element().closest('[class*=group]')?.clientHeight
  await expect.element(page.getByLabelText('Name')).toBeVisible()
  const before = height()
  unmount()
  show(<TextField label="Name" message="This field is required" />)
  await expect.element(page.getByLabelText('Name')).toHaveAccessibleDescription('This field is required')
  await expect.element(page.getByLabelText('Name')).toHaveAttribute('aria-invalid', 'true')
  expect(height()).toBe(before)
})

test('arrow keys walk tabs', async () => {
  show(
    <Tabs
      aria-label="Choose by"
      tabs={[
        { id: 'vehicles', title: 'Vehicles', content: 'plates' },
        { id: 'groups', title: 'Groups', content: 'tree' },
      ]}
    />,
  )
  await page.getByRole('tab', { name: 'Vehicles' }).click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(page.getByRole('tabpanel')).toHaveTextContent('tree')
})

test('Escape closes a dialog, unless an answer is required', async () => {
  let isOpen = true
  const dialog = (isRequired: boolean) => (
    <Dialog
      title="Delete Record?"
      isOpen
      isRequired={isRequired}
      onOpenChange={(open) => {
        isOpen = open
      }}
      actions={<Button kind="danger">Confirm Delete</Button>}
    >
      It cannot be taken back.
    </Dialog>
  )
  show(dialog(true))
  await expect.element(page.getByRole('dialog', { name: 'Delete Record?' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(isOpen).toBe(true)
  unmount()
  show(dialog(false))
  await expect.element(page.getByRole('button', { name: 'Close' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(isOpen).toBe(false)
})

test('a keyboard on the screen leaves the foot of a dialog in sight', async () => {
  await page.viewport(390, 844)
  const whole = vi.spyOn(visualViewport as VisualViewport, 'height', 'get').mockReturnValue(500)
  show(
    <Dialog title="Replace Tracker" isOpen actions={<Button kind="primary">Replace</Button>}>
      <TextField label="IMEI" />
    </Dialog>,
  )
  const foot = page.getByRole('button', { name: 'Replace' })
  await expect.element(foot).toBeVisible()
  expect(foot.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(500)
  whole.mockRestore()
})

const groundOf = (element: Element): string => getComputedStyle(element).backgroundColor

test('where the system gives the colours, what is chosen and how far something is stay seen', async () => {
  const colours = (value: string) =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] })
  await colours('active')
  show(
    <>
      <Segments
        label="Show"
        options={[
          { id: 'open', text: 'Open' },
          { id: 'mine', text: 'Mine' },
        ]}
        value="open"
        onChange={() => {}}
      />
      <Progress aria-label="Report" value={40} />
    </>,
  )
  const label = (text: string) => page.getByText(text, { exact: true }).element()
  await expect.element(page.getByRole('radio', { name: 'Open' })).toBeInTheDocument()
  expect(groundOf(label('Open'))).not.toBe(groundOf(label('Mine')))
  const bar = page.getByRole('progressbar').element().querySelector('span') as HTMLElement
  expect(groundOf(bar.firstElementChild as Element)).not.toBe(groundOf(bar))
  await colours('')
})

/** Asks, and is at it until it is told that it is refused. */
function Asking({ refusal }: { refusal: EventTarget }) {
  const [isOpen, setOpen] = useState(true)
  const [isActing, setActing] = useState(false)
  useEffect(() => {
    const refuse = () => setActing(false)
    refusal.addEventListener('refused', refuse)
    return () => refusal.removeEventListener('refused', refuse)
  }, [refusal])
  return (
    <ActionDialog
      title="Delete Record?"
      word="Confirm Delete"
      isOpen={isOpen}
      isActing={isActing}
      onAct={() => setActing(true)}
      onClose={() => setOpen(false)}
    >
      It cannot be taken back.
    </ActionDialog>
  )
}

test('what is refused leaves the focus in the window that asked, which Escape closes', async () => {
  const refusal = new EventTarget()
  show(<Asking refusal={refusal} />)
  const button = page.getByRole('button', { name: 'Confirm Delete' })
  await button.click()
  await expect.element(page.getByRole('button', { name: 'Close' })).not.toBeInTheDocument()
  refusal.dispatchEvent(new Event('refused'))
  await expect.element(page.getByRole('button', { name: 'Close' })).toBeVisible()
  await expect.element(button).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button).not.toBeInTheDocument()
})

test('what is wrong with a choice of a few is said with it', async () => {
  show(<Select label="Role" options={[]} value={null} onChange={() => {}} message="Select a role" />)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Select a role')
  await expect
    .element(page.getByRole('button', { name: /Role/ }))
    .toHaveAccessibleDescription('Select a role')
})

test('a state has its word, and a count is capped', async () => {
  show(
    <Badge tone="hot">
      <StateGlyph state="hot" />
      {cappedCount(140)}
    </Badge>,
  )
  await expect.element(page.getByRole('img', { name: 'Too hot' })).toBeVisible()
  await expect.element(page.getByText('99+')).toBeVisible()
  expect([cappedCount(0), cappedCount(99)]).toEqual(['', '99'])
})

test('what failed is said, and the bare error stands behind Details', async () => {
  show(<ErrorState details="TypeError: fleet is undefined" />)
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^Something went wrong/)
  const details = page.getByText('TypeError: fleet is undefined')
  await expect.element(details).not.toBeVisible()
  await page.getByText('Details').click()
  await expect.element(details).toBeVisible()
})
