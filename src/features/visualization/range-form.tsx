import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef } from 'react'
import type { TypedRange } from '#machines/rules/date-range.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { zoneName } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { DateRangeField } from '../../ui/date-range-field.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { KeptRange } from './kept-range.ts'

export type RangeFormProps = {
  range: TypedRange
  faults: readonly Fault[]
  onFilter: (range: TypedRange) => void
}

/** Start and end date, and Filter. */
export function RangeForm({ range: first, faults, onFilter }: RangeFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [range, setRange] = useKeptState<TypedRange>('range', KeptRange, first)
  const messageOf = (end: 'from' | 'to') => faults.find(({ path }) => path === end)?.message
  useEffect(() => {
    if (faults.length > 0) focusFirstWrong(form.current)
  }, [faults])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(range)
  }
  return (
    <form
      ref={form}
      aria-label="Filter Criteria"
      onSubmit={submit}
      className="grid gap-x-3 tablet:grid-cols-[14rem_14rem_auto] tablet:justify-start"
    >
      <DateRangeField
        range={range}
        onChange={setRange}
        timeZone={zoneName}
        labels={{ from: 'Start Date', to: 'End Date' }}
        messages={{ from: messageOf('from'), to: messageOf('to') }}
      />
      <Button
        type="submit"
        kind="primary"
        className="max-tablet:mb-4 tablet:col-start-3 tablet:row-start-1 tablet:mt-6"
      >
        <Search size={16} aria-hidden />
        Filter
      </Button>
    </form>
  )
}
