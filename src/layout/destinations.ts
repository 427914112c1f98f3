import type { Fleet } from '../read-model/fleet.ts'
import type { SearchIndex } from '../read-model/search-index.ts'
import { otherPlaces, places } from './places.ts'

/** Where the palette leads. */
export type Destination = { kind: 'page' | 'group' | 'device'; path: string; title: string; detail: string }

/** Most devices and groups listed at once: beyond that one types another letter. */
const MOST = 50

/** Pages, groups and devices that hold what was typed, in that order; pages alone while nothing is typed. */
export function findDestinations(
  query: string,
  fleet: Pick<Fleet, 'groups' | 'names'>,
  index: SearchIndex,
): Destination[] {
  const wanted = query.trim().toLowerCase()
  const pages = allPages.filter(({ title }) => title.toLowerCase().includes(wanted))
  if (wanted === '') return pages
  return [...pages, ...groupsOf(fleet, wanted), ...devicesOf(fleet, index, wanted)]
}

const allPages: Destination[] = [...places, ...otherPlaces].map(({ path, title }) => ({
  kind: 'page',
  path,
  title: title === 'All reports' ? 'Reports' : title,
  detail: 'Page',
}))

function groupsOf({ groups }: Pick<Fleet, 'groups'>, wanted: string): Destination[] {
  return groups.list
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(({ _id, name }) => ({ kind: 'group', path: `/?group=${_id}`, title: name, detail: 'Group' }))
}

function devicesOf({ names }: Pick<Fleet, 'names'>, index: SearchIndex, wanted: string): Destination[] {
  return Array.from(index.find(wanted, MOST).rows, (row) => {
    const imei = names.of(row, 'imei')
    const plate = names.of(row, 'plate')
    return {
      kind: 'device' as const,
      path: `/temperature/${imei}`,
      title: names.of(row, 'name'),
      detail: plate === '' ? imei : plate,
    }
  })
}
