import { useChangeHistory } from '../actors/use-change-history.ts'
import { Button } from '../ui/button.tsx'
import { ChangeList, type ChangeListProps } from '../ui/change-list.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Panel } from './page.tsx'

export type HistoryPanelProps = { subject: 'groups' | 'users' | 'devices'; id: string } & Pick<
  ChangeListProps,
  'labelOf' | 'show' | 'withoutValue'
>

/** The History of a group, user or device: who changed what and when. Nobody but managers sees it. */
export function HistoryPanel({ subject, id, ...words }: HistoryPanelProps) {
  const history = useChangeHistory(subject, id)
  if (history.state === 'forbidden') return null
  return (
    <Panel title="History" className="min-w-0">
      <div className="max-h-160 overflow-y-auto border-line border-t">
        {history.state === 'loading' && <SkeletonRows rows={4} />}
        {history.state === 'failed' && (
          <ErrorState
            title="The history could not be loaded"
            details={history.message}
            action={<Button onPress={history.retry}>Try again</Button>}
          />
        )}
        {history.state === 'ready' && (
          <ChangeList
            changes={history.changes}
            total={history.total}
            isLoadingMore={history.isLoadingMore}
            onLoadMore={history.loadMore}
            {...words}
          />
        )}
      </div>
    </Panel>
  )
}
