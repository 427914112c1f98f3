import { BellOff, Check } from 'lucide-react'
import type { Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import { clockTime } from '../../format/time.ts'
import { initialsOf } from './holder-words.ts'

type HolderProps = { incident: Incident; shelving: Shelving | undefined }

/** Who has it: shelved until, initials, or an empty ring for nobody. */
export function Holder({ incident: { holder, acknowledged }, shelving }: HolderProps) {
  if (shelving !== undefined) {
    const until = clockTime(shelving.until)
    return (
      <span
        title={`Shelved by ${shelving.userName} until ${until}: ${shelving.reason}`}
        className="tabular flex w-9 shrink-0 flex-col items-center text-dense text-ink-soft"
      >
        <BellOff size={14} aria-hidden />
        <span>
          <span className="sr-only">Shelved until </span>
          {until}
        </span>
      </span>
    )
  }
  if (holder === null)
    return (
      // an empty ring takes no room from a name
      <span className="flex w-9 shrink-0 justify-center @max-[360px]:sr-only">
        <span title="Nobody has it" className="size-7 rounded-full border border-line border-dashed">
          <span className="sr-only">Nobody has it</span>
        </span>
      </span>
    )
  const why = acknowledged?.reason || acknowledged?.comment
  return (
    <span className="flex w-9 shrink-0 justify-center">
      <span
        title={`${holder.userName} has it${why ? `: ${why}` : ''}`}
        className="relative flex size-7 items-center justify-center rounded-full bg-accent-soft font-semibold text-accent-strong text-dense"
      >
        <span aria-hidden>{initialsOf(holder.userName)}</span>
        <span className="sr-only">{`${holder.userName} has it${acknowledged ? ', acknowledged' : ''}`}</span>
        {acknowledged && (
          <Check size={12} aria-hidden className="-right-1 -bottom-1 absolute rounded-full bg-surface" />
        )}
      </span>
    </span>
  )
}
