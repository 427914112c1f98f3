/**
 * What is wrong with the network between portals and the server. REST under `/api` and both sockets ask here before they
 * answer; the server itself, `/sim`, the portal's files and what devices send feel nothing of it. Nothing is lost: what a
 * portal is not told it fetches when the network is good again, as after any cut.
 */
import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { SimLink } from '#machines/contracts/calls/sim-calls.ts'
import type { Lane, Network } from '../../server/ports.ts'
import { createLane } from './faulty-lane.ts'
import { failRequests, type NetworkState } from './http-faults.ts'

export type NetworkOrder = Pick<SimLink, 'fault' | 'milliseconds' | 'share'>

/**
 * How long it lasts: asked again and again. `left`: real ms, as far as can be told; `worldUntil`: epoch ms of the world, where
 * that ends it.
 */
export type Span = { isOver(): boolean; left(): number; worldUntil?: number | undefined }

/** For so many real ms from now. */
export function lasting(ms: number): Span {
  const end = performance.now() + ms
  return { isOver: () => performance.now() >= end, left: () => end - performance.now() }
}

export type NetworkFaults = Network &
  NetworkState & {
    begin(order: NetworkOrder, span: Span, id?: string): SimLink
    /** undefined where there is none in force */
    end(id: string): SimLink | undefined
    /** in force, oldest first */
    list(): SimLink[]
    /** exactly these are in force, until told otherwise: those of another node */
    mirror(faults: readonly SimLink[]): void
    /** called when others are in force than before; answers how to stop */
    onChange(listener: () => void): () => void
    /** the network is good from here on */
    stop(): void
  }

const LOOK_MS = 20
const DELAY = 1000
const SHARE = 0.5

type InForce = { order: NetworkOrder; from: number; span: Span }

/** What all faults in force come to. */
type Effects = { cut: boolean; delay: number; reorder: boolean; share: number }

type State = {
  /** real epoch ms */
  realNow: () => number
  faults: Map<string, InForce>
  /** changes with the faults in force alone */
  effects: Effects
  sockets: Set<Writable>
  /** lanes on which something is under way */
  busy: Set<Lane>
  /** calls that are delayed */
  waiting: Set<() => void>
  listeners: Set<() => void>
  timer: ReturnType<typeof setInterval> | undefined
  /** adds up by the share of calls that fail; one fails when it reaches 1 */
  dueToFail: number
}

/** @param realNow real epoch ms */
export function createNetworkFaults(realNow: () => number = Date.now): NetworkFaults {
  const state: State = {
    realNow,
    faults: new Map(),
    effects: { cut: false, delay: 0, reorder: false, share: 0 },
    sockets: new Set(),
    busy: new Set(),
    waiting: new Set(),
    listeners: new Set(),
    timer: undefined,
    dueToFail: 0,
  }
  const network: NetworkFaults = {
    onRequests: (app) => failRequests(app, network),
    get isBad() {
      return state.faults.size > 0
    },
    get isCut() {
      return state.effects.cut
    },
    fails: () => fails(state),
    crossed: () => crossed(state),
    follow: (socket) => follow(state, socket),
    lane: () => createLane(() => state.effects, state.busy),
    begin: (order, span, id = randomUUID()) => begin(state, order, span, id),
    end: (id) => end(state, id),
    list: () => [...state.faults].map(([id, fault]) => shown(state, id, fault)),
    mirror: (faults) => mirror(state, faults),
    onChange(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
    stop: () => stop(state),
  }
  return network
}

/** Others are in force than before. */
function changed(state: State): void {
  const { faults, sockets, waiting, busy, listeners } = state
  const effects = effectsOf(faults)
  state.effects = effects
  if (effects.cut) for (const socket of sockets) socket.destroy()
  if (effects.delay === 0) for (const cross of [...waiting]) cross()
  if (effects.delay === 0 && !effects.reorder) for (const lane of [...busy]) lane.flush()
  if (faults.size > 0) state.timer ??= setInterval(() => look(state), LOOK_MS).unref()
  else {
    clearInterval(state.timer)
    state.timer = undefined
  }
  for (const listener of [...listeners]) listener()
}

function effectsOf(faults: State['faults']): Effects {
  const orders = [...faults.values()].map(({ order }) => order)
  const of = (fault: SimLink['fault']) => orders.filter((order) => order.fault === fault)
  return {
    cut: of('cut').length > 0,
    delay: Math.max(0, ...of('delay').map(({ milliseconds = DELAY }) => milliseconds)),
    reorder: of('reorder').length > 0,
    share: Math.max(0, ...of('server-errors').map(({ share = SHARE }) => share)),
  }
}

function look(state: State): void {
  const { faults, busy } = state
  const over = [...faults].filter(([, { span }]) => span.isOver())
  for (const [id] of over) faults.delete(id)
  if (over.length > 0) changed(state)
  const now = performance.now()
  for (const lane of [...busy]) lane.move(now)
}

function fails(state: State): boolean {
  state.dueToFail += state.effects.share
  // a share of 0.7 kept as 0.7 again and again adds up to a little less than it should
  if (state.dueToFail < 1 - 1e-9) return false
  state.dueToFail -= 1
  return true
}

function crossed({ effects, waiting }: State): Promise<void> {
  if (effects.delay === 0) return Promise.resolve()
  return new Promise((resolve) => {
    const cross = (): void => {
      clearTimeout(timeout)
      waiting.delete(cross)
      resolve()
    }
    const timeout = setTimeout(cross, effects.delay)
    waiting.add(cross)
  })
}

function follow({ sockets }: State, socket: Writable): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

function begin(state: State, order: NetworkOrder, span: Span, id: string): SimLink {
  const fault = { order, from: state.realNow(), span }
  state.faults.set(id, fault)
  changed(state)
  return shown(state, id, fault)
}

function end(state: State, id: string): SimLink | undefined {
  const fault = state.faults.get(id)
  if (fault === undefined) return undefined
  state.faults.delete(id)
  changed(state)
  return { ...shown(state, id, fault), until: state.realNow() }
}

function mirror(state: State, others: readonly SimLink[]): void {
  const { faults, realNow } = state
  const isSame = others.length === faults.size && others.every(({ id }) => faults.has(id))
  if (isSame) return
  faults.clear()
  for (const { id, from, until, leftMs: _, worldUntil, ...order } of others)
    faults.set(id, {
      order,
      from,
      span: { isOver: () => false, left: () => until - realNow(), worldUntil },
    })
  changed(state)
}

function stop(state: State): void {
  if (state.faults.size === 0) return
  state.faults.clear()
  changed(state)
}

function shown({ realNow }: State, id: string, { order, from, span }: InForce): SimLink {
  const leftMs = Math.max(0, Math.round(span.left()))
  const { worldUntil } = span
  const ofWorld = worldUntil === undefined ? {} : { worldUntil }
  return { id, ...order, from, until: realNow() + leftMs, leftMs, ...ofWorld }
}
