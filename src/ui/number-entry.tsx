import { useState } from 'react'
import { figure } from '#machines/rules/figures.ts'
import { onLeave } from './on-leave.ts'
import { TextField } from './text-field.tsx'

type Common = {
  label: string
  unit: string
  /** brings what was typed within bounds, once it is left or sent */
  putRight?: () => void
  message?: string | undefined
  /** shown while nothing is wrong */
  hint?: string | undefined
  isDisabled?: boolean
}

/** `isOptional`: it may be left empty, which is null; else empty is no number. NaN where what stands there is no number. */
export type NumberEntryProps = Common &
  (
    | { isOptional?: false; value: number; onChange: (value: number) => void }
    | { isOptional: true; value: number | null; onChange: (value: number | null) => void }
  )

/** A number that is typed, with its unit. What is no number stays as it was typed, until it is put right. */
export function NumberEntry(props: NumberEntryProps) {
  const { label, unit, value, putRight, message, hint, isDisabled = false } = props
  const [typed, setTyped] = useState(written(value))
  const now = props.isOptional && typed.trim() === '' ? null : read(typed)
  return (
    <TextField
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={Object.is(now, value) ? typed : written(value)}
      onChange={(text) => {
        setTyped(text)
        if (props.isOptional) props.onChange(text.trim() === '' ? null : read(text))
        else props.onChange(read(text))
      }}
      {...(putRight && onLeave(putRight))}
      message={message}
      {...(hint !== undefined && { hint })}
      isDisabled={isDisabled}
      trailing={<span className="pr-3 text-ink-faint">{unit}</span>}
    />
  )
}

const written = (value: number | null): string => (value === null || Number.isNaN(value) ? '' : figure(value))

/** As people write: with a comma or a point, a hyphen or a minus. */
function read(text: string): number {
  const plain = text.trim().replace(',', '.').replace('\u2212', '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) + 0 : Number.NaN
}
