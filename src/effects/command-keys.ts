import { array, type Infer, is, number, type as open, string } from 'superstruct'

/** Names of commands by which the server knows one that is sent again: what had no answer may have been done. */
export type CommandKeys = {
  /** The name of this command, `POST /api/groups {…}`: that of the same one where it had no answer within the hour, else a new one. */
  of(command: string): string
  /**
   * Nobody waits for it any more. Where it was answered the next one like it is another. Where it was done, so are all of the same
   * method and address that had no answer: what they set may be otherwise by now.
   * @param status of its answer, which after a failure of the server says nothing; 0: there is none
   */
  ended(command: string, status: number): void
  /** Before each change. @throws Error with why nothing may be changed, see `hold` */
  check(): void
  /** From now on nothing may be changed. @param why in words; undefined: it may again */
  hold(why: string | undefined): void
}

/** Cleared with the drafts, whose prefix it has. */
const KEY = 'draft command-keys'
const HOUR_MS = 3_600_000
/** Commands that wait for an answer at once, and letters of one that outlives the page. */
const MOST = 20
const MOST_LETTERS = 20_000

const Entries = array(open({ command: string(), key: string(), at: number() }))
type Entry = Infer<typeof Entries>[number]

/**
 * Kept in the tab, so that what is pressed again after the page was loaded anew is known.
 * @param now epoch ms
 */
export function createCommandKeys(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  now: () => number,
): CommandKeys {
  let entries = read(storage)
  const inFlight = new Set<string>()
  let held: string | undefined

  function write(next: Entry[]): void {
    entries = next.slice(-MOST)
    try {
      storage.setItem(KEY, JSON.stringify(entries.filter(({ command }) => command.length <= MOST_LETTERS)))
    } catch {
      // the tab is full: this page knows them all the same
    }
  }

  return {
    check() {
      if (held !== undefined) throw new Error(held)
    },
    of(command) {
      inFlight.add(command)
      const waiting = entries.filter(({ at }) => Math.abs(now() - at) < HOUR_MS)
      const known = waiting.find((entry) => entry.command === command)
      if (known) return known.key
      const key = crypto.getRandomValues(new Uint32Array(4)).join('-')
      write([...waiting, { command, key, at: now() }])
      return key
    },
    ended(ended, status) {
      inFlight.delete(ended)
      if (status === 0 || status === 408 || status >= 500) return
      const begin = status < 300 ? `${ended.split(' ', 2).join(' ')} ` : ended
      write(entries.filter(({ command }) => inFlight.has(command) || !command.startsWith(begin)))
    },
    hold(why) {
      held = why
    },
  }
}

function read(storage: Pick<Storage, 'getItem'>): Entry[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return is(kept, Entries) ? kept : []
  } catch {
    return []
  }
}
