import { array, boolean, type Infer, is, number, object, string } from 'superstruct'
import { SimLink } from '#machines/contracts/calls/sim-calls.ts'
import type { Cluster } from '../server/ports.ts'
import type { NetworkFaults } from './network/network-faults.ts'

/** What all nodes know of the simulated world that one of them plays. */
const SharedWorld = object({
  /** which start of the record it belongs to: after a reset time begins anew */
  begun: string(),
  /** scenario, seed and size */
  identity: string(),
  /** epoch ms of its clock, what that does not pass, and how fast it goes */
  at: number(),
  heldAt: number(),
  speed: number(),
  paused: boolean(),
  /** what is wrong with the network */
  links: array(SimLink),
})
type SharedWorld = Infer<typeof SharedWorld>

type Clock = {
  now(): number
  heldAt(): number
  speed(): number
  paused(): boolean
  setSpeed(speed: number): void
  pause(): void
  resume(): void
  jumpTo(at: number): void
  holdAt(at: number): void
  subscribe(listener: () => void): () => void
}
type Parts = {
  cluster: Cluster
  clock: Clock
  network: NetworkFaults
  /** of the world that this node simulates */
  identity: string
}

const SUBJECT = 'world'
/** Which start of the record this is: set with a reset. */
export const BEGUN = 'begun'
/** Real ms between two messages, and between two that are stored: for nodes that come later or miss one. */
const PUBLISH_MS = 250
const STORE_MS = 1_000
/** Ms of the world that a clock goes on by itself where it may go on for ever. */
const FURTHEST = 60_000

const begunOf = ({ values }: Cluster): string => String(values.get(BEGUN) ?? '')

/**
 * Keeps clock and network of a node that does not lead like those of the leader: never ahead of what its clock may reach, never
 * going back. What is stored may come after messages that were sent later: what is of an earlier time of the world is passed over.
 */
export function followWorld({ cluster, clock, network, identity }: Parts) {
  const begun = begunOf(cluster)
  let heard = identity
  let latest = Number.NEGATIVE_INFINITY

  function take(message: unknown): void {
    if (cluster.leads() || !is(message, SharedWorld) || message.begun !== begun) return
    if (message.at < latest) return
    latest = message.at
    heard = message.identity
    if (heard !== identity) return
    if (clock.speed() !== message.speed) clock.setSpeed(message.speed)
    if (message.at > clock.now()) clock.jumpTo(message.at)
    clock.holdAt(message.heldAt)
    if (message.paused !== clock.paused()) {
      if (message.paused) clock.pause()
      else clock.resume()
    }
    network.mirror(message.links)
  }
  take(cluster.values.get(SUBJECT))
  const stops = [
    cluster.onMessage(SUBJECT, take),
    cluster.values.onChange((name, value) => {
      if (name === SUBJECT) take(value)
    }),
  ]
  return {
    /** the world that is played, where it is another than this node's; its history would be another too */
    other: () => (heard === identity ? undefined : heard),
    stop() {
      for (const stop of stops) stop()
    },
  }
}

/** Publishes clock and network to all nodes, while this one leads; answers how to stop. */
export function publishWorld({ cluster, clock, network, identity }: Parts): () => Promise<void> {
  const begun = begunOf(cluster)
  let published = ''
  let stored = ''
  let storedAt = Number.NEGATIVE_INFINITY
  let storing: Promise<void> | undefined
  let speed = clock.speed()
  let paused = clock.paused()

  function look(): void {
    if (!cluster.leads()) return
    const at = clock.now()
    const heldAt = Math.min(clock.heldAt(), at + FURTHEST)
    speed = clock.speed()
    paused = clock.paused()
    const world: SharedWorld = { begun, identity, at, heldAt, speed, paused, links: network.list() }
    const text = JSON.stringify(world)
    if (text !== published) cluster.publish(SUBJECT, world)
    published = text
    if (text === stored || storing !== undefined || performance.now() - storedAt < STORE_MS) return
    storedAt = performance.now()
    storing = cluster.values
      .set(SUBJECT, world)
      .then(() => {
        stored = text
      })
      // tried again in a second
      .catch(() => {})
      .finally(() => {
        storing = undefined
      })
  }
  const timer = setInterval(look, PUBLISH_MS)
  const stops = [
    network.onChange(look),
    clock.subscribe(() => {
      if (clock.speed() !== speed || clock.paused() !== paused) look()
    }),
  ]
  look()
  return async () => {
    clearInterval(timer)
    for (const stop of stops) stop()
    await storing
  }
}
