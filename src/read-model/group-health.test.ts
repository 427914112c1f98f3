import { expect, test } from 'vitest'
import { violationBit, withStatus } from '#machines/contracts/device-state.ts'
import { createFleet } from './fleet.ts'
import { byHealth, healthOf } from './group-health.ts'
import { SEVERITIES } from './severity.ts'
import { plainDevice, plainGroup, snapshotOf } from './testing/make-fleet.ts'

const HOT = violationBit('HIGH_TEMPERATURE_DETECTED')
const DRY = violationBit('LOW_HUMIDITY_DETECTED')

test('a group has what is open in it and below it, the worst of that, and what is near a limit', () => {
  const fleet = createFleet((call) => call())
  const groups = [plainGroup('top'), plainGroup('a', 'top'), plainGroup('b', 'top'), plainGroup('aa', 'a')]
  fleet.load(
    snapshotOf(
      1,
      [
        plainDevice(0, { group: 3, state: HOT | DRY }),
        plainDevice(1, { group: 1, state: DRY }),
        plainDevice(2, { group: 2, state: withStatus(0, 'offline') }),
        plainDevice(3, { group: 3, temperature: 750 }),
      ],
      groups,
    ),
  )
  const health = healthOf(fleet)
  const worst = SEVERITIES.indexOf('tooHot')
  expect(health.get('aa')).toEqual({ open: 2, worst, near: 1 })
  expect(health.get('a')).toEqual({ open: 3, worst, near: 1 })
  expect(health.get('b')).toEqual({ open: 0, worst: 0, near: 0 })
  expect(health.get('top')).toEqual({ open: 3, worst, near: 1 })
  expect(['b', 'aa', 'a'].sort((x, y) => byHealth(health.get(x), health.get(y)))).toEqual(['a', 'aa', 'b'])
})
