import { Check } from 'lucide-react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { MOST_LOST } from '#machines/projections/lost-devices.ts'
import type { Desk } from '../../actors/desk.ts'
import { formatCount } from '../../format/numbers.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useOnlyNow } from '../past/past-context.ts'
import { areAllWell, howAllAre } from './how-all-are.ts'
import { IncidentList } from './incident-list.tsx'
import { IncidentWindows } from './incident-windows.tsx'
import { ShelvedList } from './shelved-list.tsx'
import { useIncidentActions } from './use-incident-actions.ts'
import { useWorstFirst } from './use-worst-first.ts'
import { everything, type View } from './views.ts'

export type IncidentViewProps = {
  desk: Desk
  view: View
  incidents: readonly Incident[]
  known: NonNullable<ReturnType<Desk['known']['get']>>
  /** whether a device is among what is shown; all where left out */
  isShown?: (imei: string) => boolean
  selected?: string | null
  onPress: (imei: string) => void
  onOpen: (imei: string) => void
}

/** One view of what is to do: its rows, what is shelved, and what is asked when something is done. */
export default function IncidentView({
  desk,
  view,
  incidents,
  known,
  isShown = everything,
  ...list
}: IncidentViewProps) {
  const fleet = useFleetItself()
  const isPast = useOnlyNow() !== undefined
  const actions = useIncidentActions(desk)
  const worstFirst = useWorstFirst(fleet, incidents)
  const ordered = view === 'over' ? incidents : worstFirst
  const { selected = null, onPress, onOpen } = list
  return (
    <>
      {ordered.length === 0 ? (
        <EmptyState title={TITLES[view]} icon={<Check size={22} aria-hidden />}>
          {isPast
            ? 'So it was, as far as was known then.'
            : fleet.counts.total === 0
              ? 'There are no devices yet: under Devices stands how they come.'
              : view === 'open'
                ? howAllAre(areAllWell(fleet, isShown))
                : EMPTY[view]}
        </EmptyState>
      ) : (
        <IncidentList
          fleet={fleet}
          desk={desk}
          known={known}
          incidents={ordered}
          actions={actions}
          selected={selected}
          onPress={onPress}
          onOpen={onOpen}
        />
      )}
      {known.moreLost > 0 && (view === 'open' || view === 'nobodys') && (
        <p className="shrink-0 border-line border-t px-4 py-2 text-dense text-ink-soft">
          {`${formatCount(known.moreLost)} more ${known.moreLost === 1 ? 'is' : 'are'} lost for longer: the newest ${formatCount(MOST_LOST)} are listed.`}
        </p>
      )}
      {view === 'known' && (
        <ShelvedList
          fleet={fleet}
          shelved={known.shelved.filter(({ imei }) => isShown(imei))}
          onEnd={actions.unshelve}
        />
      )}
      <IncidentWindows fleet={fleet} actions={actions} />
    </>
  )
}

const TITLES: Record<View, string> = {
  open: 'Nothing is open',
  mine: 'You have none',
  nobodys: 'Somebody has each',
  known: 'None is known',
  over: 'Nothing was over',
}
const EMPTY: Record<Exclude<View, 'open'>, string> = {
  mine: 'Take one under Nobody’s.',
  nobodys: 'All that is open is taken, acknowledged or shelved.',
  known: 'What others have, and what is shelved, is listed here.',
  over: 'What ended in the last 24 hours is listed here.',
}
