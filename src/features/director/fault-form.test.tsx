import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { directorOf } from '../../actors/director.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import { plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { FaultForm, FIRST_ORDER } from './fault-form.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const BREAK = 'POST /sim/faults'

test.each([
  ['one that is there', 'north', { groupId: 'north' }],
  ['one that nobody sees here', 'of-another-scenario', {}],
])('a share is of the group that was chosen: %s', async (_, groupId, of) => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [], [plainGroup('top'), plainGroup('north', 'top')]))
  const order = { ...FIRST_ORDER, on: 'share' as const, groupId }
  harness = await mountPage(<FaultForm order={order} onOrder={() => {}} />, { at: '/', server: {}, fleet })
  directorOf(harness.root).watch()
  await page.getByRole('button', { name: 'Break them' }).click()
  await expect
    .poll(() => harness.calls(BREAK).map(({ body }) => body))
    .toEqual([{ fault: 'compressor-off', forSeconds: 7200, share: 0.1, ...of }])
})
