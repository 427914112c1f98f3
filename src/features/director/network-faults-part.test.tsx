import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { START, worldAt } from '#machines/director/director.samples.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import { FIRST_LINK, NetworkFaultsPart } from './network-faults-part.tsx'

const MINUTE = 60_000

let harness: PageHarness
afterEach(() => {
  harness.unmount()
  vi.useRealTimers()
})

test('what is left of a fault is by the clock that ends it: the world’s of one of the script, which may stand', async () => {
  const here = START + 1_000_000 * MINUTE
  vi.useFakeTimers({ now: here, toFake: ['Date'] })
  const until = here + MINUTE
  const world = {
    ...worldAt(START),
    links: [
      {
        id: 'script-1',
        fault: 'cut' as const,
        from: here,
        until,
        leftMs: MINUTE,
        worldUntil: START + 60 * MINUTE,
      },
      { id: 'l1', fault: 'reorder' as const, from: here, until, leftMs: MINUTE },
    ],
  }
  let now = START
  harness = await mountPage(<NetworkFaultsPart world={world} order={FIRST_LINK} onOrder={() => {}} />, {
    at: '/',
    server: {},
    fleet: createFleet((call) => call()),
    clock: { now: () => now, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY },
  })
  const line = (what: string) => page.getByRole('listitem').filter({ hasText: what })
  await expect.element(line('Network cut')).toMatchTextContent(/cut1 h left/)
  await expect.element(line('out of order')).toMatchTextContent(/order1 min left/)
  // the world stands
  vi.setSystemTime(here + MINUTE / 2)
  await expect.element(line('out of order')).toMatchTextContent(/30 s left/)
  await expect.element(line('Network cut')).toMatchTextContent(/cut1 h left/)
  now = START + 20 * MINUTE
  await expect.element(line('Network cut')).toMatchTextContent(/40 min left/)
  await expect.element(line('out of order')).toMatchTextContent(/30 s left/)
})
