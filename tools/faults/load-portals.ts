/** In a process of its own: portals that are open, each with its two sockets, and people who click. */
import { setTimeout as pause } from 'node:timers/promises'
import { followLive, type LiveClient } from '../bench/live-client.ts'
import { diceOf } from './fault.ts'
import { type Listener, listenTo } from './listener.ts'
import { startPerson } from './load-people.ts'
import { leave, type Order, PortalsWork, say, taskOf } from './load-process.ts'

/** Portals that come at once while the doors are just open. */
const AT_ONCE = 10
/** Every fifth looks at everything; the others at one group each. */
const SEES_ALL = 5
/** What is on its way still comes. */
const SETTLES_MS = 2000

const ordered = Promise.withResolvers<void>()
let isOver = false
let isHurried = true
const work = await taskOf(PortalsWork, hear)
const alarms: number[] = []
const received: Set<string>[] = []
const clicks: number[] = []
const wrong: string[] = []
const listeners: Listener[] = []
const live: LiveClient[] = []
let twice = 0

function hear({ order }: Order): void {
  if (order === 'calm') isHurried = false
  if (order !== 'stop') return
  isOver = true
  ordered.resolve()
}

for (let from = 0; from < work.portals; from += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, work.portals - from) }, (_, i) => open(from + i)))
const people = Array.from({ length: work.people }, (_, no) =>
  startPerson({
    address: work.address,
    user: userOf(no),
    imeis: imeisOf(userOf(no).groupId),
    dice: diceOf(work.seed + no + 1),
    isHurried: () => isHurried,
    isOver: () => isOver,
    onAnswer: (ms) => clicks.push(Date.now() - ms, ms),
    onWrong: (what) => wrong.push(what),
  }),
)
await say({ is: 'ready' })
await ordered.promise
await Promise.all(people)
await pause(SETTLES_MS)
await say({
  is: 'done',
  alarms: Float64Array.from(alarms),
  received: received.map(({ size }) => size),
  twice,
  gaps: [...listeners, ...live].reduce((sum, link) => sum + link.gaps(), 0),
  clicks: Float64Array.from(clicks),
  wrong: wrong.slice(0, 5),
  rows: live.reduce((sum, link) => sum + link.rows(), 0),
})
for (const listener of listeners) listener.leave()
for (const link of live) link.close()
leave()

/** Both sockets of one portal. */
async function open(no: number): Promise<void> {
  const { token } = userOf(no)
  const seen = new Set<string>()
  if (no % SEES_ALL === 0) received.push(seen)
  const isLetIn = Promise.withResolvers<void>()
  const listener = listenTo(
    work.address,
    token,
    ({ _id, type }, after) => {
      if (type !== 'HIGH_TEMPERATURE_DETECTED') return
      if (seen.has(_id)) twice++
      seen.add(_id)
      alarms.push(Date.now() - after, after)
    },
    isLetIn.resolve,
  )
  listeners.push(listener)
  live.push(await followLive(work.address, token))
  await isLetIn.promise
}

function userOf(no: number) {
  const others = work.users.length - 1
  const index = no % SEES_ALL === 0 || others === 0 ? 0 : 1 + (no % others)
  return work.users[index] as (typeof work.users)[number]
}

function imeisOf(groupId: string): string[] {
  return work.imeis.find((group) => group.groupId === groupId)?.imeis ?? []
}
