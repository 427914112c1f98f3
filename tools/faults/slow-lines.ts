import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { percentile, say } from '../bench/figures.ts'
import type { Fault } from './fault.ts'
import { healthFor } from './hostile-load.ts'
import { type Listener, listenTo } from './listener.ts'
import { startProduction } from './production.ts'
import { figuresOf } from './server-metrics.ts'
import { signIn } from './writers.ts'

const LINES = 1500
const MOST_MS = 30_000
const DRIP_MS = 1000
const MOST_HEALTH_MS = 200
/** How many windows are opened at once. */
const AT_ONCE = 50
const PATIENCE_MS = 60_000

/** A line from the moment it is there: how long it lasted, ms; undefined while it lasts. */
type Line = { lasted: number | undefined; end(): void }

export const slowLines: Fault = {
  name: 'slow-lines',
  what: `${say(LINES)} windows are open and idle while ${say(LINES)} lines drip the headers of a request and ${say(LINES)} sockets say nothing`,
  mustHold: 'drips and silent sockets end within 30 s, all windows stay, /healthz p99 ≤ 200 ms',
  async run({ times, isTimed }) {
    const many = times(LINES)
    const app = await startProduction()
    const windows: Listener[] = []
    const lines: Line[] = []
    try {
      const token = await signIn(app.url)
      while (windows.length < many) windows.push(...(await opened(app.url, token, many - windows.length)))
      const drips = Array.from({ length: many }, () => dripping(app.port))
      const silent = Array.from({ length: many }, () => sayingNothing(app.port))
      lines.push(...drips, ...silent)
      const { health, wrong } = await healthFor(app, MOST_MS)

      const lost = [...wrong]
      for (const [name, those] of Object.entries({ drips, silent })) {
        const open = those.filter(({ lasted }) => lasted === undefined).length
        if (open > 0) lost.push(`${open} of ${name} are open after ${MOST_MS / 1000} s`)
      }
      const left = (await figuresOf(app.url))('socket_links{kind="notifications"}')
      if (left !== many) lost.push(`${left} of ${many} windows are left`)
      const p99 = percentile(health, 0.99)
      if (isTimed && p99 > MOST_HEALTH_MS) lost.push(`/healthz p99 ${say(p99)} ms`)
      return {
        tried: `${say(many)} of each; the last drip ended after ${say(longest(drips) / 1000, 1)} s, the last silent one after ${say(longest(silent) / 1000, 1)} s; /healthz median ${say(percentile(health, 0.5))} ms, p99 ${say(p99)} ms`,
        lost,
      }
    } finally {
      for (const line of lines) line.end()
      for (const window of windows) window.leave()
      await app.kill()
    }
  },
}

/** Some windows, each let in. @throws Error where one is not */
function opened(url: string, token: string, wanted: number): Promise<Listener[]> {
  const open = async (): Promise<Listener> => {
    const letIn = Promise.withResolvers<void>()
    const window = listenTo(url, token, () => {}, letIn.resolve)
    const late = pause(PATIENCE_MS, undefined, { ref: false }).then(() => {
      throw new Error('a window was not let in')
    })
    await Promise.race([letIn.promise, late])
    return window
  }
  return Promise.all(Array.from({ length: Math.min(wanted, AT_ONCE) }, open))
}

function dripping(port: number): Line {
  const began = performance.now()
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nhost: here\r\n')
  const drip = setInterval(() => socket.write('x-more: of it\r\n'), DRIP_MS)
  const line: Line = { lasted: undefined, end: () => socket.destroy() }
  socket.resume().once('close', () => {
    clearInterval(drip)
    line.lasted ??= performance.now() - began
  })
  return line
}

/** A socket of Socket.IO that nobody is let in on. */
function sayingNothing(port: number): Line {
  const began = performance.now()
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io?EIO=4&transport=websocket`)
  const line: Line = { lasted: undefined, end: () => socket.terminate() }
  socket
    .on('error', () => {})
    .once('close', () => {
      line.lasted ??= performance.now() - began
    })
  return line
}

const longest = (lines: readonly Line[]): number => Math.max(...lines.map(({ lasted = MOST_MS }) => lasted))
