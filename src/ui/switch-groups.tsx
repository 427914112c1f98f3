import { useId } from 'react'
import { Switch } from './switch.tsx'

export type SwitchGroupsProps<K extends string> = {
  groups: readonly {
    title: string
    /** why nothing comes of them, said above its switches */
    without?: string
    settings: readonly { id: K; label: string }[]
  }[]
  isOn: (id: K) => boolean
  onChange: (id: K, isOn: boolean) => void
  isDisabled?: boolean
}

/** Many switches, in named groups beside each other where there is room. */
export function SwitchGroups<K extends string>({
  groups,
  isOn,
  onChange,
  isDisabled = false,
}: SwitchGroupsProps<K>) {
  const whyId = useId()
  return (
    <div className="gap-x-10 tablet:columns-2">
      {groups.map(({ title, without, settings }) => (
        <fieldset
          key={title}
          aria-describedby={without === undefined ? undefined : `${whyId} ${title}`.replaceAll(' ', '-')}
          className="min-w-0 break-inside-avoid pb-4"
        >
          <legend className="pb-1 font-medium text-dense text-ink-soft">{title}</legend>
          {without !== undefined && (
            <p id={`${whyId} ${title}`.replaceAll(' ', '-')} className="pb-1 text-dense text-ink-faint">
              {without}
            </p>
          )}
          {settings.map(({ id, label }) => (
            <Switch
              key={id}
              label={label}
              isOn={isOn(id)}
              onChange={(on) => onChange(id, on)}
              isDisabled={isDisabled}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
