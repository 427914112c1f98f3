import { is, type Struct } from 'superstruct'
import type { DateRange } from '#machines/rules/date-range.ts'
import { readTime } from './time.ts'

/** One value of a page's state in the query of its address. */
export type Part<T> = {
  /** of the query */
  name: string
  /** as the page opens; it is not written */
  begin: T
  /** undefined: this is no such value */
  read(text: string): T | undefined
  /** undefined: it stays out of the address, because it is the first state or too long */
  write(value: T): string | undefined
}

/** Reads and writes the state of one page. */
export type PageAddress<State> = {
  /** @param search with or without its question mark. What cannot be read is as the page opens, whatever it is. */
  read(search: string): State
  /** The query without its question mark, '' for the page as it opens. @param search what other parts of it stay from */
  write(state: State, search?: string): string
}

/** Every page states its parts once; what reads and writes its address follows from them. */
export function pageAddress<State extends object>(
  parts: {
    [Key in keyof State]: Part<State[Key]>
  },
): PageAddress<State> {
  const list = Object.entries(parts) as [keyof State, Part<State[keyof State]>][]
  return {
    read(search) {
      const query = new URLSearchParams(search)
      const values = list.map(([key, part]) => {
        const text = query.get(part.name)
        return [key, (text === null ? undefined : part.read(text)) ?? part.begin]
      })
      return Object.fromEntries(values) as State
    },
    write(state, search = '') {
      const query = new URLSearchParams(search)
      for (const [key, part] of list) {
        const text = part.write(state[key])
        if (text === undefined) query.delete(part.name)
        else query.set(part.name, text)
      }
      // so that people can read it
      return query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%7E', '~')
    },
  }
}

/** What was typed into a field. Longer than `most` characters it stays out of the address. */
export const typed = (name: string, most = 200): Part<string> => ({
  name,
  begin: '',
  read: (text) => (text.length <= most ? text : undefined),
  write: (text) => (text === '' || text.length > most ? undefined : text),
})

/** Whether a word stands there, with or without a value: `?wall`. */
export const flag = (name: string): Part<boolean> => ({
  name,
  begin: false,
  read: () => true,
  write: (isThere) => (isThere ? '1' : undefined),
})

/** One of some words. */
export const oneOf = <const Word extends string>(
  name: string,
  words: readonly Word[],
  begin: NoInfer<Word>,
): Part<Word> => ({
  name,
  begin,
  read: (text) => words.find((word) => word === text),
  write: (word) => (word === begin ? undefined : word),
})

/** One id, or none. */
export const idOrNone = (name: string, id: Struct<string, unknown>): Part<string | null> => ({
  name,
  begin: null,
  read: (text) => (is(text, id) ? text : undefined),
  write: (value) => value ?? undefined,
})

/** Ids between commas in the order they were chosen, each once; more than `most` stay out of the address. */
export const idList = <Id extends string, Schema>(
  name: string,
  id: Struct<Id, Schema>,
  most: number,
): Part<readonly Id[]> => ({
  name,
  begin: [],
  read: (text) => [...new Set(idsIn(text, id))].slice(0, most),
  write: (ids) => (ids.length === 0 || ids.length > most ? undefined : ids.join(',')),
})

/** All, or some by their ids; picked one by one, so more than `most` stay out of the address. No id at all is a choice, too. */
export const picks = <Id extends string, Schema>(
  name: string,
  id: Struct<Id, Schema>,
  most: number,
): Part<'all' | ReadonlySet<string>> => ({
  name,
  begin: 'all',
  read: (text) => {
    const ids = new Set(idsIn(text, id))
    // a choice of nothing that can be read is no choice, but for the empty one
    return ids.size > most || (ids.size === 0 && text !== '') ? undefined : ids
  },
  write: (picked) => (picked === 'all' || picked.size > most ? undefined : [...picked].toSorted().join(',')),
})

/** As many ids as are picked one by one. */
export const MOST_CHOSEN = 100

/**
 * What is picked, where more may be than an address holds: all, these, all but these (`~a,b`), or `many` (`~*`), which the page alone
 * knows they were picked on.
 */
export type Choice = 'all' | 'many' | ReadonlySet<string> | { but: ReadonlySet<string> }

const MANY = '~*'

export const choice = <Id extends string, Schema>(name: string, id: Struct<Id, Schema>): Part<Choice> => {
  const { begin, read, write } = picks(name, id, MOST_CHOSEN)
  return {
    name,
    begin,
    read(text) {
      if (text === MANY) return 'many'
      if (!text.startsWith('~')) return read(text)
      const but = read(text.slice(1))
      return typeof but === 'object' && but.size > 0 ? { but } : undefined
    },
    write(choice) {
      if (choice === 'many') return MANY
      return typeof choice === 'object' && 'but' in choice ? `~${write(choice.but)}` : write(choice)
    },
  }
}

/** Whether a path leaves out what its page shows, as too much is picked there. */
export const isCutShort = (path: string): boolean => /=~\*(&|$)/.test(path)

/** A span of two instants, or none. @param mostMs longer ones are refused */
export const span = (name: string, mostMs: number): Part<DateRange | null> => ({
  name,
  begin: null,
  read: (text) => {
    const range = readInstants(text)
    return range && range.to - range.from <= mostMs ? range : undefined
  },
  write: (range) => (range === null ? undefined : writeInstants(range)),
})

/** `2026-11-20T09:00:00.000Z..2026-11-21T09:00:00.000Z`, as the documents write a span in an address. */
export const writeInstants = ({ from, to }: DateRange): string =>
  `${new Date(from).toISOString()}..${new Date(to).toISOString()}`

/** undefined: these are not two instants in their order. */
export function readInstants(text: string): DateRange | undefined {
  const [from, to, ...rest] = text.split('..').map(readTime)
  if (from === undefined || to === undefined || rest.length > 0) return undefined
  return from <= to ? { from, to } : undefined
}

/** Longer texts are not taken apart. */
const MOST_TEXT = 20_000

const idsIn = <Id extends string, Schema>(text: string, id: Struct<Id, Schema>): Id[] =>
  text.length > MOST_TEXT ? [] : text.split(',').filter((one): one is Id => is(one, id))

/** One instant, or none. */
export const instant = (name: string): Part<number | null> => ({
  name,
  begin: null,
  read: (text) => {
    const at = readTime(text)
    return Number.isNaN(at) ? undefined : at
  },
  write: (at) => (at === null ? undefined : new Date(at).toISOString()),
})
