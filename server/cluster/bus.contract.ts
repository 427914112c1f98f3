import { expect, test } from 'vitest'
import type { Bus } from '../store/bus.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Collects what a bus hears, and waits until it is so much. */
export function hears(bus: Bus, subject: string) {
  const heard: string[] = []
  let arrived = Promise.withResolvers<void>()
  const stop = bus.subscribe(subject, (bytes) => {
    heard.push(textOf(bytes))
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  return {
    heard,
    stop,
    async until(count: number): Promise<string[]> {
      while (heard.length < count) await arrived.promise
      return heard
    },
  }
}

/** Waits until the others hear all they listen for: what they asked for last is heard. */
export async function met(sender: Bus, ...others: Bus[]): Promise<void> {
  const heard = others.map((bus) => hears(bus, 'hello'))
  const greeting = setInterval(() => sender.publish('hello', bytesOf('hello')), 5)
  await Promise.all(heard.map(({ until }) => until(1)))
  clearInterval(greeting)
  for (const { stop } of heard) stop()
}

/**
 * What every bus promises.
 * @param open answers a connected node; `cluster` says of which cluster
 */
export function busContract(name: string, open: (cluster: 'one' | 'two') => Promise<Bus>): void {
  test(`${name}: all other nodes of a cluster hear what one tells, in order, each as often as it was told`, async () => {
    const [sender, second, third] = [await open('one'), await open('one'), await open('one')]
    const [stranger, friend] = [await open('two'), await open('two')]
    const others = [hears(second, 'head'), hears(second, 'head'), hears(third, 'head')]
    const own = hears(sender, 'head')
    const unasked = hears(second, 'batch')
    const elsewhere = hears(stranger, 'head')
    await met(sender, second, third)
    await met(second, sender)
    await met(friend, stranger)
    const messages = ['1', '2', '2', '3', 'to the\u0000 end – all of it']
    for (const each of messages) sender.publish('head', bytesOf(each))
    for (const each of others) expect(await each.until(messages.length)).toEqual(messages)
    second.publish('head', bytesOf('answer'))
    expect(await own.until(1)).toEqual(['answer'])
    friend.publish('head', bytesOf('of ours'))
    expect(await elsewhere.until(1)).toEqual(['of ours'])
    expect(unasked.heard).toEqual([])
    await Promise.all([sender, second, third, stranger, friend].map((bus) => bus.close()))
  })

  test(`${name}: what is too long is told to nobody, who stopped hears nothing, who closed tells nothing`, async () => {
    const [sender, other] = [await open('one'), await open('one')]
    const heard = hears(other, 'batch')
    const stopped = hears(other, 'batch')
    stopped.stop()
    await met(sender, other)
    sender.publish('batch', new Uint8Array(sender.most + 1).fill(65))
    sender.publish('batch', new Uint8Array(sender.most).fill(66))
    expect(await heard.until(1)).toEqual(['B'.repeat(sender.most)])
    expect(stopped.heard).toEqual([])
    await sender.close()
    expect(sender.isUp()).toBe(false)
    sender.publish('batch', bytesOf('late'))
    await other.close()
  })
}
