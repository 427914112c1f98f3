import { expect, test } from 'vitest'
import { createLastWords } from './last-words.ts'
import type { Suspect } from './quarantine.ts'

const IMEI = '350000000000001'

test("what another company's key says of a device is none of its last words", () => {
  let refuse: (suspect: Suspect) => void = () => {}
  const words = createLastWords({
    ingest: {
      onRefused(listener) {
        refuse = listener
      },
    },
    clock: { now: () => 1_000 },
    deviceByImei: (imei) => (imei === IMEI ? { no: 7, companyId: 'indus' } : undefined),
  })
  const suspect = { imei: IMEI, source: 'api', reason: 'unknown device', detail: 'at 5' } as const
  refuse({ ...suspect, companyId: 'karakoram' })
  expect(words.of(7)).toEqual([])
  // a tracker brings no key
  refuse({ ...suspect, companyId: null, source: 'tracker' })
  refuse({ ...suspect, companyId: 'indus', reason: 'too old' })
  expect(words.of(7)).toEqual([
    { at: 1_000, reason: 'unknown device', detail: 'at 5', times: 1 },
    { at: 1_000, reason: 'too old', detail: 'at 5', times: 1 },
  ])
})
