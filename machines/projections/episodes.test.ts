import { expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import { foldPublished, forgetOld, type Published, type PublishedOfDevices, publishedOf } from './episodes.ts'

const imei = '350000000000000'
const type = 'HIGH_TEMPERATURE_DETECTED' as const
const about = { violationId: 'v', imei, type }
const opening = {
  ...about,
  threshold: 8,
  delaySeconds: 600,
  clearMargin: 0.5,
  since: 10,
  value: 9,
  lat: null,
  lng: null,
}
const received = { receivedFrom: 90, receivedTo: 95, readingsLate: 3 }
const opened: NewFact = {
  type: 'violation.opened',
  at: 20,
  companyId: 'c',
  data: { ...opening, readings: [] },
}
const cleared: NewFact = {
  type: 'violation.cleared',
  at: 40,
  companyId: 'c',
  data: { ...about, value: 7, worst: 10, durationSeconds: 30, reason: 'back-inside' },
}
const before = { since: 10, openedAt: 20, clearedAt: 40, threshold: 8, worst: 10 }
const revised = (after: typeof before | null): NewFact => ({
  type: 'violation.revised',
  at: 20,
  companyId: 'c',
  data: { ...about, before, after, ...received },
})

function folded(...facts: NewFact[]): Published | undefined {
  const devices: PublishedOfDevices = new Map()
  const stored = facts.map((fact, i) => ({ ...fact, seq: i + 1, recordedAt: fact.at }) as Fact)
  // each comes up twice: as it is stored, and as the log is followed
  for (const fact of [...stored, ...stored]) foldPublished(devices, fact)
  return devices.get(imei)
}
const episodes = (...facts: NewFact[]) => [...(folded(...facts)?.episodes.values() ?? [])]

test('a violation is as it was told last', () => {
  expect(episodes(opened)).toMatchObject([{ since: 10, openedAt: 20, clearedAt: null, worst: 9 }])
  expect(episodes(opened, cleared)).toMatchObject([{ since: 10, clearedAt: 40, worst: 10 }])
  const after = { ...before, since: 5, clearedAt: 60 }
  expect(episodes(opened, cleared, revised(after))).toMatchObject([{ since: 5, clearedAt: 60 }])
  expect(episodes(opened, cleared, revised(null))).toEqual([])
})

test('what was told goes on under the tracker a device has now, and not under that of a device taken in later', () => {
  const data = { no: 0, before: imei, after: '350000000000007' }
  const replaced: NewFact = { type: 'device.tracker-replaced', at: 30, companyId: 'c', data }
  const clearedNow = { ...cleared, data: { ...cleared.data, imei: data.after } } as NewFact
  const devices: PublishedOfDevices = new Map()
  const facts = [opened, replaced, clearedNow].map((fact, i) => ({ ...fact, seq: i + 1 }) as Fact)
  for (const fact of [...facts, ...facts]) foldPublished(devices, fact)
  expect([...devices.keys()]).toEqual([data.after])
  expect([...publishedOf(devices, data.after).episodes.values()]).toMatchObject([{ clearedAt: 40 }])

  const registered = { type: 'device.registered', at: 50, companyId: 'd', data: { imei: data.after, no: 1 } }
  foldPublished(devices, { ...registered, seq: 4 } as Fact)
  expect(publishedOf(devices, data.after).episodes.size).toBe(0)
})

test('one that was found late is as it was found', () => {
  const data = { ...opening, worst: 11, clearedAt: 50, ...received }
  const found: NewFact = { type: 'violation.found-late', at: 20, companyId: 'c', data }
  expect(episodes(found)).toMatchObject([{ since: 10, openedAt: 20, clearedAt: 50, worst: 11 }])
})

test('a device was what is known of it now', () => {
  const changed = (at: number, from: 'online' | 'offline', to: 'online' | 'offline'): NewFact => ({
    type: 'device-status.changed',
    at,
    companyId: 'c',
    data: { imei, from, to },
  })
  const status = folded(
    changed(10, 'offline', 'online'),
    changed(30, 'online', 'offline'),
    changed(60, 'offline', 'online'),
    {
      type: 'device-status.revised',
      at: 30,
      companyId: 'c',
      data: { imei, from: 30, to: 50, before: 'offline', after: 'online' },
    },
  )?.status
  expect(status?.map(({ at, to }) => [at, to])).toEqual([
    [10, 'online'],
    [30, 'offline'],
    [30, 'online'],
    [50, 'offline'],
    [60, 'online'],
  ])
})

test('of a device are known as many days as readings are kept, what lasted when they began, and what it was by then', () => {
  const DAY = 86_400_000
  const devices: PublishedOfDevices = new Map()
  let seq = 0
  const fold = (fact: NewFact) => {
    seq++
    foldPublished(devices, { ...fact, seq, recordedAt: fact.at } as Fact)
  }
  const status = (at: number, from: 'online' | 'offline', to: 'online' | 'offline') =>
    fold({ type: 'device-status.changed', at, companyId: 'c', data: { imei, from, to } })
  fold({ ...opened, data: { ...opened.data, violationId: 'lasts' } } as NewFact)
  for (let day = 1; day <= 365; day++) {
    const [violationId, at] = [`v${day}`, day * DAY]
    fold({ ...opened, at, data: { ...opened.data, violationId } } as NewFact)
    fold({ ...cleared, at: at + 10, data: { ...cleared.data, violationId } } as NewFact)
    fold({
      ...revised(null),
      at: at + 20,
      data: { ...about, violationId, before: { ...before, clearedAt: at + 10 }, after: null, ...received },
    } as NewFact)
    fold({ ...opened, at, data: { ...opened.data, violationId: `w${day}` } } as NewFact)
    fold({ ...cleared, at: at + 10, data: { ...cleared.data, violationId: `w${day}` } } as NewFact)
    status(at, 'offline', 'online')
    status(at + 10, 'online', 'offline')
  }
  const { episodes, gone, status: spans } = publishedOf(devices, imei)
  const days = (ids: Iterable<string>) => [...ids].map((id) => Number(id.slice(1)))
  expect([...episodes.keys()].slice(0, 2)).toEqual(['lasts', 'w272'])
  expect(episodes.size).toBe(1 + 94)
  expect(Math.min(...days(gone.keys()))).toBe(272)
  expect(spans[0]).toMatchObject({ at: 272 * DAY, to: 'online' })

  forgetOld(devices, 365 * DAY + 15)
  const last = { at: 365 * DAY + 10, to: 'offline' }
  expect(publishedOf(devices, imei)).toMatchObject({ status: [last] })
  expect([[...episodes.keys()], gone.size]).toEqual([['lasts'], 0])
})
