import { describe, expect, test } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { createFleet } from './fleet.ts'
import { createFleetSearch } from './search.ts'
import { imeiOf, plainDevice, snapshotOf } from './testing/make-fleet.ts'

/** Work put off until the test has time for it. */
function idle() {
  const waiting: (() => void)[] = []
  return {
    whenIdle: (work: () => void) => void waiting.push(work),
    /** how many slices of work there were */
    rest() {
      let n = 0
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
        work()
        n++
      }
      return n
    },
  }
}

const renamed: Fact = {
  seq: 20,
  id: 'f',
  v: 1,
  at: 0,
  recordedAt: 0,
  companyId: 'c',
  type: 'device.updated',
  data: { imei: imeiOf(1), name: 'Zebra' },
}

describe('the search over the fleet', () => {
  test('knows the fleet that came last, and its new names', () => {
    const { whenIdle, rest } = idle()
    const frames: (() => void)[] = []
    const fleet = createFleet((draw) => frames.push(draw))
    const search = createFleetSearch(fleet, whenIdle)
    expect(search.find('reefer', 10).rows).toHaveLength(0)
    fleet.load(snapshotOf(10, [plainDevice(0), plainDevice(1)]))
    expect([...search.find('reefer 1', 10).rows]).toEqual([1])
    rest()
    fleet.apply([renamed])
    expect([...search.find('zebra', 10).rows]).toEqual([1])
    expect([...search.find('reefer', 10).rows]).toEqual([0])
    expect([...search.find('', 10, Uint8Array.of(0, 1)).rows]).toEqual([1])
  })

  test('is made ready while nobody types, in slices, and stops with its page', () => {
    const { whenIdle, rest } = idle()
    const frames: (() => void)[] = []
    const fleet = createFleet((draw) => frames.push(draw))
    const search = createFleetSearch(fleet, whenIdle)
    rest()
    fleet.load(
      snapshotOf(
        10,
        Array.from({ length: 5000 }, (_, no) => plainDevice(no)),
      ),
    )
    frames.shift()?.()
    expect(rest()).toBe(3)
    search.stop()
    fleet.load(snapshotOf(11, [plainDevice(0)]))
    frames.shift()?.()
    expect(rest()).toBe(0)
  })
})
