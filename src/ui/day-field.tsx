import { TextField, type TextFieldProps } from './text-field.tsx'

export type DayFieldProps = Omit<
  TextFieldProps,
  'type' | 'value' | 'onChange' | 'onInput' | 'onKeyUp' | 'onBlur'
> & {
  /** `2026-11-26`; '' for none */
  value: string
  onChange: (value: string) => void
}

/** Stands for what is half typed, or for a day there is not: the browser has an empty text for it, as for none. */
const NO_DAY = 'no day'

/** A day. What is typed and is no day yet is told as what no check takes for one, and stays as it was typed. */
export function DayField({ value, onChange, ...field }: DayFieldProps) {
  // the browser tells no change while a day is typed into an empty field: each key and the end of it are looked at too
  const look = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    const now = currentTarget.validity.badInput ? NO_DAY : currentTarget.value
    if (now !== value) onChange(now)
  }
  return (
    <TextField
      {...field}
      type="date"
      value={value === NO_DAY ? '' : value}
      onInput={look}
      onKeyUp={look}
      onBlur={look}
    />
  )
}
