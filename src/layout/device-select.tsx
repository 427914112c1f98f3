import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { OptionList } from '../ui/option-list.tsx'
import { PickerButton, PickerField } from '../ui/picker-button.tsx'
import { PopUp } from '../ui/pop-up.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { useActiveOption } from '../ui/use-active-option.ts'
import { useDevices } from './device-options.ts'

export type DeviceSelectProps = {
  label: string
  /** imei of the one chosen; '' where none is */
  value: string
  onChange: (imei: string) => void
  message?: string | undefined
}

/** One of the visitor's devices, searched by name, plate number or IMEI; of 100,000 only those in view exist. */
export function DeviceSelect({ label, value, onChange, message }: DeviceSelectProps) {
  const { fleet } = useDevices()
  const row = value === '' ? -1 : fleet.names.rowOf(value)
  const name = [fleet.names.of(row, 'name'), fleet.names.of(row, 'plate')].filter(Boolean).join(' · ')
  return (
    <PickerField label={label} message={message}>
      <PopUp
        label={label}
        placement="bottom start"
        className="w-84 min-w-(--trigger-width)"
        button={
          <PickerButton
            label={label}
            summary={row < 0 ? value || 'Select a device' : name}
            isDisabled={fleet.seq === undefined}
            isField
            message={message}
          />
        }
      >
        {({ close }) => (
          <DeviceChoices
            label={label}
            value={value}
            onPick={(imei) => {
              onChange(imei)
              close()
            }}
          />
        )}
      </PopUp>
    </PickerField>
  )
}

type ChoicesProps = Pick<DeviceSelectProps, 'label' | 'value'> & { onPick: (imei: string) => void }

/** The list one chooses from, with its search. */
export function DeviceChoices({ label, value, onPick }: ChoicesProps) {
  const { find } = useDevices()
  const [query, setQuery] = useState('')
  const options = useMemo(() => find(query), [find, query])
  const pick = (index: number): void => onPick(options.at(index).id)
  const active = useActiveOption(options.length, pick)
  return (
    <>
      <SearchInput
        aria-label="Search devices"
        placeholder="Search name, plate or IMEI"
        value={query}
        onChange={(text) => {
          setQuery(text)
          active.setIndex(0)
        }}
        active={active}
        autoFocus
      />
      {options.length === 0 ? (
        <p className="border-line border-t p-4 text-ink-soft">No devices match</p>
      ) : (
        <OptionList
          aria-label={label}
          options={options}
          active={active}
          isSelected={({ id }) => id === value}
          isSingle
          onPick={pick}
          className="h-72 max-h-[50vh] border-line border-t py-1"
          render={({ id, text, detail }) => (
            <>
              <span className="min-w-0 flex-1 truncate">{text}</span>
              <span className="max-w-1/2 shrink-0 truncate text-dense text-ink-faint">{detail}</span>
              {id === value && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
            </>
          )}
        />
      )}
    </>
  )
}
