import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Bus } from '../store/bus.ts'
import { bytesOf, hears } from './bus.contract.ts'
import { sealed } from './sealed-bus.ts'

/** A bus that hears itself, and what a stranger tells on it. */
function openBus() {
  const listeners = new Map<string, Set<(bytes: Uint8Array) => void>>()
  const published: { subject: string; bytes: Uint8Array }[] = []
  const bus: Bus = {
    most: 100,
    isUp: () => true,
    publish(subject, bytes) {
      published.push({ subject, bytes })
      for (const listener of listeners.get(subject) ?? []) listener(bytes)
    },
    subscribe(subject, listener) {
      listeners.set(subject, (listeners.get(subject) ?? new Set()).add(listener))
      return () => listeners.get(subject)?.delete(listener)
    },
    close: async () => {},
  }
  return { bus, published }
}

test('what was told with the same key is heard, and nothing else, nor under another name', () => {
  const { bus, published } = openBus()
  const [one, other, stranger] = ['key', 'key', 'guess'].map((key) => sealed(bus, bytesOf(key))) as [
    Bus,
    Bus,
    Bus,
  ]
  const heard = hears(other, 'head')
  const elsewhere = hears(other, 'rows')
  one.publish('head', bytesOf('12'))
  one.publish('head', bytesOf(''))
  stranger.publish('head', bytesOf('13'))
  for (const plain of ['', 'short', 'longer than a seal is by itself']) bus.publish('head', bytesOf(plain))
  const bytes = published[0]?.bytes as Uint8Array
  bus.publish('rows', bytes)
  bus.publish('head', bytes.with(-1, 51))
  expect(heard.heard).toEqual(['12', ''])
  expect(elsewhere.heard).toEqual([])
})

test('what is as long as may be is told with its seal, what is longer is not', () => {
  const { bus, published } = openBus()
  const one = sealed(bus, bytesOf('key'))
  one.publish('head', new Uint8Array(one.most))
  one.publish('head', new Uint8Array(one.most + 1))
  expect(published.map(({ bytes }) => bytes.length)).toEqual([bus.most])
})

test('the same bytes once more are not heard, however often and by whomever they are sent; the same words are', () => {
  const clock = { at: 1e12, now: () => clock.at }
  const { bus, published } = openBus()
  const one = sealed(bus, bytesOf('key'), clock)
  const heard = [hears(sealed(bus, bytesOf('key'), clock), 'guesses'), hears(one, 'guesses')]
  one.publish('guesses', bytesOf('forgiven'))
  one.publish('guesses', bytesOf('forgiven'))
  const recorded = published.map(({ bytes }) => bytes)
  for (const later of [0, 1, 59_000, 1, 1, 58_999, 1, 1e9]) {
    clock.at += later
    for (const bytes of recorded) bus.publish('guesses', bytes)
  }
  for (const each of heard) expect(each.heard).toEqual(['forgiven', 'forgiven'])
})

test('what a node says whose clock is off by less than a minute is heard, once; by more it is not, and operators are told', () => {
  const warnings: string[] = []
  const { bus, published } = openBus()
  let here = 1e12
  const { heard } = hears(
    sealed(bus, bytesOf('key'), { say: (line) => warnings.push(line), now: () => here }),
    'head',
  )
  const sayAt = (off: number) =>
    sealed(bus, bytesOf('key'), { now: () => here + off }).publish('head', bytesOf(`${off}`))
  for (const off of [-60_000, 60_000]) sayAt(off)
  expect(heard).toEqual(['-60000', '60000'])
  expect(warnings).toEqual([])
  // as long as it could be taken it is known
  for (here += 1; here <= 1e12 + 120_000; here += 1_000)
    bus.publish('head', published[1]?.bytes as Uint8Array)
  expect(heard).toEqual(['-60000', '60000'])
  for (const off of [-61_000, 61_000]) sayAt(off)
  here += 60_000
  sayAt(3_600_000)
  expect(heard).toEqual(['-60000', '60000'])
  expect(warnings).toEqual([
    'NATS: a message of 61 s ago is refused: the clocks of two nodes are apart, or somebody sent it again',
    'NATS: a message of 3600 s ahead is refused: the clocks of two nodes are apart, or somebody sent it again',
  ])
})

test('what a node of a release before says, whose seal has no time, is not heard, and operators are told nothing', () => {
  const { bus } = openBus()
  const warnings: string[] = []
  const { heard } = hears(sealed(bus, bytesOf('key'), { say: (line) => warnings.push(line) }), 'head')
  const words = bytesOf('{"node":"b","seq":123456}')
  const seal = createHmac('sha256', bytesOf('key')).update('head\n').update(words).digest().subarray(0, 16)
  bus.publish('head', Buffer.concat([seal, words]))
  expect([heard, warnings]).toEqual([[], []])
})
