import type { World } from '#machines/director/doings.ts'
import { FAULT_WORDS } from '#machines/rules/fault-words.ts'
import { FaultForm, type FaultOrder } from './fault-form.tsx'
import { faultRows } from './fault-rows.ts'
import { InForce } from './in-force.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDeviceNames } from './use-device-names.ts'
import { useDoing } from './use-doing.ts'

type Props = { world: World; order: FaultOrder; onOrder: (order: FaultOrder) => void }

/** Breaks devices, and shows which are broken now. */
export function FaultsPart({ world: { faults, actions, status }, order, onOrder }: Props) {
  const { act } = useDoing()
  const nameOf = useDeviceNames()
  const rows = faultRows(faults, actions, status.now)
  return (
    <div className="flex flex-col gap-4">
      <FaultForm order={order} onOrder={onOrder} />
      <RefusalIn part="faults" />
      <InForce
        title="Broken now"
        nothing="No device is broken on purpose."
        rows={rows.map(({ id, fault, imeis, until }) => ({
          id,
          what: FAULT_WORDS[fault],
          whom: imeis.length === 1 ? nameOf(imeis[0] as string) : `${imeis.length} devices`,
          until,
        }))}
        liftKind="fault.lift"
        onLift={(id) => {
          const ids = rows.find((row) => row.id === id)?.lift
          if (ids !== undefined) act({ kind: 'fault.lift', id, ids })
        }}
      />
    </div>
  )
}
