/**
 * What is wrong with the network between portals and the server. REST under `/api` and both sockets ask here before they
 * answer; the server itself, `/sim`, the portal's files and what devices send feel nothing of it. Nothing is lost: what a
 * portal is not told it fetches when the network is good again, as after any cut.
 */
import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { SimLink } from '#machines/contracts/calls/sim-calls.ts'
import type { Lane, Links } from '../../server/ports.ts'
import { createLane } from './faulty-lane.ts'
import { failRequests, type NetworkState } from './http-faults.ts'

export type LinkOrder = Pick<SimLink, 'fault' | 'milliseconds' | 'share'>

/** How long it lasts: asked again and again. `left`: real ms, as far as can be told. */
export type Span = { isOver(): boolean; left(): number }

/** For so many real ms from now. */
export function lasting(ms: number): Span {
  const end = performance.now() + ms
  return { isOver: () => performance.now() >= end, left: () => end - performance.now() }
}

export type NetworkFaults = Links &
  NetworkState & {
    begin(order: LinkOrder, span: Span, id?: string): SimLink
    /** undefined where there is none in force */
    end(id: string): SimLink | undefined
    /** in force, oldest first */
    list(): SimLink[]
    /** exactly these are in force, until told otherwise: those of another node */
    mirror(links: readonly SimLink[]): void
    /** called when others are in force than before; answers how to stop */
    onChange(listener: () => void): () => void
    /** the network is good from here on */
    stop(): void
  }

const LOOK_MS = 20
const DELAY = 1000
const SHARE = 0.5

type InForce = { order: LinkOrder; from: number; span: Span }

/** @param realNow real epoch ms */
export function createNetworkFaults(realNow: () => number = Date.now): NetworkFaults {
  const faults = new Map<string, InForce>()
  const sockets = new Set<Writable>()
  const busy = new Set<Lane>()
  const waiting = new Set<() => void>()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let owed = 0
  /** of the faults in force; changes with them alone */
  let state = { cut: false, delay: 0, reorder: false, share: 0 }

  function changed(): void {
    const orders = [...faults.values()].map(({ order }) => order)
    const of = (fault: SimLink['fault']) => orders.filter((order) => order.fault === fault)
    state = {
      cut: of('cut').length > 0,
      delay: Math.max(0, ...of('delay').map(({ milliseconds = DELAY }) => milliseconds)),
      reorder: of('reorder').length > 0,
      share: Math.max(0, ...of('server-errors').map(({ share = SHARE }) => share)),
    }
    if (state.cut) for (const socket of sockets) socket.destroy()
    if (state.delay === 0) for (const cross of [...waiting]) cross()
    if (state.delay === 0 && !state.reorder) for (const lane of [...busy]) lane.flush()
    if (faults.size > 0) timer ??= setInterval(look, LOOK_MS).unref()
    else {
      clearInterval(timer)
      timer = undefined
    }
    for (const listener of [...listeners]) listener()
  }

  function look(): void {
    const over = [...faults].filter(([, { span }]) => span.isOver())
    for (const [id] of over) faults.delete(id)
    if (over.length > 0) changed()
    const now = performance.now()
    for (const lane of [...busy]) lane.move(now)
  }

  const shown = (id: string, { order, from, span }: InForce): SimLink => ({
    id,
    ...order,
    from,
    until: Math.round(realNow() + Math.max(0, span.left())),
  })

  const network: NetworkFaults = {
    onRequests: (app) => failRequests(app, network),
    get isBad() {
      return faults.size > 0
    },
    get isCut() {
      return state.cut
    },
    fails() {
      owed += state.share
      // a share of 0.7 kept as 0.7 again and again adds up to a little less than it should
      if (owed < 1 - 1e-9) return false
      owed -= 1
      return true
    },
    crossed() {
      if (state.delay === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const cross = (): void => {
          clearTimeout(late)
          waiting.delete(cross)
          resolve()
        }
        const late = setTimeout(cross, state.delay)
        waiting.add(cross)
      })
    },
    follow(socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    lane: () => createLane(() => state, busy),
    begin(order, span, id = randomUUID()) {
      const fault = { order, from: realNow(), span }
      faults.set(id, fault)
      changed()
      return shown(id, fault)
    },
    end(id) {
      const fault = faults.get(id)
      if (fault === undefined) return undefined
      faults.delete(id)
      changed()
      return { ...shown(id, fault), until: realNow() }
    },
    list: () => [...faults].map(([id, fault]) => shown(id, fault)),
    mirror(links) {
      const isSame = links.length === faults.size && links.every(({ id }) => faults.has(id))
      if (isSame) return
      faults.clear()
      for (const { id, from, until, ...order } of links)
        faults.set(id, { order, from, span: { isOver: () => false, left: () => until - realNow() } })
      changed()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      if (faults.size === 0) return
      faults.clear()
      changed()
    },
  }
  return network
}
