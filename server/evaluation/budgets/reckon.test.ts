import { expect, test } from 'vitest'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { given } from '../../commands/testing/given.ts'
import { company, device, group } from '../../testing/facts.ts'
import { countTurns } from '../../testing/turns-of-the-loop.ts'
import { columnsOf, imeiOf } from '../testing/small-fleet.ts'
import { storyOfLoad } from './load-story.ts'
import { reckonLoad } from './reckon.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 5, 15)
const END = START + 5 * DAY
const origin = { at: START, companyId: 'c' }
const FOOD = SHIPPED_PROFILES['chilled-food'] as ProfileForm
const { directory } = given(
  company('c'),
  group('g', 'c', null),
  device(0, imeiOf(0), 'c', 'g'),
  { ...origin, type: 'profile.set', data: { companyId: 'c', profileId: 'food', version: 1, ...FOOD } },
  {
    ...origin,
    type: 'load.opened',
    data: {
      ...{ loadId: 'l1', imei: imeiOf(0), userName: 'Ayesha' },
      ...{ profileId: 'food', version: 1, reference: 'Lot 7' },
    },
  },
)
const load = directory.loads.byId.get('l1') as LoadRecord

type Telemetry = Parameters<typeof storyOfLoad>[0]

test.each<[string, (telemetry: Telemetry) => Promise<unknown>]>([
  ['told', (telemetry) => storyOfLoad(telemetry, directory, load, { kept: START, until: END })],
  ['reckoned', (telemetry) => reckonLoad(telemetry, directory, load, { kept: START, until: () => END - 1 })],
])('a load is %s a day at a time, and others have their turn after each', async (_, work) => {
  const { now, stop } = countTurns()
  const turns: number[] = []
  const history: Telemetry['history'] = async (no, from) => {
    turns.push(now())
    return columnsOf([{ device: no, at: from, temperature: 5 }])
  }
  expect(await work({ history })).toBeDefined()
  stop()
  expect(turns).toHaveLength(5)
  expect(new Set(turns).size).toBe(5)
})
