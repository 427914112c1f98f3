import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type TendedOptions = {
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
  /** ms it may take until then, 30,000 where left out */
  patience?: number
}

/** A process that does not outlive the one that started it, however that one ends. */
export type Tended = {
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

/**
 * Waits in a session of its own for the end of its input, which comes with the end of whoever started us, `kill -9`
 * included: then it ends what was tended, and deletes its folder.
 */
const WATCHER = `
read -r word && exit 0
kill -"$2" "$1" 2>/dev/null
tries=0
while kill -0 "$1" 2>/dev/null && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL "$1" 2>/dev/null
[ -z "$3" ] || rm -rf -- "$3"
`

const MOST_MS = 10_000

/**
 * Starts a program and waits until it can be used.
 * @throws Error with what it printed where it ends before, or takes too long
 */
export async function tend(
  program: string,
  words: readonly string[],
  options: TendedOptions,
): Promise<Tended> {
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
  const watcher = spawn(
    'sh',
    ['-c', WATCHER, 'watcher', `${child.pid}`, endsOn.slice(3), options.folder ?? ''],
    {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  )
  watcher.stdin.on('error', () => {})
  void gone.then(() => watcher.stdin.end('done\n'))

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
  const patience = options.patience ?? 30_000
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
