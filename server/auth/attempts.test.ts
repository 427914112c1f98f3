import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAttempts, networkOf, type Others } from './attempts.ts'

const MINUTE = 60_000

test('five wrong passwords are free, then the wait doubles, until they are five minutes old', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 5; i++) expect(attempts.begin('ayesha', `address-${i}`)).toBe(0)
  const waits: number[] = []
  for (let i = 5; i < 10; i++) {
    const wait = attempts.begin('ayesha', `address-${i}`)
    waits.push(wait)
    now += wait
    expect(attempts.begin('ayesha', `address-${i}`)).toBe(0)
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000])
  now += 5 * MINUTE
  expect(attempts.begin('ayesha', 'address-10')).toBe(0)
})

test('one address has ten failures a minute, whichever accounts it tries', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 10; i++) {
    expect(attempts.begin(`account-${i}`, '10.0.0.1')).toBe(0)
    now += 1000
  }
  expect(attempts.begin('account-10', '10.0.0.1')).toBe(MINUTE - 10_000)
  expect(attempts.begin('account-10', '10.0.0.2')).toBe(0)
  now = MINUTE
  expect(attempts.begin('account-11', '10.0.0.1')).toBe(0)
})

test('right passwords are never counted, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (accounts) => {
      const attempts = createAttempts(() => 0)
      for (const account of accounts) {
        expect(attempts.begin(`a${account}`, 'office')).toBe(0)
        attempts.succeeded(`a${account}`, 'office')
      }
    }),
  )
})

test('one right password clears one failure of its address: all others tried from there still count', () => {
  const attempts = createAttempts(() => 0)
  for (let i = 0; i < 9; i++) attempts.begin(`account-${i}`, '10.0.0.1')
  expect(attempts.begin('own', '10.0.0.1')).toBe(0)
  attempts.succeeded('own', '10.0.0.1')
  expect(attempts.begin('account-9', '10.0.0.1')).toBe(0)
  expect(attempts.begin('account-10', '10.0.0.1')).toBe(MINUTE)
})

test('a refused attempt does not prolong the wait', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 5; i++) attempts.begin('ayesha', `${i}`)
  now = 3000
  expect(attempts.begin('ayesha', 'x')).toBe(2000)
  expect(attempts.begin('ayesha', 'x')).toBe(2000)
})

/** Nodes that hear each other; `messages` is what somebody who listens in hears. */
function party() {
  const messages: unknown[] = []
  const listeners: ((message: unknown) => void)[] = []
  const say = (message: unknown, by?: number) => {
    messages.push(message)
    for (const [i, listener] of listeners.entries()) if (i !== by) listener(message)
  }
  const member = (): Others => {
    const me = listeners.length
    return {
      publish: (message) => say(message, me),
      onMessage: (listener) => {
        listeners.push(listener)
        return () => listeners.splice(me, 1, () => {})
      },
    }
  }
  return { messages, say, member }
}

test('nodes that hear each other let nobody try more than one node would', () => {
  const step = fc.record({
    node: fc.nat(2),
    account: fc.constantFrom('ayesha', 'bilal', 'tahir'),
    address: fc.constantFrom('10.0.0.1', '10.0.0.2'),
    isRight: fc.boolean(),
    later: fc.constantFrom(0, 100, 5_000, MINUTE),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0
      const { member } = party()
      const nodes = [0, 1, 2].map(() => createAttempts(() => now, member()))
      const one = createAttempts(() => now)
      for (const { node, account, address, isRight, later } of steps) {
        now += later
        const here = nodes[node] as (typeof nodes)[number]
        const wait = here.begin(account, address)
        expect(wait).toBe(one.begin(account, address))
        if (wait > 0 || !isRight) continue
        here.succeeded(account, address)
        one.succeeded(account, address)
      }
    }),
  )
})

test('who listens in hears no name and no address; what is said wrong, or after the end, changes nothing', () => {
  const { messages, say, member } = party()
  const here = createAttempts(() => 0, member())
  const there = createAttempts(() => 0, member())
  there.stop()
  for (let i = 0; i < 4; i++) here.begin('ayesha@indus.example', '10.0.0.1')
  expect(JSON.stringify(messages)).not.toMatch(/ayesha|10\.0/)
  for (const wrong of [undefined, null, 'failed', ['failed'], ['failed', 1, 2], { failed: 'x' }]) say(wrong)
  expect(here.begin('ayesha@indus.example', '10.0.0.1')).toBe(0)
  expect(here.begin('ayesha@indus.example', '10.0.0.1')).toBe(5_000)
  expect(there.begin('ayesha@indus.example', '10.0.0.1')).toBe(0)
})

test('an address of IPv6 counts with its network', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::9'))
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
  expect(networkOf('::1')).toBe(networkOf('::2'))
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2'))
  expect([networkOf('10.0.0.1'), networkOf('::ffff:10.0.0.1')]).toEqual(['10.0.0.1', '10.0.0.1'])
  const attempts = createAttempts(() => 0)
  for (let i = 0; i < 10; i++) expect(attempts.begin(`account-${i}`, `2001:db8::${i}`)).toBe(0)
  expect(attempts.begin('account-10', '2001:db8::ffff')).toBe(MINUTE)
  expect(attempts.waitOfAddress('2001:db8::1:1')).toBe(MINUTE)
})

test('whoever is behind several names has five tries in all', () => {
  const attempts = createAttempts(() => 0)
  for (let i = 0; i < 5; i++) expect(attempts.beginFor('u1')).toBe(0)
  expect(attempts.beginFor('u1')).toBe(5_000)
  expect(attempts.begin('u1', 'office')).toBe(0)
  attempts.succeeded('ayesha', 'office', 'u1')
  expect(attempts.beginFor('u1')).toBe(0)
})

test('an attacker with very many names pushes none out that waits', () => {
  const attempts = createAttempts(() => 0)
  for (let i = 0; i < 5; i++) attempts.begin('ayesha', 'address')
  for (let i = 0; i < 60_000; i++) attempts.begin(`name-${i}`, `2001:db8:${i.toString(16)}::1`)
  expect(attempts.begin('ayesha', 'elsewhere')).toBe(5_000)
})
