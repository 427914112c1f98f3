import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { threeDevices } from '../../../layout/incidents/testing.ts'
import { imeiOf } from '../../../read-model/testing/make-fleet.ts'
import { MapControls } from '../map-controls.tsx'
import OnePlaceCard from '../one-place-card.tsx'
import { SidePanel } from './side-panel.tsx'
import '../../../styles/tokens.css'

let room: HTMLElement
let view: Root
let covered: number
const none = () => undefined
const sheet = page.getByRole('complementary', { name: 'Devices' })
const top = () => sheet.element().getBoundingClientRect().top

/** The room of the map on a phone of 390 × 844, below the header. */
beforeEach(async () => {
  covered = 0
  await page.viewport(390, 844)
  room = document.body.appendChild(document.createElement('main'))
  room.style.cssText = 'position: fixed; inset: 56px 0 0'
  view = createRoot(room)
})
afterEach(() => {
  view.unmount()
  room.remove()
})

const panel = (
  <SidePanel
    onCover={(px) => {
      covered = px
    }}
  >
    {null}
  </SidePanel>
)

test('how much of the map the sheet covers is told anew in a room of another size', async () => {
  view.render(panel)
  await vi.waitFor(() => expect(covered).toBeGreaterThan(500))
  room.style.bottom = '400px'
  await vi.waitFor(() => expect(covered).toBeCloseTo(444 - top(), 0))
  expect(covered).toBeLessThan(388)
  await page.viewport(1280, 844)
  await vi.waitFor(() => expect(covered, 'beside the map').toBe(0))
})

test('the button to follow, and the card of devices in one place, are not below the sheet', async () => {
  view.render(
    <>
      {panel}
      <MapControls figures={none} canFollow onFollow={none} onZoom={none} onReset={none} />
    </>,
  )
  const follow = page.getByRole('button', { name: 'Follow the selected device' })
  await expect.element(follow).toBeVisible()
  for (const button of room.querySelectorAll('button'))
    expect(button.getBoundingClientRect().bottom, button.ariaLabel ?? '').toBeLessThanOrEqual(
      sheet.element().contains(button) ? 844 : top(),
    )
  await vi.waitFor(() => expect(covered).toBeCloseTo(844 - top(), 0))
  const place = { imeis: [1, 2, 3].map(imeiOf), x: 195, y: 100, covered }
  view.render(
    <>
      {panel}
      <OnePlaceCard fleet={threeDevices()} place={place} onSelect={none} onClose={none} />
    </>,
  )
  const card = page.getByRole('region', { name: 'Devices in one place' })
  await expect.element(card).toBeVisible()
  const box = card.element().getBoundingClientRect()
  expect(box.bottom).toBeLessThanOrEqual(top())
  expect(box.top).toBeGreaterThan(56)
})
