import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DeviceBudget } from '#machines/contracts/entities/loads.ts'
import { useLoadActions } from '../../actors/loads.ts'
import { useProfiles } from '../../actors/profiles.ts'
import { useRoot } from '../../actors/use-root.ts'
import { zoneName } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'

export type OpenLoadDialogProps = {
  imei: string
  /** of the device */
  name: string
  /** of the device or its group; null: it has none */
  profile: DeviceBudget['profile']
  onClose: () => void
}

const WHEN = [
  { id: 'now', text: 'Now' },
  { id: 'earlier', text: 'Earlier' },
] as const
const LONGEST = 200
/** Loads are opened since a time of the last 31 days, ms. */
const MOST_BACK = 31 * 86_400_000

/** Goods are on a device from now on, or since: what they are called, and what they may be exposed to. */
export function OpenLoadDialog({ imei, name, profile, onClose }: OpenLoadDialogProps) {
  const { answer } = useProfiles()
  const options = (answer?.profiles ?? []).map((one) => ({ id: one.profileId, text: one.name }))
  const { form, isActing, ...load } = useLoadForm(imei, profile, onClose)
  const { profileId, when, now, messages } = load
  return (
    <Dialog
      title="Open a load"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isActing}
      closesBeside={false}
    >
      <form
        ref={form}
        noValidate
        onSubmit={(event) => void load.submit(event)}
        className="flex flex-col gap-1"
      >
        <p className="pb-2 text-ink-soft">{`What ${name} carries, from when it is on to when it is off.`}</p>
        <TextField
          label="Reference"
          value={load.reference}
          onChange={load.setReference}
          message={messages.reference}
          hint="A consignment, an order or a batch"
          autoComplete="off"
          autoFocus
          isDisabled={isActing}
        />
        <Select
          label="Profile"
          options={options}
          value={profileId}
          onChange={load.setProfileId}
          placeholder={answer === undefined ? 'Loading…' : 'Select a profile'}
          message={messages.profile}
          hint={
            profile === null
              ? 'Neither the device nor its group was given one'
              : profileId === profile.profileId
                ? `As ${profile.from ?? 'this device'} has it`
                : 'For this load alone'
          }
          isDisabled={isActing}
        />
        <Segments label="On the device since" options={WHEN} value={when} onChange={load.setWhen} />
        {when === 'earlier' && (
          <DateTimeField
            label="Since"
            value={load.since}
            onChange={load.setSince}
            timeZone={zoneName}
            earliest={now - MOST_BACK}
            latest={now}
            message={messages.since}
            keepsLine
            isDisabled={isActing}
          />
        )}
        <div className="flex justify-end gap-2 pt-4">
          <Button kind="quiet" isDisabled={isActing} onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" isPending={isActing}>
            Open
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** What is typed and chosen of a load; what is wrong with it is said from the first try on. */
function useLoadForm(imei: string, profile: OpenLoadDialogProps['profile'], onOpened: () => void) {
  const { clock } = useRoot()
  const { open, isActing } = useLoadActions()
  const [reference, setReference] = useState('')
  const [profileId, setProfileId] = useState<string | null>(profile?.profileId ?? null)
  const [when, setWhen] = useState<When>('now')
  const [since, setSince] = useState<number | null>(null)
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) focusFirstWrong(form.current)
  }, [tries])
  const now = clock.now()
  const faults = {
    reference: faultOfReference(reference),
    profile: profileId === null ? 'Select a profile' : undefined,
    since: when === 'now' ? undefined : faultOfSince(since, now),
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setTries(tries + 1)
    if (Object.values(faults).some((fault) => fault !== undefined)) return
    const load = await open({
      imei,
      reference: reference.trim(),
      // the one that is shown, whatever is given to the device meanwhile
      ...(profileId !== null && { profileId }),
      ...(when === 'earlier' && since !== null && { since }),
    })
    if (load) onOpened()
  }

  return {
    form,
    isActing,
    submit,
    now,
    messages: tries > 0 ? faults : NONE,
    ...{ reference, setReference, profileId, setProfileId, when, setWhen, since, setSince },
  }
}

type When = (typeof WHEN)[number]['id']

type Faults = { reference: string | undefined; profile: string | undefined; since: string | undefined }
const NONE: Faults = { reference: undefined, profile: undefined, since: undefined }

function faultOfReference(reference: string): string | undefined {
  if (reference.trim() === '') return 'This field is required'
  return reference.length > LONGEST ? `At most ${LONGEST} characters` : undefined
}

function faultOfSince(since: number | null, now: number): string | undefined {
  if (since === null) return 'Say since when'
  if (since > now) return 'It is not that late yet'
  return since < now - MOST_BACK ? 'At most 31 days ago' : undefined
}
