import { useMemo } from 'react'
import { FAULTS, type FaultKind } from '#machines/contracts/scenario-script.ts'
import { FAULT_WORDS } from '#machines/rules/fault-words.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { DeviceSelect } from '../../layout/device-select.tsx'
import { groupOptions, groupTree } from '../../layout/group-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { ShareSlider } from './share-slider.tsx'
import { useDoing } from './use-doing.ts'
import { useSelectedDevice } from './use-selected-device.ts'
import { WORLD_SPANS } from './words.ts'

/** What is to go wrong, as it is being said. */
export type FaultOrder = {
  fault: FaultKind
  seconds: string
  on: 'device' | 'share'
  percent: number
  /** '' for all devices */
  groupId: string
  /** picked in the panel while another was, or none was, selected on the screen */
  picked: { imei: string; whileSelected: string } | null
}
export const FIRST_ORDER: FaultOrder = {
  fault: 'compressor-off',
  seconds: '7200',
  on: 'device',
  percent: 10,
  groupId: '',
  picked: null,
}

type Props = { order: FaultOrder; onOrder: (order: FaultOrder) => void }

/** What goes wrong, on what, and for how long. */
export function FaultForm({ order, onOrder }: Props) {
  const { act, isDoing } = useDoing()
  const fleet = useStore(useRoot().live)?.fleet
  const isSignedIn = fleet !== undefined
  const selected = useSelectedDevice()
  const set = (part: Partial<FaultOrder>): void => onOrder({ ...order, ...part })
  // Who selects another device on the screen means that one.
  const imei = order.picked?.whileSelected === selected ? order.picked.imei : selected
  const on = isSignedIn ? order.on : 'share'
  const canBreak = on === 'share' || imei !== ''
  // one that nobody sees here is not meant
  const groupId = fleet?.groups.list.some(({ _id }) => _id === order.groupId) ? order.groupId : ''

  function breakIt(): void {
    const victims =
      on === 'device' ? { imei } : { share: order.percent / 100, ...(groupId !== '' && { groupId }) }
    act({ kind: 'fault', fault: order.fault, forSeconds: Number(order.seconds), victims })
  }

  return (
    <form
      className="flex flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (canBreak) breakIt()
      }}
    >
      <div className="grid grid-cols-[3fr_2fr] gap-2">
        <Select
          label="What goes wrong"
          options={FAULTS.map((id) => ({ id, text: FAULT_WORDS[id] }))}
          value={order.fault}
          onChange={(id) => set({ fault: id as FaultKind })}
        />
        <Select
          label="For how long"
          options={WORLD_SPANS}
          value={order.seconds}
          onChange={(seconds) => set({ seconds })}
        />
      </div>
      <Segments
        label="On what"
        isLabelHidden
        options={[
          { id: 'device', text: 'One device' },
          { id: 'share', text: 'A share of the fleet' },
        ]}
        value={on}
        onChange={(next) => set({ on: next })}
        isDisabled={!isSignedIn}
      />
      <div className="pt-3">
        {on === 'device' ? (
          <DeviceSelect
            label={imei !== '' && imei === selected ? 'Device, as selected' : 'Device'}
            value={imei}
            onChange={(next) => set({ picked: { imei: next, whileSelected: selected } })}
          />
        ) : (
          <>
            <ShareSlider value={order.percent} onChange={(percent) => set({ percent })} />
            {isSignedIn && <GroupOf value={groupId} onChange={(next) => set({ groupId: next })} />}
          </>
        )}
      </div>
      <Button type="submit" kind="primary" isDisabled={!canBreak} isPending={isDoing('fault')}>
        Break {on === 'device' ? 'it' : 'them'}
      </Button>
      {!isSignedIn && <p className="pt-2 text-dense text-ink-soft">Sign in to choose a device or a group.</p>}
    </form>
  )
}

const structureOf = (fleet: Fleet): number => fleet.structure

function GroupOf({ value, onChange }: { value: string; onChange: (groupId: string) => void }) {
  const fleet = useStore(useRoot().live)?.fleet
  const structure = useFleet(structureOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups are others when the structure is
  const options = useMemo(
    () => [{ id: '', text: 'Every device' }, ...groupOptions(groupTree(fleet?.groups.list ?? []))],
    [fleet, structure],
  )
  return <Select label="Of which group" options={options} value={value} onChange={onChange} />
}
