import { Check } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { enums } from 'superstruct'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { IncidentList } from './incident-list.tsx'
import { byView, VIEW_WORDS, VIEWS, type View, worstFirst } from './lines.ts'
import { ShelvedList } from './shelved-list.tsx'
import { useIncidentActions } from './use-incident-actions.ts'

export type IncidentDeskProps = {
  desk: Desk
  /** what stands here beside the views of what is to do, and what it is called */
  rest: ReactNode
  restWord: string
  /** whether a device is among what is shown; all where left out */
  isShown?: (imei: string) => boolean
  selected?: string | null
  onPress: (imei: string) => void
  onOpen: (imei: string) => void
}

const Shown = enums(['rest', ...VIEWS])

/** Views of what is to do, with their counts, beside the list that was there. */
export function IncidentDesk(props: IncidentDeskProps) {
  const { desk, rest, restWord, isShown = everything } = props
  const { user } = useSignedIn()
  const known = useStore(desk.known)
  const [view, setView] = useKeptState<View | 'rest'>(`incidents beside ${restWord}`, Shown, 'rest')
  const views = useMemo(() => {
    if (known === undefined) return undefined
    const all = byView(known, user._id)
    return Object.fromEntries(
      VIEWS.map((one) => [one, all[one].filter(({ imei }) => isShown(imei))]),
    ) as Record<View, Incident[]>
  }, [known, user._id, isShown])
  const options = [
    { id: 'rest' as const, text: restWord },
    ...VIEWS.map((id) => ({ id, text: wordOf(id, views?.[id].length, known?.hasMoreOver === true) })),
  ]
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 overflow-x-auto px-2 pb-1">
        <Segments label="Show" isLabelHidden isRow options={options} value={view} onChange={setView} />
      </div>
      {view === 'rest' ? (
        rest
      ) : views === undefined || known === undefined ? (
        <SkeletonRows rows={8} className="px-2" />
      ) : (
        <ViewOf {...props} key={view} view={view} incidents={views[view]} known={known} />
      )}
    </div>
  )
}

const everything = (): boolean => true

const wordOf = (view: View, count: number | undefined, hasMore: boolean): string =>
  count === undefined
    ? VIEW_WORDS[view]
    : `${VIEW_WORDS[view]} ${formatCount(count)}${view === 'over' && hasMore ? '+' : ''}`

type ViewOfProps = IncidentDeskProps & {
  view: View
  incidents: readonly Incident[]
  known: NonNullable<ReturnType<Desk['known']['get']>>
}

function ViewOf({ desk, view, incidents, known, isShown = everything, ...list }: ViewOfProps) {
  const fleet = useFleetItself()
  const moment = useFleet(momentOf)
  const actions = useIncidentActions(desk)
  // biome-ignore lint/correctness/useExhaustiveDependencies: values behind the fleet change; rows are put in order each ten seconds
  const ordered = useMemo(
    () => (view === 'over' ? incidents : worstFirst(fleet, incidents)),
    [fleet, incidents, view, moment],
  )
  const { selected = null, onPress, onOpen } = list
  return (
    <>
      {ordered.length === 0 ? (
        <EmptyState title={EMPTY[view].title} icon={<Check size={22} aria-hidden />}>
          {EMPTY[view].next}
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

/** Rows do not jump with each reading. */
const momentOf = (): number => Math.floor(performance.now() / 10_000)

const EMPTY: Record<View, { title: string; next: string }> = {
  open: { title: 'Nothing is open', next: 'All devices shown are within their limits.' },
  mine: { title: 'You have none', next: 'Take one under Nobody’s: press t on its row.' },
  nobodys: { title: 'Somebody has each', next: 'Every open violation is taken, acknowledged or shelved.' },
  known: { title: 'None is known', next: 'What others have, and what is shelved, is listed here.' },
  over: { title: 'Nothing was over', next: 'What ended in the last 24 hours is listed here.' },
}
