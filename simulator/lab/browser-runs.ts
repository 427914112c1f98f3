import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { LabRun, LabRunOrder } from '#machines/contracts/calls/lab-calls.ts'
import { outcomeOf } from './outcome.ts'

/** What walks a path, under way. */
export type Walking = {
  ended: Promise<{ code: number | null; output: string; errors: string }>
  stop(): void
}

export type BrowserRuns = {
  /** `busy`: one is under way, and there is one at a time */
  start(order: LabRunOrder): LabRun | 'busy'
  find(id: string): LabRun | undefined
  /** ends it where it is; what is over stays as it was */
  cancel(id: string): LabRun | undefined
  /** ends what is under way, with the server */
  stop(): Promise<void>
}

/** Runs that are remembered: whoever started one asks for it within seconds. */
const REMEMBERED = 20

/** Walks paths in a browser of this machine, one at a time. The order must name what there is: see known.ts. */
export function createBrowserRuns(walk: (order: LabRunOrder) => Walking): BrowserRuns {
  const runs = new Map<string, LabRun>()
  let current: { id: string; walking: Walking; over: Promise<void> } | undefined

  const become = (id: string, change: Partial<LabRun>): void => {
    const run = runs.get(id)
    if (run?.state === 'running') runs.set(id, { ...run, ...change })
  }

  async function follow(id: string, { ended }: Walking): Promise<void> {
    try {
      become(id, outcomeOf(await ended))
    } catch (error) {
      become(id, { state: 'failed', failure: String(error) })
    } finally {
      if (current?.id === id) current = undefined
    }
  }

  return {
    start(order) {
      if (current !== undefined) return 'busy'
      const id = randomUUID()
      const run: LabRun = { id, ...order, state: 'running', failure: null }
      runs.set(id, run)
      for (const old of [...runs.keys()].slice(0, -REMEMBERED)) runs.delete(old)
      const walking = walk(order)
      current = { id, walking, over: follow(id, walking) }
      return run
    },
    find: (id) => runs.get(id),
    cancel(id) {
      become(id, { state: 'cancelled' })
      if (current?.id === id) current.walking.stop()
      return runs.get(id)
    },
    async stop() {
      current?.walking.stop()
      await current?.over
    },
  }
}

const SCRIPT = resolve(import.meta.dirname, '../../tools/paths/run.ts')
/** Most of what is heard of a walk, in characters. */
const HEARD = 200_000

/** The shortest path to a transition, walked by `tools/paths/run.ts` in a browser of its own on the server at `url`. */
export function walkByScript(url: string): (order: LabRunOrder) => Walking {
  return ({ machine, transition }) => {
    const args = [SCRIPT, machine, '--to', transition, '--run', '--url', url, '--format', 'json']
    // a group of its own: the browser ends with it
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const heard = { output: '', errors: '' }
    child.stdout.on('data', (data) => {
      heard.output = (heard.output + data).slice(-HEARD)
    })
    child.stderr.on('data', (data) => {
      heard.errors = (heard.errors + data).slice(-HEARD)
    })
    return {
      ended: new Promise((ended, failed) => {
        child.on('error', failed)
        child.on('close', (code) => ended({ code, ...heard }))
      }),
      stop() {
        if (child.pid === undefined || child.exitCode !== null) return
        process.kill(-child.pid, 'SIGTERM')
      },
    }
  }
}
