import { expect, test } from 'vitest'
import { createUnknownDevices, type Knock, MOST_PER_ADDRESS, MOST_UNKNOWN } from './unknown-devices.ts'

const imeiOf = (n: number): string => String(350_000_000_000_000 + n)
const knock = (n: number, more: Partial<Knock> = {}): Knock => ({
  imei: imeiOf(n),
  door: 'teltonika',
  address: '10.0.0.1',
  companyId: null,
  ...more,
})

function ring() {
  let now = 1_000
  const unknown = createUnknownDevices({ now: () => now })
  return { unknown, passes: (ms: number) => (now += ms) }
}

test('a device that knocks again is one line with when it did first and last, and how often', () => {
  const { unknown, passes } = ring()
  unknown.note(knock(1))
  passes(50)
  unknown.note(knock(1, { address: '10.0.0.2' }))
  expect(unknown.list({ companyId: 'indus', isSuperAdmin: true })).toEqual([
    { ...knock(1, { address: '10.0.0.2' }), firstAt: 1_000, lastAt: 1_050, times: 2 },
  ])
})

test('a company sees those of its key, a super admin also those that brought none', () => {
  const { unknown } = ring()
  unknown.note(knock(1))
  unknown.note(knock(2, { door: 'http', companyId: 'indus' }))
  unknown.note(knock(3, { door: 'http', companyId: 'karakoram' }))
  const seenBy = (isSuperAdmin: boolean) =>
    unknown.list({ companyId: 'indus', isSuperAdmin }).map(({ imei }) => imei)
  expect(seenBy(false)).toEqual([imeiOf(2)])
  expect(seenBy(true)).toEqual([imeiOf(2), imeiOf(1)])
})

test('one address fills no more than its part, and all together no more than there is room for', () => {
  const { unknown } = ring()
  unknown.note(knock(0, { address: '192.0.2.1' }))
  for (let n = 1; n <= MOST_UNKNOWN * 2; n++) unknown.note(knock(n))
  const afterFlood = unknown.list({ companyId: '', isSuperAdmin: true })
  expect(afterFlood).toHaveLength(MOST_PER_ADDRESS + 1)
  expect(afterFlood.at(-1)?.imei).toBe(imeiOf(0))
  for (let n = 1; n <= MOST_UNKNOWN * 2; n++) unknown.note(knock(n, { address: `10.0.${n >> 8}.${n & 255}` }))
  expect(unknown.list({ companyId: '', isSuperAdmin: true })).toHaveLength(MOST_UNKNOWN)
})

test("a flood of one company leaves another's knock listed, by whichever addresses it comes", () => {
  const { unknown } = ring()
  const mine = { door: 'http', companyId: 'indus', address: '2001:db8::1' } as const
  const flood = (addressOf: (n: number) => string) => {
    for (let n = 1; n <= MOST_UNKNOWN; n++)
      unknown.note(knock(n, { ...mine, companyId: 'karakoram', address: addressOf(n) }))
  }
  const listed = (companyId: string) => unknown.list({ companyId, isSuperAdmin: false }).length
  unknown.note(knock(0, mine))
  flood((n) => `2001:db8::${n.toString(16)}`)
  expect([listed('indus'), listed('karakoram')]).toEqual([1, MOST_PER_ADDRESS])
  flood((n) => `2001:db8:0:${n.toString(16)}::1`)
  expect([listed('indus'), listed('karakoram')]).toEqual([1, MOST_UNKNOWN - 1])
})

test('what is registered is forgotten, by whichever door it came', () => {
  const { unknown } = ring()
  unknown.note(knock(1))
  unknown.note(knock(1, { door: 'http', companyId: 'indus' }))
  unknown.forget(imeiOf(1))
  expect(unknown.list({ companyId: 'indus', isSuperAdmin: true })).toEqual([])
})
