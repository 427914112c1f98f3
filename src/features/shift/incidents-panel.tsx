import { Link } from 'wouter'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { IncidentRow } from '../../layout/incidents/incident-row.tsx'
import { useGlances } from '../../layout/incidents/use-glances.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { CountedPanel } from './counted-panel.tsx'

type IncidentsPanelProps = {
  title: string
  incidents: readonly Incident[]
  count: number
  /** said where there is none */
  children: string
}

/** Incidents as rows that lead to their devices. */
export function IncidentsPanel({ title, incidents, count, children }: IncidentsPanelProps) {
  return (
    <CountedPanel title={title} rows={incidents} count={count} empty={children}>
      {(rows) => <Rows title={title} incidents={rows} />}
    </CountedPanel>
  )
}

const NOTHING = createStore(undefined)

function Rows({ title, incidents }: { title: string; incidents: readonly Incident[] }) {
  const fleet = useFleetItself()
  const desk = useStore(useRoot().live ?? NOTHING)?.desk
  const known = useStore(desk?.known ?? NOTHING)
  const glanceOf = useGlances(
    desk,
    incidents.map(({ imei }) => imei),
  )
  return (
    <ul aria-label={title} className="@container flex flex-col px-2">
      {incidents.map((incident) => (
        <li key={incident.violationId}>
          <Link
            href={`/temperature/${incident.imei}`}
            className="flex min-h-14 items-center rounded-small px-2 py-1 -outline-offset-2 hover:bg-hover print:break-inside-avoid"
          >
            <IncidentRow
              fleet={fleet}
              incident={incident}
              shelving={
                incident.clearedAt === null
                  ? known?.shelved.find((one) => kindKey(one) === kindKey(incident))
                  : undefined
              }
              glance={glanceOf(incident.imei)}
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}
