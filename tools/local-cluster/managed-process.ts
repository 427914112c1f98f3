import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { endsWithUs } from '../build/ends-with-us.ts'

export type ProcessOptions = {
  /** whose the process is; ours where left out */
  user?: { uid: number; gid: number } | undefined
  cwd?: string
  env?: Readonly<Record<string, string | undefined>>
  /** what ends it in order; SIGTERM where left out */
  endsOn?: NodeJS.Signals
  /** deleted when it is gone */
  folder?: string | undefined
  /** printed by it when it can be used */
  isReady: RegExp
  /** ms it may take until then, 300,000 where left out */
  patience?: number
}

/** A process that does not outlive the one that started it, however that one ends. */
export type ManagedProcess = {
  pid: number
  /** the last it has printed */
  printed(): string
  isGone(): boolean
  /** resolves when it is gone, however it went */
  gone: Promise<void>
  /** ends it in order, and by force after ten seconds */
  stop(): Promise<void>
  /** `kill -9` */
  kill(): Promise<void>
}

const MOST_MS = 10_000

/**
 * Starts a program and waits until it can be used.
 * @throws Error with what it printed where it ends before, or takes too long
 */
export async function manageProcess(
  program: string,
  words: readonly string[],
  options: ProcessOptions,
): Promise<ManagedProcess> {
  const endsOn = options.endsOn ?? 'SIGTERM'
  const child = spawn(program, words, {
    ...options.user,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    // a group of its own: the Ctrl+C of a terminal reaches us alone, and we end the others in order
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let isGone = false
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', (error) => {
      printed += error.message
      end()
    })
  })
  if (child.pid !== undefined) void gone.then(endsWithUs(child.pid, endsOn, options.folder))

  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        printed = (printed + piece).slice(-20_000)
        if (options.isReady.test(printed)) resolve()
      })
  })
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    if (isGone) return
    child.kill(signal)
    const impatient = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
    await gone
    clearTimeout(impatient)
  }
  const patience = options.patience ?? 300_000
  const late = AbortSignal.timeout(patience)
  await Promise.race([ready, gone, once(late, 'abort')])
  if (isGone || late.aborted) {
    await ended('SIGKILL')
    throw new Error(
      `${program} ${late.aborted ? `was not ready after ${patience / 1000} s` : 'ended'}\n${printed}`,
    )
  }
  return {
    pid: child.pid as number,
    printed: () => printed,
    isGone: () => isGone,
    gone,
    stop: () => ended(endsOn),
    kill: () => ended('SIGKILL'),
  }
}
