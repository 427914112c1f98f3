import { useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { useTableRows } from '../../ui/use-table-rows.ts'
import type { KnownUser } from './found-users.ts'
import { COLUMNS, UserRow } from './user-row.tsx'

export type UserListProps = {
  users: readonly KnownUser[]
  /** id of the one who looks */
  me: string
  /** ids of those whom a link is being sent to */
  resending: ReadonlySet<string>
  onResend: (user: KnownUser) => void
  onDelete: (user: KnownUser) => void
}

const HEADS = ['NAME', 'EMAIL', 'PHONE', 'GROUP', 'ACTIONS']

/** Users as a table, on narrow screens as cards; of thousands only those in sight exist. */
export function UserList({ users, me, resending, onResend, onDelete }: UserListProps) {
  const table = useRef<HTMLTableElement>(null)
  const { virtual: rows, margin } = useTableRows({
    table,
    count: users.length,
    getItemKey: (index) => users[index]?.user._id ?? index,
    heights: { line: 48, card: 116 },
  })

  return (
    <table
      ref={table}
      aria-label="Users"
      aria-rowcount={users.length + 1}
      aria-colcount={HEADS.length}
      className="block"
    >
      <thead className="block max-desk:sr-only">
        <tr
          aria-rowindex={1}
          className={classNames(COLUMNS, 'h-row px-4 font-medium text-dense text-ink-faint')}
        >
          {HEADS.map((head) => (
            <th key={head} scope="col" className="text-left font-medium last:text-right">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const known = users[index] as KnownUser
          return (
            <tr
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - margin}px)` }}
              className={classNames(
                COLUMNS,
                'absolute inset-x-0 border-line border-t px-4 py-2 hover:bg-hover desk:min-h-12 desk:py-1',
              )}
            >
              <UserRow
                known={known}
                isMe={known.user._id === me}
                isResending={resending.has(known.user._id)}
                onResend={() => onResend(known)}
                onDelete={() => onDelete(known)}
              />
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
