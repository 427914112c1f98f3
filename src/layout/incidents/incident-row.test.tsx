import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Glance, Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import { setTimeZone } from '../../format/time.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { mountPage, type PageHarness } from '../testing/mount-page.tsx'
import { IncidentRow } from './incident-row.tsx'
import { clock, incident, lostDevice, NOW, threeDevices } from './testing.ts'

let harness: PageHarness
beforeEach(() => {
  setTimeZone('Asia/Karachi')
  return page.viewport(800, 400)
})
afterEach(() => harness.unmount())

type Shown = { incident: Incident; shelving?: Shelving; glance?: Glance }

function Row({ incident, shelving, glance }: Shown) {
  const fleet = useFleetItself()
  return <IncidentRow fleet={fleet} incident={incident} shelving={shelving} glance={glance} />
}

async function shown(what: Shown) {
  harness = await mountPage(<Row {...what} />, { at: '/', server: {}, fleet: threeDevices(), clock })
}
const main = page.getByRole('main')
const iso = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

test('a row says the device, the newest value and how far it is beyond the limit', async () => {
  await shown({ incident: incident(2, { value: 9 }) })
  await expect.element(main).toMatchTextContent(/Reefer 2.*LEB-2.*23\.6 °C.*15\.6 above 8/)
})

test('a row says where the device is as soon as that is known', async () => {
  await shown({ incident: incident(1), glance: { ...NO_LINE, place: 'near Okara, N-5' } })
  await expect.element(main).toMatchTextContent(/Reefer 1.*near Okara, N-5/)
  await expect.element(main).not.toMatchTextContent(/LEB-1/)
})

test('a row says how long it lasts, and when it began on hover', async () => {
  await shown({ incident: incident(1, { since: iso(-92) }) })
  await expect.element(page.getByText('1 h 32')).toBeVisible()
  await expect.element(page.getByTitle('15-06-2026 08:28:00 Asia/Karachi')).toBeVisible()
})

test('what is over says how long it lasted, and the value it opened with', async () => {
  await shown({ incident: incident(2, { value: 12, since: iso(-92), clearedAt: iso(-62) }) })
  await expect.element(main).toMatchTextContent(/12\.0 °C.*4\.0 above 8.*30 min.*over/)
})

test('what came back and is not over yet says so', async () => {
  await shown({ incident: incident(3) })
  await expect.element(main).toMatchTextContent(/4\.0 °C.*back inside 8/)
})

test('a row draws the last hours where there is room', async () => {
  await shown({
    incident: incident(1),
    glance: { ...NO_LINE, at: [NOW - 600_000, NOW], temperature: [7, 9], humidity: [null, null] },
  })
  await expect.poll(() => document.querySelectorAll('main svg[width="72"] path[d^="M"]').length).toBe(1)
})

test('nobody has it: the ring is empty', async () => {
  await shown({ incident: incident(1) })
  await expect.element(page.getByTitle('Nobody has it')).toBeVisible()
})

test('who has it stands as initials, with the reason it is acknowledged for', async () => {
  const holder = { userId: 'u2', userName: 'Ayesha Malik', since: iso(-5) }
  const acknowledged = { userName: 'Ayesha Malik', comment: '', reason: 'Defrost', createdAt: iso(-5) }
  await shown({ incident: incident(1, { holder, acknowledged }) })
  const ring = page.getByTitle('Ayesha Malik has it: Defrost')
  await expect.element(ring).toMatchTextContent(/AM.*Ayesha Malik has it, acknowledged/)
})

test('what is shelved says until when, and on hover by whom and why', async () => {
  const shelving: Shelving = {
    imei: incident(1).imei,
    type: 'HIGH_TEMPERATURE_DETECTED',
    until: iso(45),
    reason: 'Defrost',
    userName: 'Hina',
    createdAt: iso(-15),
  }
  await shown({ incident: incident(1), shelving })
  await expect.element(page.getByTitle('Shelved by Hina until 10:45: Defrost')).toMatchTextContent(/10:45/)
})

test('a lost device says how it stands, what it measured last, since when it is lost, and what was said of it', async () => {
  await shown({
    incident: lostDevice(1, {
      said: { _id: 'c1', userName: 'Hina', comment: 'In a tunnel', createdAt: iso(-5) },
    }),
    glance: { ...NO_LINE, place: 'near Okara, N-5' },
  })
  await expect
    .element(main)
    .toMatchTextContent(/Reefer 1.*near Okara, N-5.*“In a tunnel” Hina.*Offline.*last 9\.0 °C.*30 min.*lost/)
})

test('a device that is heard again is back', async () => {
  await shown({ incident: lostDevice(1, { clearedAt: iso(-10) }) })
  await expect.element(main).toMatchTextContent(/Reefer 1.*Back.*20 min.*over/)
})

test('a device that is not among those shown is called by its number', async () => {
  await shown({ incident: incident(9) })
  await expect.element(main).toMatchTextContent(new RegExp(`${incident(9).imei}.*9\\.0 °C`))
})

const NO_LINE: Glance = { imei: incident(1).imei, place: '', at: [], temperature: [], humidity: [] }
