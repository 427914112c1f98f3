import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const SERVER = join(import.meta.dirname, '../main.ts')
const { PATH, NODE_COMPILE_CACHE } = process.env
/** Of the machine's own environment only what a process must have, and where the run keeps what it compiled once. */
export const OWN = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
/** What a start needs that is not told otherwise. */
const SMALL = {
  PORT: '0',
  TELTONIKA_PORT: '0',
  GT06_PORT: '0',
  DEVICES: '40',
  ACCESS_TTL: '86400',
  ...OWN,
}

export type ServerProcess = {
  process: ChildProcess
  address: string
  trackerPorts: { teltonika: number; gt06: number }
  /** lines of standard output until it was up, and all since */
  lines: string[]
  /** resolves when it is gone, however it went */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>
}

/** Starts the server and hears it out; for a start that fails. */
export function spawnServer(env: Record<string, string>) {
  const child = spawn(process.execPath, [SERVER], {
    env: { ...SMALL, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // a test that fails must not leave it behind
  process.once('exit', () => child.kill('SIGKILL'))
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }))
  return { process: child, ended }
}

/**
 * The server as a process of its own, up and telling where.
 * @throws Error with what it said when it ends before
 */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const { process: child, ended } = spawnServer(env)
  const lines: string[] = []
  const up = new Promise<ServerProcess>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      // production warns before
      const first = lines.findIndex((each) => each.startsWith('Frostline is up'))
      const [, address] = /^Frostline is up at (\S+)$/.exec(lines[first] ?? '') ?? []
      const [, teltonika, gt06] =
        /Teltonika to port (\d+), GT06 to port (\d+)$/.exec(lines[first + 1] ?? '') ?? []
      if (address !== undefined && gt06 !== undefined) {
        const trackerPorts = { teltonika: Number(teltonika), gt06: Number(gt06) }
        resolve({ process: child, address, trackerPorts, lines, ended })
      }
    })
  })
  const failed = ended.then(({ code, signal, errors }) => {
    throw new Error(`the server ended with ${signal ?? code}\n${lines.join('\n')}\n${errors}`)
  })
  failed.catch(() => {})
  return Promise.race([up, failed])
}
