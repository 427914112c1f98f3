import type { Desk, Incident } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'

export const VIEWS = ['open', 'mine', 'nobodys', 'known', 'over'] as const
export type View = (typeof VIEWS)[number]
export const VIEW_WORDS: Record<View, string> = {
  open: 'Open',
  mine: 'Mine',
  nobodys: 'Nobody’s',
  known: 'Known',
  over: 'Over',
}

/** Which of the views of what lasts an incident is in, beside Open: each is in one. */
export function viewOf(incident: Incident, { shelved }: Pick<Desk, 'shelved'>, userId: string): View {
  if (shelved.some(({ imei, type }) => imei === incident.imei && type === incident.type)) return 'known'
  if (incident.holder === null) return incident.acknowledged === null ? 'nobodys' : 'known'
  return incident.holder.userId === userId ? 'mine' : 'known'
}

/** The incidents of each view; shelved ones are told apart by their kind. */
export function byView(desk: Desk, userId: string): Record<View, Incident[]> {
  const views: Record<View, Incident[]> = {
    open: desk.open,
    mine: [],
    nobodys: [],
    known: [],
    over: desk.over,
  }
  const shelved = new Set(desk.shelved.map(kindKey))
  for (const incident of desk.open) {
    const isShelved = shelved.size > 0 && shelved.has(kindKey(incident))
    views[isShelved ? 'known' : viewOf(incident, NOTHING_SHELVED, userId)].push(incident)
  }
  return views
}
const NOTHING_SHELVED = { shelved: [] }

/** Where nothing narrows what is shown. */
export const everything = (): boolean => true
