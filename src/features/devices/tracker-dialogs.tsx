import { useState } from 'react'
import type { DeviceRecord } from '#machines/contracts/entities/device-records.ts'
import { isImei } from '../../actors/device-forms.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
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
    <Dialog
      title="Replace Tracker"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isBusy}
      actions={
        <>
          <Button kind="quiet" isDisabled={isBusy} onPress={onClose}>
            Cancel
          </Button>
          <Button kind="primary" isDisabled={isBusy} isPending={isBusy} onPress={submit}>
            Replace
          </Button>
        </>
      }
    >
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
    </Dialog>
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
    <Dialog
      title="Retire Device?"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isBusy}
      actions={
        <>
          <Button kind="quiet" isDisabled={isBusy} onPress={onClose}>
            Cancel
          </Button>
          <Button
            kind="danger"
            isDisabled={isBusy}
            isPending={isBusy}
            onPress={() => void run(() => onRetire(reason.trim()))}
          >
            Retire
          </Button>
        </>
      }
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
    </Dialog>
  )
}
