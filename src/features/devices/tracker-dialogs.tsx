import { useState } from 'react'
import type { DeviceRecord } from '#machines/contracts/entities/device-records.ts'
import { isImei } from '../../actors/device-forms.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { imeiHint } from './new-device.tsx'

/** Runs once at a time; `refused`: why the last try was. */
function useOnce(onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const run = async (work: () => Promise<string | undefined>) => {
    setBusy(true)
    setRefused(undefined)
    const reason = await work()
    setBusy(false)
    // the page may be the same, or ask first whether to leave
    if (reason === undefined) onClose()
    else setRefused(reason)
  }
  return { isBusy, refused, run, say: setRefused }
}

/** Asks for the IMEI of the other tracker. */
export function ReplaceDialog({
  device,
  onReplace,
  onClose,
}: {
  device: DeviceRecord
  onReplace: (imei: string) => Promise<string | undefined>
  onClose: () => void
}) {
  const { isBusy, refused, run, say } = useOnce(onClose)
  const [imei, setImei] = useState('')
  const submit = () => {
    if (!isImei(imei)) say('15 digits are expected')
    else if (imei === device.imei) say('This is the tracker it has')
    else void run(() => onReplace(imei))
  }
  return (
    <ActionDialog title="Replace Tracker" word="Replace" isActing={isBusy} onAct={submit} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="flex flex-col gap-3"
      >
        <p className="text-ink-soft">
          {`${device.name} keeps its history. What ${device.imei} sends from now on is refused.`}
        </p>
        <TextField
          label="IMEI of the new tracker"
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={imei}
          onChange={(text) => setImei(text.replaceAll(/[\s-]/g, ''))}
          message={refused}
          hint={imeiHint(imei)}
          isDisabled={isBusy}
        />
      </form>
    </ActionDialog>
  )
}

/** Asks whether a device is to be gone, and why. */
export function RetireDialog({
  device,
  onRetire,
  onClose,
}: {
  device: DeviceRecord
  onRetire: (reason: string) => Promise<string | undefined>
  onClose: () => void
}) {
  const { isBusy, refused, run } = useOnce(onClose)
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title="Retire Device?"
      word="Retire"
      isDanger
      isActing={isBusy}
      onAct={() => run(() => onRetire(reason.trim()))}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-soft">
          {`${device.name} goes from lists, map and counts, and its readings are refused. What it did stays, on its page. This cannot be taken back.`}
        </p>
        <TextField
          label="Reason"
          autoComplete="off"
          maxLength={500}
          value={reason}
          onChange={setReason}
          message={refused}
          hint="Kept in its history; may be empty"
          isDisabled={isBusy}
        />
      </div>
    </ActionDialog>
  )
}
