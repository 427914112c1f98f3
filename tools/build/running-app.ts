import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endsWithUs } from './ends-with-us.ts'
import { withoutServerVariables } from './without-server-variables.ts'

const root = resolve(import.meta.dirname, '../..')

export type AppOptions = {
  /** how many devices the world has, the scenario's where left out */
  devices?: number
  /** where it keeps its record; nothing is kept where left out */
  dataDir?: string
  /** ports to come back on; free ones where left out */
  port?: number
  teltonikaPort?: number
  gt06Port?: number
  /** further variables of the environment */
  env?: Readonly<Record<string, string>>
  /** ms it may take to be ready, 300,000 where left out */
  patience?: number
}

/** The app as a visitor's `npm start` runs it, in a process of its own. */
export type RunningApp = {
  url: string
  port: number
  teltonikaPort: number
  gt06Port: number
  pid: number
  /** ms from the start of the process to the first 200 of /readyz */
  readyAfter: number
  /** all it has printed so far */
  printed(): string
  /** resolves when it is gone, however it went: its exit code or the signal that ended it */
  gone: Promise<number | string | null>
  /** asks it to end and waits until it has; throws when it ends with an error */
  stop(): Promise<void>
  /** power cut */
  kill(): Promise<void>
}

/**
 * Starts the server on the built portal and waits until it is ready.
 * @throws Error with what it printed when it ends or stays unready
 */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const port = options.port ?? (await freePort())
  const teltonikaPort = options.teltonikaPort ?? (await freePort())
  const gt06Port = options.gt06Port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: root,
    env: {
      ...withoutServerVariables(),
      HOST: '127.0.0.1',
      PORT: `${port}`,
      TELTONIKA_PORT: `${teltonikaPort}`,
      GT06_PORT: `${gt06Port}`,
      // one user stands for many there
      SOCKETS_PER_USER: '100000',
      DATA_DIR: options.dataDir ?? ':memory:',
      ...(options.devices === undefined ? {} : { DEVICES: `${options.devices}` }),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = gather(server)
  // whoever started it and falls over must not leave it behind
  const takeAlong = () => server.kill('SIGKILL')
  process.once('exit', takeAlong)
  const letGo = endsWithUs(server.pid as number, 'SIGKILL')
  const gone = once(server, 'exit').then(([code, signal]) => {
    process.off('exit', takeAlong)
    letGo()
    return signal ?? code
  })
  try {
    await ready(server, `${url}/readyz`, options.patience ?? 300_000)
  } catch (error) {
    server.kill('SIGKILL')
    throw new Error(`${String(error)}\n${printed()}`)
  }
  return {
    url,
    port,
    teltonikaPort,
    gt06Port,
    pid: server.pid as number,
    readyAfter: performance.now() - began,
    printed,
    gone,
    async stop() {
      const code = await ended(server, 'SIGTERM')
      if (code !== 0) throw new Error(`The app ended with ${code}\n${printed()}`)
    },
    async kill() {
      await ended(server, 'SIGKILL')
    },
  }
}

const given = new Set<number>()

/**
 * A port nobody listens on at the moment. It is below those the system hands out by itself (32,768 and up), so that
 * no connection of another process takes it before whoever asked listens. Never the same twice in one process: who was given
 * one may not listen yet.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer()
    const listening = once(server, 'listening')
    server.listen(port, '127.0.0.1')
    try {
      await listening
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}

async function ready(server: ChildProcess, address: string, patience: number): Promise<void> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`The app ended with ${server.signalCode ?? server.exitCode} before it was ready`)
    const answer = await fetch(address).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
    await pause(25)
  }
  throw new Error(`The app was not ready after ${patience / 1000} s`)
}

/** Sets or stops the simulated world’s clock, `body` as `POST /sim/clock` takes it. @throws where it is refused */
export async function setClock(url: string, body: { paused: boolean } | { speed: number }): Promise<void> {
  const { ok, status } = await fetch(`${url}/sim/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!ok) throw new Error(`The world’s clock answered ${status}`)
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<number | string | null> {
  if (server.exitCode === null && server.signalCode === null) {
    const gone = once(server, 'exit')
    server.kill(signal)
    // One that does not go when asked is a fault of its own, but it must not stay behind.
    const impatient = setTimeout(() => server.kill('SIGKILL'), 60_000)
    await gone
    clearTimeout(impatient)
  }
  return server.signalCode ?? server.exitCode
}

function gather(server: ChildProcess): () => string {
  let text = ''
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text = (text + piece).slice(-20_000)
    })
  return () => text
}
