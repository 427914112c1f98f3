import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { useRoot } from '../../actors/use-root.ts'
import { DeleteDialog } from '../../layout/delete-dialog.tsx'
import type { KnownUser } from './found-users.ts'

export type DeleteUserProps = { known: KnownUser; onDeleted: () => void; onClose: () => void }

/** 'Delete Record?' of a user, and what becomes of them. */
export function DeleteUser({ known: { user, name }, onDeleted, onClose }: DeleteUserProps) {
  const { http, toasts } = useRoot()
  return (
    <DeleteDialog
      id={user._id}
      deleteRecord={(id, options) => http.ask(USER_CALLS.deleteUser, { params: { id } }, options)}
      onDeleted={() => {
        toasts.success('User deleted Successfully')
        onDeleted()
      }}
      onClose={onClose}
    >
      <strong className="font-semibold text-ink">{name}</strong> ({user.email}) is signed out everywhere at
      once and cannot sign in again. What they changed stays as it is.
    </DeleteDialog>
  )
}
