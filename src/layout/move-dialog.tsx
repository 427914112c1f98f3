import { useMemo, useState } from 'react'
import { MOST_MOVED } from '#machines/contracts/calls/device-calls.ts'
import { useDeviceMove } from '../actors/move-devices.ts'
import { formatCount } from '../format/numbers.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TreeChoices } from '../ui/tree-select.tsx'
import { groupTree } from './group-tree.ts'

export type MoveDialogProps = {
  fleet: Fleet
  /** which are moved, whatever rows they are in meanwhile */
  imeis: readonly string[]
  onClose: () => void
  /** all are where they were to go */
  onMoved: () => void
}

/** To which group the picked devices go: chosen, then done with one press. */
export function MoveDialog({ fleet, imeis, onClose, onMoved }: MoveDialogProps) {
  const { groups } = fleet
  const [groupId, setGroupId] = useState('')
  const nodes = useMemo(() => groupTree(groups.list), [groups.list])
  const { isMoving, error, stayed, move } = useDeviceMove(onMoved)
  const group = groups.list[groups.indexOf(groupId)]
  const [first] = imeis
  const many =
    imeis.length === 1 && first !== undefined ? nameOf(fleet, first) : `${formatCount(imeis.length)} devices`
  const isTooMany = imeis.length > MOST_MOVED
  if (stayed !== undefined)
    return (
      <Dialog
        title="Some devices stayed where they are"
        isOpen
        onOpenChange={(isOpen) => !isOpen && onMoved()}
      >
        <ul className="flex max-h-80 flex-col gap-1 overflow-auto">
          {stayed.map(({ imei, message }) => (
            <li key={imei}>
              <span className="font-medium">{nameOf(fleet, imei)}</span>
              <span className="text-ink-soft">{`: ${message}`}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    )
  return (
    <Dialog
      title={`Move ${many} to a group`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isMoving}
      actions={
        <>
          <Button kind="quiet" isDisabled={isMoving} onPress={onClose}>
            Cancel
          </Button>
          {group && (
            <Button
              key={groupId}
              kind="primary"
              autoFocus
              isDisabled={isTooMany}
              isPending={isMoving}
              onPress={() => move(imeis, { id: groupId, text: group.name })}
            >
              {isMoving ? 'Moving…' : `Move to ${group.name}`}
            </Button>
          )}
        </>
      }
    >
      <div className="overflow-hidden rounded-small border border-line">
        <TreeChoices
          label="Groups"
          noun="groups"
          nodes={nodes}
          value={groupId}
          onChange={setGroupId}
          onDone={() => {}}
        />
      </div>
      <p role="alert" className="min-h-7 pt-1 text-error">
        {isTooMany ? `At most ${formatCount(MOST_MOVED)} devices can be moved at once: pick fewer.` : error}
      </p>
    </Dialog>
  )
}

function nameOf({ names }: Fleet, imei: string): string {
  const row = names.rowOf(imei)
  return row < 0 ? imei : names.of(row, 'name')
}
