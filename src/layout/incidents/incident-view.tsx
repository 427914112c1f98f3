import { Check } from 'lucide-react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import { MOST_LOST } from '#machines/projections/lost-devices.ts'
import type { Desk } from '../../actors/desk.ts'
import { formatCount } from '../../format/numbers.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useOnlyNow } from '../past/past-context.ts'
import { AskDialog } from './ask-dialog.tsx'
import { IncidentList } from './incident-list.tsx'
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
        <EmptyState title={EMPTY[view].title} icon={<Check size={22} aria-hidden />}>
          {isPast
            ? 'So it was, as far as it was told.'
            : fleet.counts.total === 0
              ? 'There are no devices yet: under Devices stands how they come.'
              : EMPTY[view].next}
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
      <AskDialog action={actions.action} />
    </>
  )
}

const EMPTY: Record<View, { title: string; next: string }> = {
  open: { title: 'Nothing is open', next: 'All devices shown are heard, and within their limits.' },
  mine: { title: 'You have none', next: 'Take one under Nobody’s: press t on its row.' },
  nobodys: { title: 'Somebody has each', next: 'All that is open is taken, acknowledged or shelved.' },
  known: { title: 'None is known', next: 'What others have, and what is shelved, is listed here.' },
  over: { title: 'Nothing was over', next: 'What ended in the last 24 hours is listed here.' },
}
