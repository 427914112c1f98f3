import { useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { createActor, createMachine } from 'xstate'
import { violationBit, withStatus } from '#machines/contracts/device-state.ts'
import type { Desk } from '../../../actors/desk.ts'
import type { Root } from '../../../actors/root.ts'
import { createStore } from '../../../actors/store.ts'
import { RootContext } from '../../../actors/use-root.ts'
import { deskWith, incident } from '../../../layout/incidents/testing.ts'
import { SESSION } from '../../../layout/testing/mount-page.tsx'
import { noDrafts } from '../../../layout/testing/no-drafts.ts'
import { setBudgets } from '../../../read-model/budgets.ts'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { createFleetView } from '../../../read-model/fleet-view.ts'
import { createSearchIndex } from '../../../read-model/search-index.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { FleetContext } from '../../../read-model/use-fleet.ts'
import '../../../styles/tokens.css'
import { selectionOf } from '../shown-fleet.ts'
import { DeviceList } from './device-list.tsx'
import { OWN_LOOK } from './list-look.ts'

let fleet: Fleet
let calls: string[]
let unmount = () => {}
const toasts = { success: (text: string) => calls.push(text) }
const goTo = (path: string) => calls.push(`go to ${path}`)
const clock = { now: () => Date.parse('2026-06-15T04:20:00.000Z') }
/** Moves devices; the last 24 h of a device do not come. */
const http = {
  ask: async (_: unknown, request: { body?: { things: string[]; groupId: string } }) => {
    if (!request.body) throw new Error('only moves are answered')
    calls.push(`move ${request.body.things.join(' ')} to ${request.body.groupId}`)
    return { moved: request.body.things.length, refused: [] }
  },
}
let selectFromMap: (imei: string) => void

beforeEach(() => {
  calls = []
  fleet = createFleet((call) => call())
  const devices = Array.from({ length: 5000 }, (_, no) => plainDevice(no, { name: `Reefer ${no}` }))
  const hot = plainDevice(4321, {
    name: 'Reefer 4321',
    temperature: 1250,
    state: violationBit('HIGH_TEMPERATURE_DETECTED'),
  })
  fleet.load(snapshotOf(1, [...devices.filter(({ no }) => no !== 4321), hot]))
  render()
})
afterEach(() => unmount())

/** Ayesha has the worst. */
const HELD = incident(4321, {
  holder: { userId: 'u2', userName: 'Ayesha Malik', since: '2026-06-15T04:10:00.000Z' },
})
const live = createStore({
  desk: { known: createStore(deskWith({ open: [HELD] })), glances: async () => [] },
  fleet: createFleet((call) => call()),
})

const session = createActor(createMachine({ context: { session: SESSION } })).start()
const link = createStore({ state: 'live' })

function render() {
  unmount()
  const place = document.body.appendChild(document.createElement('div'))
  place.style.cssText = 'display: flex; height: 560px; width: 380px'
  const root = createRoot(place)
  root.render(
    <RootContext
      value={{ drafts: noDrafts, http, clock, toasts, live, goTo, session, link } as unknown as Root}
    >
      <FleetContext value={fleet}>
        <List />
      </FleetContext>
    </RootContext>,
  )
  unmount = () => {
    root.unmount()
    place.remove()
    unmount = () => {}
  }
}

function List() {
  const [selected, setSelected] = useState<string | null>(null)
  const [words, setWords] = useState('')
  const [look, setLook] = useState(OWN_LOOK)
  const [search] = useState(() => createSearchIndex(fleet.names))
  const rows = useMemo(
    () => createFleetView(fleet).rows(selectionOf({ groups: 'all', devices: 'all', words }, search)),
    [words, search],
  )
  const [actions] = useState(() => ({
    select: (imei: string) => {
      calls.push(`select ${imei}`)
      setSelected(imei)
    },
    open: (imei: string) => calls.push(`open ${imei}`),
    edit: (imei: string) => calls.push(`edit ${imei}`),
  }))
  selectFromMap = setSelected
  return (
    <DeviceList
      fleet={fleet}
      desk={live.get().desk as unknown as Desk}
      rows={rows}
      question={words}
      words={words}
      onWords={setWords}
      isAnswered
      look={look}
      onLook={setLook}
      isNarrowed={words !== ''}
      selected={selected}
      actions={actions}
      onClear={() => {
        calls.push('clear')
        setWords('')
      }}
    />
  )
}

const list = page.getByRole('list', { name: 'Devices' })
const row = (name: string) => list.getByRole('button', { name: new RegExp(`^${name} `) })
const find = page.getByRole('textbox', { name: 'Find in the list' })

test('the worst stands first, with its state in words, its value and its unit', async () => {
  const first = list.getByRole('listitem').first()
  await expect.element(first).toMatchTextContent(/Reefer 4321/)
  await expect.element(first).toMatchTextContent(/Too hot/)
  await expect.element(first).toMatchTextContent(/12\.5 °C/)
  await expect.element(first).toMatchTextContent(/50\.00 %/)
  await expect.element(first).toHaveAttribute('aria-setsize', '5000')
})

test('one that delivers its past says how far it has come, until it has', async () => {
  fleet.noteProgress([[4321, 38, 61]], false)
  render()
  const first = list.getByRole('listitem').first()
  await expect.element(first).toMatchTextContent(/catching up: 38 of 61 minutes/)
  fleet.noteProgress([[4321, 0, 0]], false)
  render()
  await expect.element(first).toMatchTextContent(/Reefer 4321/)
  await expect.element(first).not.toMatchTextContent(/catching up/)
})

test('arrow keys walk it, Enter opens the history, F2 the form', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(row('Reefer 4321')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  await expect.element(row('Reefer 0')).toHaveFocus()
  await userEvent.keyboard('{Enter}{F2}')
  expect(calls).toEqual([`open ${imeiOf(0)}`, `edit ${imeiOf(0)}`])
})

test('End goes to the last of thousands and keeps the focus', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}{End}')
  await expect.element(row('Reefer 4999')).toHaveFocus()
  await userEvent.keyboard('{Home}')
  await expect.element(row('Reefer 4321')).toHaveFocus()
})

test('a press selects and shows the details', async () => {
  await row('Reefer 1').click()
  expect(calls).toEqual([`select ${imeiOf(1)}`])
  await expect.element(list).toMatchTextContent(/LEB-1/)
  const link = page.getByRole('link', { name: 'Map search' })
  await expect.element(link).toHaveAttribute('href', 'https://www.google.com/maps/search/?api=1&query=31,74')
  await expect.element(link).toHaveAttribute('rel', 'noreferrer')
  await expect
    .element(page.getByRole('link', { name: 'History' }))
    .toHaveAttribute('href', `/temperature/${imeiOf(1)}`)
})

test('what is selected on the map comes into view', async () => {
  await expect.element(row('Reefer 4321')).toBeVisible()
  selectFromMap(imeiOf(3333))
  await expect.element(row('Reefer 3333')).toBeInViewport()
})

test('finds by name, plate or imei; Enter takes the best', async () => {
  await find.fill('leb-1234')
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 1234/)
  await find.fill(imeiOf(777))
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 777/)
  await userEvent.keyboard('{Enter}')
  expect(calls).toEqual([`select ${imeiOf(777)}`])
})

test('says when nothing is found, and how to go on', async () => {
  await find.fill('no such device')
  await expect.element(page.getByText('No data Found')).toBeVisible()
  await expect.element(page.getByText('No name, IMEI or plate matches', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Show all devices' }).click()
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 4321/)
  expect(calls).toEqual(['clear'])
})

test('says how many a search leaves, and leads back to all', async () => {
  const all = page.getByRole('button', { name: 'Show all devices' })
  expect(all.query()).toBeNull()
  await find.fill('leb-1234')
  await expect.element(page.getByText('1 device', { exact: true })).toBeVisible()
  await all.click()
  await expect.element(page.getByText('5,000 devices')).toBeVisible()
  await expect.element(find).toHaveValue('')
})

test('what a device that is away measured last has faded: the ink is fainter, and the colour of too hot is gone', async () => {
  const tooHot = { temperature: 1250 }
  fleet.load(
    snapshotOf(2, [
      plainDevice(1, { ...tooHot, state: violationBit('HIGH_TEMPERATURE_DETECTED') }),
      plainDevice(2),
      plainDevice(3, { ...tooHot, state: withStatus(0, 'offline') }),
      plainDevice(4, { ...tooHot, state: withStatus(0, 'disconnected') }),
    ]),
  )
  render()
  const ink = async (no: number, text: string | RegExp): Promise<string> => {
    const found = row(`Reefer ${no}`).getByText(text)
    await expect.element(found).toBeVisible()
    return getComputedStyle(found.element()).color
  }
  const [hot, fine, offline, disconnected] = [
    await ink(1, '12.5 °C'),
    await ink(2, '4.0 °C'),
    await ink(3, '12.5 °C'),
    await ink(4, '12.5 °C'),
  ]
  expect(new Set([hot, fine, offline]).size).toBe(3)
  expect(disconnected).toBe(offline)
  expect(await ink(3, '50.00 %')).toBe(offline)
  expect(await ink(2, '50.00 %')).not.toBe(offline)
})
const pickedCount = page.getByRole('toolbar').getByRole('status')
const pickedNames = async (): Promise<string[]> => {
  const boxes = await list.getByRole('checkbox').all()
  return boxes
    .filter((box) => (box.element() as HTMLInputElement).checked)
    .map((box) => box.element().getAttribute('aria-label') ?? '')
}

test('keys pick rows: x one, Shift with an arrow a span that shrinks again, Ctrl A all shown, Escape none', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}x{ArrowDown}{ArrowDown}')
  await expect.element(pickedCount).toHaveTextContent('1 selected')
  await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{ArrowUp}{/Shift}')
  await expect.element(pickedCount).toHaveTextContent('3 selected')
  expect(await pickedNames()).toEqual(['Pick Reefer 4321', 'Pick Reefer 1', 'Pick Reefer 2'])
  await userEvent.keyboard('{Control>}a{/Control}')
  await expect.element(pickedCount).toHaveTextContent('5,000 selected')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('toolbar')).not.toBeInTheDocument()
  await expect.element(row('Reefer 2')).toHaveFocus()
  expect(calls).toEqual([])
})

test('Shift picks from the row pressed where a search hid the one stood on', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}x')
  await find.fill('leb-123')
  await row('Reefer 1231').click({ modifiers: ['Shift'] })
  await expect.element(pickedCount).toHaveTextContent('1 selected')
})

test('presses pick in the select mode, which leaves the selected device alone', async () => {
  await page.getByRole('button', { name: 'Select' }).click()
  await row('Reefer 1').click()
  await row('Reefer 3').click()
  await expect.element(pickedCount).toHaveTextContent('2 selected')
  await row('Reefer 1').click()
  await expect.element(pickedCount).toHaveTextContent('1 selected')
  expect(calls).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByRole('toolbar')).not.toBeInTheDocument()
})

/** A finger on a row, until what it brings about is there. */
async function hold(name: string, shown: () => Promise<void>) {
  await expect.element(row(name)).toBeVisible()
  const element = row(name).element()
  const finger = { bubbles: true, isPrimary: true, pointerType: 'touch' }
  element.dispatchEvent(new PointerEvent('pointerdown', finger))
  await shown()
  element.dispatchEvent(new PointerEvent('pointerup', finger))
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
}

test('a finger that is held picks the first row, and held again all between', async () => {
  await hold('Reefer 1', () => expect.element(pickedCount).toHaveTextContent('1 selected'))
  await hold('Reefer 4', () => expect.element(pickedCount).toHaveTextContent('4 selected'))
  await row('Reefer 6').click()
  await expect.element(pickedCount).toHaveTextContent('5 selected')
  expect(await pickedNames()).toEqual([1, 2, 3, 4, 6].map((no) => `Pick Reefer ${no}`))
  expect(calls, 'no press of them selects').toEqual([])
})

test('what a search hides is not moved with the rest', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}x{ArrowDown}x')
  await find.fill(imeiOf(1))
  await expect.element(pickedCount).toHaveTextContent('1 selected')
  await page.getByRole('button', { name: 'Move to group' }).click()
  await page.getByRole('dialog').getByRole('option').first().click()
  await page
    .getByRole('button', { name: /^Move to / })
    .last()
    .click()
  await expect.element(page.getByRole('toolbar')).not.toBeInTheDocument()
  expect(calls[0]).toMatch(new RegExp(`^move ${imeiOf(1)} to `))
})

test('what is picked is told and can be let go where a search hides all of it', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}x')
  await expect.element(pickedCount).toHaveTextContent('1 selected')
  await find.fill(imeiOf(1))
  await expect.element(pickedCount).toHaveTextContent('0 selected')
  await expect.element(page.getByRole('button', { name: 'Move to group' })).toBeDisabled()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect.element(page.getByRole('toolbar')).not.toBeInTheDocument()
})

test('those picked are moved, though one before them left the fleet while the group was looked for', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}x{ArrowDown}xm')
  await expect.element(page.getByRole('dialog', { name: 'Move 2 devices to a group' })).toBeVisible()
  const devices = Array.from({ length: 4999 }, (_, i) => plainDevice(i + 1))
  fleet.load(snapshotOf(2, devices))
  await page.getByRole('dialog').getByRole('option').first().click()
  await page
    .getByRole('button', { name: /^Move to / })
    .last()
    .click()
  await expect.poll(() => calls[0]).toMatch(new RegExp(`^move ${imeiOf(1)} ${imeiOf(2)} to `))
})

test('j and k walk it, and r leads to a report of what is picked, or of the row one stands on', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}jjk')
  await expect.element(list.getByRole('listitem').nth(1).getByRole('button').first()).toHaveFocus()
  const [first, second] = [imeiOf(4321), imeiOf(0)]
  await userEvent.keyboard('r')
  await expect.poll(() => calls).toEqual([`go to /temperatureReport?devices=${second}`])
  await userEvent.keyboard('kxr')
  await expect
    .poll(() => calls.at(-1))
    .toBe(`go to /temperatureReport?devices=${[first, second].toSorted().join(',')}`)
})

test('s shelves what is open of the row one stands on', async () => {
  await find.click()
  await userEvent.keyboard('{ArrowDown}s')
  await expect.element(page.getByRole('button', { name: 'Shelve 1' })).toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Shelve Reefer 4321' })).toBeVisible()
})

test('chosen columns stand beside the name, each sorts when pressed, and the own look comes back', async () => {
  const menu = page.getByRole('button', { name: 'Worst first: order and columns' })
  await menu.click()
  await page.getByRole('button', { name: 'IMEI' }).last().click()
  await page.getByRole('button', { name: 'Group' }).last().click()
  await userEvent.keyboard('{Escape}')
  const first = list.getByRole('listitem').first()
  await expect.element(first).toMatchTextContent(new RegExp(`${imeiOf(4321)}top`))
  await expect.element(first).not.toMatchTextContent(/50\.00 %/)
  await page.getByRole('button', { name: 'Sort by Name' }).click()
  await page.getByRole('button', { name: 'By name: order and columns' }).click()
  await page.getByRole('button', { name: 'As it was' }).click()
  await expect.element(first).toMatchTextContent(/50\.00 %/)
})

test('who has what is open is a column, empty where nothing is', async () => {
  await page.getByRole('button', { name: 'Worst first: order and columns' }).click()
  await page.getByRole('button', { name: 'Who has it' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 4321.*Ayesha Malik/)
  await expect.element(list.getByRole('listitem').nth(1)).not.toMatchTextContent(/Nobody|N\/A/)
})

test('how much of its budget is used is a column, with the state of the load, and empty where nothing is carried', async () => {
  setBudgets(fleet, new Map([[4321, { state: 'at-risk', percent: 62.7, most: 71.2, exhaustsAt: null }]]))
  await page.getByRole('button', { name: 'Worst first: order and columns' }).click()
  await page.getByRole('button', { name: 'Budget used' }).last().click()
  await userEvent.keyboard('{Escape}')
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Reefer 4321.*At risk.*62–71 %/)
  await expect.element(list.getByRole('listitem').nth(1)).not.toMatchTextContent(/%|N\/A|not measured/)
})
