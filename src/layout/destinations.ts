import type { SavedView } from '#machines/contracts/entities/views.ts'
import type { Theme } from '../effects/preferences.ts'
import type { Fleet } from '../read-model/fleet.ts'
import type { SearchIndex } from '../read-model/search-index.ts'
import { companies, keys, lab, newCompany, otherPlaces, type Place, places, recordings } from './places.ts'

/** Where the palette leads. A group is shown on the dashboard; the director's panel opens beside any page, and what is past in its place. */
export type Destination = { title: string; detail: string } & (
  | { kind: 'page'; path: string }
  | { kind: 'group'; groupId: string }
  | { kind: 'device'; imei: string }
  | { kind: 'director' }
  | { kind: 'past' }
  | { kind: 'theme'; theme: Theme }
)

/** Most devices and groups listed at once: beyond that one types another letter. */
const MOST = 50

/** What is there for some alone: `entersCompanies`, for super admins who are in no company; `keepsKeys`, for who may keep keys. */
export type Offered = {
  isSimulated?: boolean
  entersCompanies?: boolean
  keepsKeys?: boolean
  views?: readonly Pick<SavedView, 'name' | 'path'>[]
}

/**
 * Pages, groups and devices that hold what was typed: what begins with it first, then what has a word that does.
 * Pages and saved views alone while nothing is typed; themes when they are asked for; the director's panel and the lab are among them where the
 * world is simulated.
 */
export function findDestinations(
  query: string,
  fleet: Pick<Fleet, 'groups' | 'names'>,
  index: Pick<SearchIndex, 'find'>,
  offered: Offered = {},
): Destination[] {
  const wanted = query.trim().toLowerCase()
  const always = [
    ...(offered.entersCompanies ? companyPages : []),
    ...pages,
    lookBack,
    wall,
    ...(offered.keepsKeys ? [keysPage] : []),
    ...(offered.views ?? []).map(viewOf),
    ...(offered.isSimulated ? [directorsPanel, ...labPages] : []),
  ]
  if (wanted === '') return always
  const found = [
    ...[...always, ...themes].filter((page) => distance(page, wanted) < FAR),
    ...groupsOf(fleet, wanted),
    ...devicesOf(fleet, index, wanted),
  ]
  return found.toSorted((a, b) => distance(a, wanted) - distance(b, wanted))
}

const pageOf = ({ path, title }: Place): Destination => ({ kind: 'page', path, title, detail: 'Page' })
const viewOf = ({ path, name }: Pick<SavedView, 'name' | 'path'>): Destination => ({
  kind: 'page',
  path,
  title: name,
  detail: 'Saved view',
})
const pages = [...places, ...otherPlaces].map(({ path, title }) =>
  pageOf({ path, title: title === 'All reports' ? 'Reports' : title }),
)
const labPages = [lab, recordings].map(pageOf)
const companyPages = [companies, newCompany].map(pageOf)
const keysPage = pageOf(keys)

const lookBack: Destination = { kind: 'past', title: 'Look back', detail: 'T' }
const themes: readonly Destination[] = [
  { kind: 'theme', theme: 'light', title: 'Theme light', detail: '' },
  { kind: 'theme', theme: 'dark', title: 'Theme dark', detail: '' },
  { kind: 'theme', theme: 'system', title: 'Theme as the system', detail: '' },
]
const wall = pageOf({ path: '/?wall=1', title: 'Wall' })
const directorsPanel: Destination = { kind: 'director', title: 'Director’s panel', detail: 'D' }

function groupsOf({ groups }: Pick<Fleet, 'groups'>, wanted: string): Destination[] {
  return groups.list
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(({ _id, name }) => ({ kind: 'group', groupId: _id, title: name, detail: 'Group' }))
}

function devicesOf(
  { names }: Pick<Fleet, 'names'>,
  index: Pick<SearchIndex, 'find'>,
  wanted: string,
): Destination[] {
  return Array.from(index.find(wanted, MOST).rows, (row) => {
    const imei = names.of(row, 'imei')
    return { kind: 'device', imei, title: names.of(row, 'name'), detail: names.of(row, 'plate') || imei }
  })
}

const FAR = 3

function distance({ title, detail }: Destination, wanted: string): number {
  const text = title.toLowerCase()
  if (text.startsWith(wanted)) return 0
  if (text.includes(` ${wanted}`) || detail.toLowerCase().startsWith(wanted)) return 1
  return text.includes(wanted) ? 2 : FAR
}
