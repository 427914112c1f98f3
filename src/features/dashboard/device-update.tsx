import { useActor } from '@xstate/react'
import { useEffect, useMemo, useState } from 'react'
import { nullable, object, string } from 'superstruct'
import { deviceUpdateIn } from '../../actors/device-update-actor.ts'
import { inspect } from '../../actors/inspection.ts'
import { useDraft } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { groupOptions, groupTree } from '../../layout/group-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { deviceAt } from './device.ts'

export type DeviceUpdateProps = { fleet: Fleet; imei: string; onClose: () => void }

const DRAFT = 'device fields'
const Fields = object({ name: string(), groupId: nullable(string()) })
/** with what was there when the window opened, so that what was not touched is known still */
const Typed = object({ before: Fields, now: Fields })

/** The 'Device Update' window: a device's name and its group. */
export default function DeviceUpdate({ fleet, imei, onClose }: DeviceUpdateProps) {
  const root = useRoot()
  const machine = useMemo(() => deviceUpdateIn(root), [root])
  const [typed] = useState(() => root.drafts.kept(DRAFT, Typed))
  const [device] = useState(() => deviceAt(fleet, fleet.names.rowOf(imei)))
  const [state, send] = useActor(machine, {
    input: {
      imei,
      ...(typed?.before ?? { name: device.name, groupId: device.group?.id ?? null }),
      now: typed?.now,
    },
    inspect,
  })
  const { before, now, messages, error } = state.context
  useDraft(DRAFT, () => ({ before, now }))
  const isSaving = state.matches('saving')
  const isDone = state.status === 'done'
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])
  const options = useMemo(() => groupOptions(groupTree(fleet.groups.list)), [fleet.groups.list])

  return (
    <Dialog
      title="Device Update"
      isOpen
      onOpenChange={(isOpen) => !isOpen && send({ type: 'close' })}
      isRequired={isSaving}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send({ type: 'save' })
        }}
        className="flex flex-col gap-1"
      >
        <TextField
          label="Device Name"
          value={now.name}
          onChange={(name) => send({ type: 'name.changed', name })}
          message={messages.name ?? undefined}
          isDisabled={isSaving}
          autoFocus
        />
        <Select
          label="Select Group"
          options={options}
          value={now.groupId}
          onChange={(groupId) => send({ type: 'group.changed', groupId })}
          message={messages.groupId ?? undefined}
          isDisabled={isSaving}
        />
        <p role="alert" className="min-h-5 text-dense text-error">
          {error}
        </p>
        <div className="flex justify-end gap-2">
          <Button kind="quiet" isDisabled={isSaving} onPress={() => send({ type: 'close' })}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" isPending={isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
