import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import { counted } from '#machines/rules/figures.ts'
import { useRoot } from '../../actors/use-root.ts'
import { DeleteDialog } from '../../layout/delete-dialog.tsx'

export type DeleteGroupProps = {
  group: Group
  /** name of the group above, which takes what is in it */
  above: string
  onDeleted: () => void
  onClose: () => void
}

/** 'Delete Record?' for a group: what is in it is not deleted with it. */
export function DeleteGroup({ group, above, onDeleted, onClose }: DeleteGroupProps) {
  const { http, toasts } = useRoot()
  const moving = contentsOf(group)
  return (
    <DeleteDialog
      id={group._id}
      deleteRecord={(id, options) => http.ask(GROUP_CALLS.deleteGroup, { params: { id } }, options)}
      onDeleted={() => {
        toasts.success('Group deleted Successfully')
        onDeleted()
      }}
      onClose={onClose}
    >
      <p>
        The group <strong className="font-semibold text-ink">{group.name}</strong> and its thresholds are
        deleted.
      </p>
      {moving === '' ? (
        <p className="pt-2">Nothing is in it.</p>
      ) : (
        <p className="pt-2">
          What is in it stays: {moving} {isOne(group) ? 'goes' : 'go'} to{' '}
          <strong className="font-semibold text-ink">{above}</strong>
          {group.unAssignedvehicles > 0 && ', whose thresholds then apply to these devices'}.
        </p>
      )}
      <p className="pt-2">Scheduled reports on all its vehicles end with it.</p>
    </DeleteDialog>
  )
}

/** What is directly in a group, in words: '12 devices, 3 users and 2 groups with 40 devices'. */
export function contentsOf({ unAssignedvehicles, assignedVehicles, users, child }: Group): string {
  const parts = [
    someOf(unAssignedvehicles, 'device'),
    someOf(users, 'user'),
    child.length > 0 && assignedVehicles > 0
      ? `${counted(child.length, 'group')} with ${counted(assignedVehicles, 'device')}`
      : someOf(child.length, 'group'),
  ].filter((part) => part !== '')
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

const isOne = ({ unAssignedvehicles, users, child }: Group): boolean =>
  unAssignedvehicles + users + child.length === 1

const someOf = (count: number, noun: string): string => (count === 0 ? '' : counted(count, noun))
