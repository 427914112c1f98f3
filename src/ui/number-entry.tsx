import { useState } from 'react'
import { TextField } from './text-field.tsx'

export type NumberEntryProps = {
  label: string
  unit: string
  /** NaN where what stands there is no number */
  value: number
  onChange: (value: number) => void
  /** it is left */
  onBlur?: () => void
  message?: string | undefined
  isDisabled?: boolean
}

/** A number that is typed, with its unit. What is no number stays as it was typed, until it is put right. */
export function NumberEntry({
  label,
  unit,
  value,
  onChange,
  onBlur,
  message,
  isDisabled = false,
}: NumberEntryProps) {
  const [typed, setTyped] = useState(written(value))
  return (
    <TextField
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={Object.is(read(typed), value) ? typed : written(value)}
      onChange={(text) => {
        setTyped(text)
        onChange(read(text))
      }}
      onBlur={onBlur}
      message={message}
      isDisabled={isDisabled}
      trailing={<span className="pr-3 text-ink-faint">{unit}</span>}
    />
  )
}

const written = (value: number): string => (Number.isNaN(value) ? '' : String(value))

/** As people write: with a comma or a point, a hyphen or a minus. */
function read(text: string): number {
  const plain = text.trim().replace(',', '.').replace('\u2212', '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) + 0 : Number.NaN
}
