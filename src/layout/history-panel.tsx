import { useChangeHistory } from '../actors/use-change-history.ts'
import { ChangeList, type ChangeListProps } from '../ui/change-list.tsx'
import { KeptList } from './kept-list.tsx'
import { Panel } from './page.tsx'

export type HistoryPanelProps = { subject: 'groups' | 'users' | 'devices'; id: string } & Pick<
  ChangeListProps,
  'labelOf' | 'show' | 'withoutValue'
>

/** The History of a group, user or device: who changed what and when. Nobody but managers sees it. */
export function HistoryPanel({ subject, id, ...words }: HistoryPanelProps) {
  const { answer, failure, ask, isForbidden, isLoadingMore, loadMore } = useChangeHistory(subject, id)
  if (isForbidden) return null
  return (
    <Panel title="History" className="min-w-0">
      <div className="border-line border-t">
        <KeptList
          what="The history"
          itself="This history"
          isThere={answer !== undefined}
          failure={failure}
          onRetry={ask}
          skeletonRows={4}
        >
          {() =>
            answer && (
              // what is said of the list stays in sight while one reads its end
              <div className="max-h-160 overflow-y-auto">
                <ChangeList {...answer} isLoadingMore={isLoadingMore} onLoadMore={loadMore} {...words} />
              </div>
            )
          }
        </KeptList>
      </div>
    </Panel>
  )
}
