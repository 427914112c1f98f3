import { boolean, type Infer, type as open, optional, string } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'

/** `query`: of an address that names a moment of a scenario. `path`: the page that was asked for with it. */
const RequestedMoment = open({ query: string(), path: string() })

/** What the director's panel keeps as long as its tab: a session that ends loads the page anew, the panel stays. */
const Kept = open({
  isOpen: boolean(),
  /** whether the page shows what testers and sales engineers need of the world: the lab, its seed, its log's hash */
  hasTools: optional(boolean()),
  /** the part of it that is shown */
  part: optional(string()),
  /** what `/sim` asks of other machines */
  token: optional(string()),
  /** on its way there */
  moment: optional(RequestedMoment),
  /** to be shown once somebody is signed in to the world that was opened */
  page: optional(string()),
})
export type DirectorMemory = Infer<typeof Kept>

const KEY = 'frostline-director'

/** What this tab kept; nothing where there is none, or it is no such thing. */
export function readDirectorMemory(storage: Pick<Storage, 'getItem'>): DirectorMemory {
  try {
    return decodeJson(storage.getItem(KEY) ?? '', Kept, KEY)
  } catch {
    return { isOpen: false }
  }
}

/** The panel opens or closes. Who has opened it once sees the tools of the world from then on. */
export const toggled = (memory: DirectorMemory, isOpen = !memory.isOpen): DirectorMemory => ({
  ...memory,
  isOpen,
  hasTools: memory.hasTools || isOpen,
})

/** Keeps it until the tab is closed. */
export function keepDirectorMemory(storage: Pick<Storage, 'setItem'>, memory: DirectorMemory): void {
  try {
    storage.setItem(KEY, JSON.stringify(memory))
  } catch {
    // the tab is full: the panel is as it is until the page is loaded anew
  }
}

const NAMES = ['scenario', 'seed', 'devices', 't']

/** `?demo` shows the tools of the world without opening the panel. */
export const requestedTools = ({ search }: Pick<Location, 'search'>): Pick<DirectorMemory, 'hasTools'> =>
  new URLSearchParams(search).has('demo') ? { hasTools: true } : {}

/** The moment an address asks for (`/groups?scenario=dairy-dawn&seed=7&t=5400`), and its page without that. */
export function requestedMoment({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): Pick<DirectorMemory, 'moment'> {
  const params = new URLSearchParams(search)
  if (!params.has('scenario')) return {}
  const rest = new URLSearchParams(search)
  for (const name of NAMES) rest.delete(name)
  const query = rest.toString()
  return { moment: { query: search, path: `${pathname}${query === '' ? '' : `?${query}`}${hash}` } }
}
