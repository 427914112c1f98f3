import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NatsServer, type NatsServers, startNats } from '../../tools/local-cluster/nats.ts'
import type { Bus } from '../store/bus.ts'
import { busContract, bytesOf, hears, met } from './bus.contract.ts'
import { openNatsBus } from './nats-bus.ts'

describe('a bus of NATS', () => {
  let nats: NatsServers
  const lines: string[] = []
  const opened = (cluster: string): Bus =>
    openNatsBus({
      servers: nats.url.split(','),
      prefix: `test.${cluster}`,
      name: 'test',
      say: (line) => lines.push(line),
    })
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await setTimeout(5)
  }
  beforeAll(async () => {
    nats = await startNats(1)
  })
  afterAll(() => nats.stop())

  busContract('NATS', async (cluster) => {
    const bus = opened(cluster)
    await until(bus.isUp)
    return bus
  })

  test('it is opened without a server, found when there is one, and heard again after one that died', async () => {
    const server = () => nats.servers[0] as NatsServer
    await server().kill()
    lines.length = 0
    const [sender, other] = [opened('one'), opened('one')]
    const heard = hears(other, 'head')
    await until(() => lines.length === 2)
    expect([sender.isUp(), other.isUp()]).toEqual([false, false])
    sender.publish('head', bytesOf('to nobody'))
    for (let time = 1; time <= 2; time++) {
      await nats.restart(server())
      await met(sender, other)
      sender.publish('head', bytesOf(`found ${time}`))
      await heard.until(time)
      if (time === 1) await server().kill()
      await until(() => sender.isUp() === (time === 2))
    }
    expect(heard.heard).toEqual(['found 1', 'found 2'])
    // a line when it is not there, and one when it is: not one for each try
    expect(new Set(lines).size).toBe(2)
    expect(lines.length).toBeLessThanOrEqual(8)
    await Promise.all([sender.close(), other.close()])
  })

  test('it closes while nobody is there', async () => {
    const bus = openNatsBus({ servers: ['nats://127.0.0.1:1'], prefix: 'test', name: 'test' })
    await bus.close()
    expect(bus.isUp()).toBe(false)
  })
})
