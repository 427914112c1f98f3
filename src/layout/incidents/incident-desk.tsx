import { type ReactNode, useMemo } from 'react'
import type { Incident, Desk as Known } from '#machines/contracts/entities/incidents.ts'
import { useStore } from '../../actors/store.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { shortCount } from '../../format/numbers.ts'
import { oneOf, pageAddress } from '../../format/page-address.ts'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { lazyPart } from '../lazy-part.ts'
import { useAddressPart } from '../use-address.ts'
import type { IncidentViewProps } from './incident-view.tsx'
import { byView, everything, VIEW_WORDS, VIEWS, type View } from './views.ts'

export type IncidentDeskProps = Omit<IncidentViewProps, 'view' | 'incidents' | 'known'> & {
  /** what stands here beside the views of what is to do, and what it is called */
  rest: ReactNode
  restWord: string
}

const IncidentView = lazyPart(() => import('./incident-view.tsx'), <SkeletonRows rows={8} className="px-2" />)

const incidentsAddress = pageAddress<{ view: View | 'rest' }>({
  view: oneOf('show', ['rest', ...VIEWS], 'rest'),
})

/** Views of what is to do, with their counts, beside the list that was there. */
export function IncidentDesk(props: IncidentDeskProps) {
  const { desk, rest, restWord, isShown = everything } = props
  const { user } = useSignedIn()
  const known = useStore(desk.known)
  const [view, setView] = useAddressPart(incidentsAddress, 'view', 'push')
  const views = useMemo(() => {
    if (known === undefined) return undefined
    const shown = (all: Incident[]): Incident[] => all.filter(({ imei }) => isShown(imei))
    return byView({ ...known, open: shown(known.open), over: shown(known.over) }, user._id)
  }, [known, user._id, isShown])
  const options = [
    { id: 'rest' as const, text: restWord },
    ...VIEWS.map((id) => ({
      id,
      text: wordOf(id, views?.[id].length, known !== undefined && hasMore(known, id)),
    })),
  ]
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 overflow-x-auto px-2 pb-1 print:hidden">
        <Segments label="Show" isLabelHidden isRow options={options} value={view} onChange={setView} />
      </div>
      {view === 'rest' ? (
        rest
      ) : views === undefined || known === undefined ? (
        <SkeletonRows rows={8} className="px-2" />
      ) : (
        // Its rows scroll in the room there is: they make none.
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto contain-size print:overflow-visible print:contain-none">
          <IncidentView {...props} key={view} view={view} incidents={views[view]} known={known} />
        </div>
      )}
    </div>
  )
}

/** What is not listed is over, or lost and nobody's. */
const hasMore = ({ hasMoreOver, moreLost }: Known, view: View): boolean =>
  view === 'over' ? hasMoreOver : (view === 'open' || view === 'nobodys') && moreLost > 0

const wordOf = (view: View, count: number | undefined, hasMore: boolean): string =>
  count === undefined ? VIEW_WORDS[view] : `${VIEW_WORDS[view]} ${shortCount(count)}${hasMore ? '+' : ''}`
