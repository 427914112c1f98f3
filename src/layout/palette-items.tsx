import { type ReactNode, useMemo } from 'react'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { VIEW_CALLS } from '#machines/contracts/calls/view-calls.ts'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import type { Desk } from '../actors/desk.ts'
import { mayEnterCompanies } from '../actors/session-actor.ts'
import { useStore } from '../actors/store.ts'
import { useKeptAnswer } from '../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { createSearchIndex, type SearchIndex } from '../read-model/search-index.ts'
import { useFleet, useFleetItself } from '../read-model/use-fleet.ts'
import { type Destination, findDestinations } from './destinations.ts'
import { IncidentRow } from './incidents/incident-row.tsx'
import { nameOf } from './incidents/lines.ts'
import { useGlances } from './incidents/use-glances.ts'
import { useIncidentOf } from './incidents/use-incident-of.ts'
import {
  ACT_WORDS,
  type Act,
  actIn,
  actsLike,
  type DeviceAct,
  type IncidentAct,
  incidentsFor,
  isDeviceAct,
} from './palette-acts.ts'

/** What the palette lists: where one can go, and what can be done to what is open. */
export type Item =
  | Destination
  | { kind: 'act'; act: Act; title: string; detail: string }
  | { kind: 'of device'; act: DeviceAct; imei: string; title: string; detail: string }
  | { kind: 'incident'; act: IncidentAct; incident: Incident; title: string; detail: string }

/** What fits what was typed: incidents or devices where it begins with what is to be done to them, else where one can go. */
export function useItems(query: string, desk: Desk): readonly Item[] {
  const { server } = useRoot()
  const who = useSignedIn()
  const isSimulated = useStore(server)?.simulator === true
  const entersCompanies = mayEnterCompanies(who)
  const keepsKeys = useKeptAnswer(AUTH_CALLS.me, {}, { isBackground: true }).answer?.keepsKeys === true
  const views = useKeptAnswer(VIEW_CALLS.views, {}, { isBackground: true }).answer?.views
  const fleet = useFleetItself()
  const structure = useFleet((known) => known.structure)
  const known = useStore(desk.known)
  const userId = who.user._id
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are other ones when the structure is
  const index = useMemo(() => createSearchIndex(fleet.names), [fleet, structure])
  return useMemo(() => {
    const requested = actIn(query)
    const offered = { isSimulated, entersCompanies, keepsKeys, ...(views && { views }) }
    if (requested?.isOfDevices) {
      // "report logs" is a page
      const places = requested.words === '' ? [] : findDestinations(query, fleet, index, offered)
      return [...places.filter(({ kind }) => kind === 'page'), ...devicesFor(requested, fleet, index)]
    }
    if (requested !== undefined)
      return known === undefined
        ? []
        : incidentsFor(requested, fleet, known, userId).map(asItem(requested.act, fleet))
    const isNothingOpen = known === undefined || known.open.length === 0
    const acts = actsLike(query).filter((act) => isDeviceAct(act) || !isNothingOpen)
    return withActs(findDestinations(query, fleet, index, offered), acts.map(asActItem))
  }, [query, fleet, index, known, userId, isSimulated, entersCompanies, keepsKeys, views])
}

/** Pages keep their place: who types the beginning of "Reports" is led there. */
function withActs(found: readonly Destination[], acts: readonly Item[]): readonly Item[] {
  const pages = found.findIndex(({ kind }) => kind !== 'page')
  return found.toSpliced(pages < 0 ? found.length : pages, 0, ...(acts as never[]))
}

const asActItem = (act: Act): Item => ({
  kind: 'act',
  act,
  title: `${ACT_WORDS[act]} …`,
  detail: isDeviceAct(act) ? 'A device' : 'What is open',
})

/** Most devices listed at once: beyond that one types another letter. */
const MOST = 50

function devicesFor(
  { act, words }: { act: DeviceAct; words: string },
  { names }: Fleet,
  index: Pick<SearchIndex, 'find'>,
): Item[] {
  return Array.from(index.find(words, MOST).rows, (row) => ({
    kind: 'of device',
    act,
    imei: names.of(row, 'imei'),
    title: names.of(row, 'name'),
    detail: names.of(row, 'plate') || names.of(row, 'imei'),
  }))
}

const asItem =
  (act: IncidentAct, fleet: Fleet) =>
  (incident: Incident): Item => ({
    kind: 'incident',
    act,
    incident,
    title: nameOf(fleet, incident.imei),
    detail: ACT_WORDS[act],
  })

/** Rows as they stand on the dashboard, for incidents and for devices with something open. */
export function useIncidentRows(desk: Desk, items: readonly Item[]): (item: Item) => ReactNode {
  const fleet = useFleetItself()
  const incidentOf = useIncidentOf()
  const known = useStore(desk.known)
  const shelvings = useMemo(() => new Map(known?.shelved.map((one) => [kindKey(one), one])), [known])
  const shown = (item: Item): Incident | undefined =>
    item.kind === 'incident'
      ? item.incident
      : item.kind === 'device'
        ? incidentOf(item.imei)?.incident
        : undefined
  const glanceOf = useGlances(desk, items.flatMap((item) => shown(item)?.imei ?? []).slice(0, GLANCES))
  return (item) => {
    const incident = shown(item)
    return (
      incident && (
        <IncidentRow
          fleet={fleet}
          incident={incident}
          shelving={shelvings.get(kindKey(incident))}
          glance={glanceOf(incident.imei)}
        />
      )
    )
  }
}
/** Places are asked for of the first rows; the others have their plate number. */
const GLANCES = 20
