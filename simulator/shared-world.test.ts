import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { alone } from '../server/cluster/alone.ts'
import type { Cluster } from '../server/cluster/cluster.ts'
import { createNetworkFaults, lasting } from './network/network-faults.ts'
import { BEGUN, followWorld, publishWorld } from './shared-world.ts'

/** A clock that a test turns, with the manners of the world's. */
function clockAt(start: number) {
  const listeners = new Set<() => void>()
  const state = { at: start, heldAt: Number.POSITIVE_INFINITY, speed: 1, paused: false }
  const set = (change: Partial<typeof state>): void => {
    Object.assign(state, change)
    for (const listener of listeners) listener()
  }
  return {
    now: () => state.at,
    heldAt: () => state.heldAt,
    speed: () => state.speed,
    paused: () => state.paused,
    setSpeed: (speed: number) => set({ speed }),
    pause: () => set({ paused: true }),
    resume: () => set({ paused: false }),
    jumpTo: (at: number) => set({ at: Math.max(at, state.at) }),
    holdAt: (heldAt: number) => void Object.assign(state, { heldAt }),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A lead and a node that follows it, joined without a network. */
function pair({ leadIdentity = 'demo', begun = ['', ''] } = {}) {
  const listeners = new Set<(message: unknown) => void>()
  let hears = true
  const cluster = (leads: boolean, begunAs: string | undefined): Cluster => {
    const one = alone({ node: 'n', address: 'http://n', dataDir: ':memory:' })
    void one.values.set(BEGUN, begunAs)
    return {
      ...one,
      leads: () => leads,
      publish(_, message) {
        if (hears) for (const listener of listeners) listener(JSON.parse(JSON.stringify(message)))
      },
      onMessage(_, listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  }
  const lead = { cluster: cluster(true, begun[0]), clock: clockAt(1000), network: createNetworkFaults() }
  const follower = { cluster: cluster(false, begun[1]), clock: clockAt(0), network: createNetworkFaults() }
  const followed = followWorld({ ...follower, identity: 'demo' })
  const stop = publishWorld({ ...lead, identity: leadIdentity })
  onTestFinished(async () => {
    await stop()
    followed.stop()
    lead.network.stop()
    follower.network.stop()
  })
  return {
    ...{ lead, follower, followed, stop },
    deaf() {
      hears = false
    },
    /** what all nodes share is heard late, or again */
    late: () => follower.cluster.values.set('world', lead.cluster.values.get('world')),
  }
}
const shownBy = ({ clock, network }: ReturnType<typeof pair>['lead']) => ({
  now: clock.now(),
  speed: clock.speed(),
  paused: clock.paused(),
  network: network.list().map(({ id, fault }) => `${id} ${fault}`),
})

test('whatever the lead does to clock and network, those who hear of it show the same and never pass what it may reach', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const done = fc.oneof(
    fc.record({ do: fc.constant('speed' as const), to: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'cut' as const, 'mend' as const) }),
    fc.record({ do: fc.constant('go' as const), on: fc.integer({ min: 0, max: 3_600_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(done, { maxLength: 30 }), (actions) => {
      const { lead, follower } = pair()
      const { clock, network } = lead
      for (const [i, one] of actions.entries()) {
        if (one.do === 'speed') clock.setSpeed(one.to)
        if (one.do === 'pause') clock.pause()
        if (one.do === 'resume') clock.resume()
        if (one.do === 'cut') network.begin({ fault: 'cut' }, lasting(1e9), `l${i}`)
        if (one.do === 'mend') network.end(network.list()[0]?.id ?? '')
        if (one.do === 'go') {
          clock.jumpTo(clock.now() + one.on)
          clock.holdAt(clock.now() + 1000)
          vi.advanceTimersByTime(250)
          expect(follower.clock.heldAt()).toBe(clock.heldAt())
        }
      }
      vi.advanceTimersByTime(250)
      expect(shownBy(follower)).toEqual(shownBy(lead))
    }),
    { numRuns: 30 },
  )
})

test('one that did not hear it finds it among the values all share, and time does not go back', async () => {
  const { lead, follower, deaf, late } = pair()
  deaf()
  await vi.waitUntil(() => lead.cluster.values.get('world') !== undefined)
  follower.clock.jumpTo(5000)
  await late()
  expect([follower.clock.now(), follower.clock.heldAt()]).toEqual([5000, 61_000])
})

test('what was stored before a message that is heard already changes nothing', async () => {
  const { lead, follower } = pair()
  await vi.waitUntil(() => lead.cluster.values.get('world') !== undefined)
  const early = lead.cluster.values.get('world')
  lead.clock.jumpTo(60_000)
  lead.clock.pause()
  expect(follower.clock.paused()).toBe(true)
  await follower.cluster.values.set('world', early)
  expect([follower.clock.paused(), follower.clock.now()]).toEqual([true, 60_000])
})

test('what is told of another start of the record, or of another world, moves nothing; the other world is named', () => {
  const before = pair({ begun: ['first', 'second'] })
  expect([before.follower.clock.now(), before.followed.other()]).toEqual([0, undefined])
  const other = pair({ leadIdentity: 'dairy' })
  expect([other.follower.clock.now(), other.followed.other()]).toEqual([0, 'dairy'])
})
