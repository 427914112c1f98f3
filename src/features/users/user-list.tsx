import { RowTable } from '../../ui/row-table.tsx'
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

/** Users as a table, on narrow screens as cards. */
export function UserList({ users, me, resending, onResend, onDelete }: UserListProps) {
  return (
    <RowTable
      label="Users"
      heads={HEADS}
      columns={COLUMNS}
      rows={users}
      keyOf={({ user }) => user._id}
      heights={{ line: 48, card: 116 }}
      headLook="last:text-right"
      rowLook="hover:bg-hover desk:min-h-12 desk:py-1"
    >
      {(known) => (
        <UserRow
          known={known}
          isMe={known.user._id === me}
          isResending={resending.has(known.user._id)}
          onResend={() => onResend(known)}
          onDelete={() => onDelete(known)}
        />
      )}
    </RowTable>
  )
}
