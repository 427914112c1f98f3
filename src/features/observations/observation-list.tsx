import { useState } from 'react'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import type { ObservationQuery } from '#machines/observation-search/observation-search.machine.ts'
import { useDeviceLimits } from '../../actors/use-device-limits.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { Panel } from '../../layout/page.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import { FileMaking, type FileMakingProps } from './file-making.tsx'
import { ObservationTable } from './observation-table.tsx'
import { type PageSize, PageTurner } from './page-turner.tsx'

const HOUR_MS = 3_600_000

export type ObservationListProps = {
  rows: readonly ObservationRow[]
  query: ObservationQuery
  hasName: boolean
  /** something else is on its way */
  isLoading: boolean
  file: Omit<FileMakingProps, 'total' | 'isDisabled'>
}

/** The rows that were found, a page at a time, and the file of all of them. */
export function ObservationList({ rows, query, hasName, isLoading, file }: ObservationListProps) {
  const [size, setSize] = useState<PageSize>(100)
  const [page, setPage] = useState(0)
  const device = useDeviceName(query.imei)
  const limits = useDeviceLimits(query.imei)
  const shown = rows.slice(page * size, (page + 1) * size)
  return (
    <Panel
      title="Observation List"
      actions={<FileMaking {...file} total={rows.length} isDisabled={isLoading} />}
      className={isLoading ? 'opacity-60' : ''}
    >
      <p className="tabular px-4 pb-2 text-dense text-ink-soft">
        {`${device?.name ?? query.imei} · `}
        <TimeSpan from={query.start} to={query.start + query.hours * HOUR_MS} />
      </p>
      {/* Another page begins at its top. */}
      <ObservationTable key={`${size} ${page}`} rows={shown} hasName={hasName} limits={limits} />
      <PageTurner
        total={rows.length}
        page={page}
        size={size}
        onPage={setPage}
        onSize={(next) => {
          setSize(next)
          // What stood first stays in view.
          setPage(Math.floor((page * size) / next))
        }}
      />
    </Panel>
  )
}
