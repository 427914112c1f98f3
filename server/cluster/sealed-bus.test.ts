import { expect, test } from 'vitest'
import type { Bus } from '../store/bus.ts'
import { bytesOf, hears } from './bus.contract.ts'
import { sealed } from './sealed-bus.ts'

/** A bus that hears itself, and what a stranger tells on it. */
function openBus() {
  const listeners = new Map<string, Set<(bytes: Uint8Array) => void>>()
  const told: { subject: string; bytes: Uint8Array }[] = []
  const bus: Bus = {
    most: 100,
    isUp: () => true,
    publish(subject, bytes) {
      told.push({ subject, bytes })
      for (const listener of listeners.get(subject) ?? []) listener(bytes)
    },
    subscribe(subject, listener) {
      listeners.set(subject, (listeners.get(subject) ?? new Set()).add(listener))
      return () => listeners.get(subject)?.delete(listener)
    },
    close: async () => {},
  }
  return { bus, told }
}

test('what was told with the same key is heard, and nothing else, nor under another name', () => {
  const { bus, told } = openBus()
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
  const bytes = told[0]?.bytes as Uint8Array
  bus.publish('rows', bytes)
  bus.publish('head', bytes.with(-1, 51))
  expect(heard.heard).toEqual(['12', ''])
  expect(elsewhere.heard).toEqual([])
})

test('what is as long as may be is told with its seal, what is longer is not', () => {
  const { bus, told } = openBus()
  const one = sealed(bus, bytesOf('key'))
  one.publish('head', new Uint8Array(one.most))
  one.publish('head', new Uint8Array(one.most + 1))
  expect(told.map(({ bytes }) => bytes.length)).toEqual([bus.most])
})
