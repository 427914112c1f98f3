import type { Fleet } from '../../read-model/fleet.ts'
import { MoveDialog } from '../move-dialog.tsx'
import { AskDialog } from './ask-dialog.tsx'
import type { IncidentActions } from './use-incident-actions.ts'

/** The windows of what is done to incidents: beside their list, as what they are about may leave it meanwhile. */
export function IncidentWindows({ fleet, actions }: { fleet: Fleet; actions: IncidentActions }) {
  const { action, moving, endMoving } = actions
  return (
    <>
      <AskDialog action={action} />
      {moving && (
        <MoveDialog
          fleet={fleet}
          imeis={moving.imeis}
          onClose={endMoving}
          onMoved={() => {
            endMoving()
            moving.onMoved()
          }}
        />
      )}
    </>
  )
}
