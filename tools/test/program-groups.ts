import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { endsWithUs } from '../build/ends-with-us.ts'

/** ms a group has to end when it is asked to, before it is ended by force: a compiler heeds no SIGTERM */
const PATIENCE_MS = 5_000
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
/** Becomes the program when it is told to, and ends instead when whoever could tell it is gone. */
const WHEN_RELEASED = 'read -r word <&3 || exit 1; exec 3<&-; exec "$@"'

export type RunOptions = {
  cwd: string
  env: NodeJS.ProcessEnv
  /** what it prints is held and printed at once when it has ended: another program runs beside it */
  isHeld?: boolean
}

/** Programs that run here, each in a process group of its own, all with one folder for their temporary files. */
export type ProgramGroups = {
  /** runs a program to its end and answers its exit code */
  run(program: string, words: readonly string[], options: RunOptions): Promise<number>
  /** ends what still runs, and deletes the folder with all in it */
  end(): Promise<void>
}

/**
 * Opens a folder for programs' temporary files. However this process ends, by a signal or `kill -9` too, the programs'
 * groups end and the folder goes.
 */
export function openProgramGroups(): ProgramGroups {
  const folder = mkdtempSync(join(tmpdir(), 'frostline-run-'))
  // a database runs as somebody else, and has its files in there
  chmodSync(folder, 0o755)
  const groups = new Set<number>()

  const end = async (): Promise<void> => {
    await Promise.all([...groups].map(endGroup))
    removeFolder(folder)
  }
  const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
    const leave = () => void end().finally(() => process.exit(code))
    process.once(signal, leave)
    return () => process.off(signal, leave)
  })

  return {
    async run(program, words, { cwd, env, isHeld = false }) {
      const output = isHeld ? 'pipe' : 'inherit'
      const child = spawn('sh', ['-c', WHEN_RELEASED, 'sh', program, ...words], {
        cwd,
        env: { ...env, TMPDIR: folder },
        detached: true,
        stdio: ['ignore', output, output, 'pipe'],
      })
      const printed: Buffer[] = []
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (piece: Buffer) => printed.push(piece))
      if (child.pid === undefined) return 1
      const group = child.pid
      groups.add(group)
      const letGo = endsWithUs(-group, 'SIGTERM', folder)
      // not before: who is killed in between would leave it running
      const begin = child.stdio[3] as Writable
      begin.on('error', () => {}).end('begin\n')
      const [code] = (await once(child, 'close')) as [number | null]
      // what it left running would disturb what comes next
      await endGroup(group)
      letGo()
      groups.delete(group)
      process.stdout.write(Buffer.concat(printed))
      return code ?? 1
    },
    async end() {
      for (const forget of handlers) forget()
      await end()
    },
  }
}

async function endGroup(group: number): Promise<void> {
  const began = performance.now()
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; send(group, signal); await pause(20)) {
    const isLate = performance.now() - began > PATIENCE_MS
    if (signal === 'SIGKILL') return
    signal = isLate ? 'SIGKILL' : 0
  }
}

/** @returns whether there is such a group */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/** Disks that were mounted in there go first: what is mounted cannot be deleted. */
function removeFolder(folder: string): void {
  if (existsSync('/proc/mounts'))
    for (const line of readFileSync('/proc/mounts', 'utf8').split('\n').reverse()) {
      const dir = line.split(' ')[1]
      if (dir?.startsWith(`${folder}/`)) spawnSync('umount', ['-l', dir])
    }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
