import type { ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { useFirstRows } from './use-first-rows.ts'

type CountedPanelProps<T> = {
  title: string
  rows: readonly T[]
  /** of all; more than are listed where there are very many */
  count: number
  /** there are more than are counted */
  hasUncounted?: boolean
  /** said where there is none */
  empty: string
  children: (rows: readonly T[]) => ReactNode
}

/** A list with its count, the first rows of it until one asks for all. */
export function CountedPanel<T>({
  title,
  rows,
  count,
  hasUncounted = false,
  empty,
  children,
}: CountedPanelProps<T>) {
  const counted = `${formatCount(count)}${hasUncounted ? '+' : ''}`
  const { shown, hasMore, showAll } = useFirstRows(rows)
  return (
    <Panel title={`${title} ${counted}`} className="min-w-0 overflow-hidden pb-1">
      {rows.length === 0 ? <p className="px-4 pb-3 text-ink-soft">{empty}</p> : children(shown)}
      {hasMore && (
        <div className="flex justify-center border-line border-t p-2 print:hidden">
          <Button kind="quiet" onPress={showAll}>{`Show all ${formatCount(rows.length)}`}</Button>
        </div>
      )}
      {!hasMore && (hasUncounted || count > rows.length) && (
        <p className="border-line border-t px-4 py-2 text-dense text-ink-soft">
          {`The newest ${formatCount(rows.length)} are listed.`}
        </p>
      )}
    </Panel>
  )
}
