import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { nullable, number } from 'superstruct'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { zoneName } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'

export type SearchPanelProps = {
  range: Range
  /** why the last search was refused */
  message: string | null
  isLoading: boolean
  onSearch: (range: Range) => void
}

/** From when to when: start date, end date, Search. What is typed stays until it is searched for. */
export function SearchPanel({ range, message, isLoading, onSearch }: SearchPanelProps) {
  const [from, setFrom] = useKeptState<number | null>('from', nullable(number()), range.from)
  const [to, setTo] = useKeptState<number | null>('to', nullable(number()), range.to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isLoading) onSearch({ from: from ?? Number.NaN, to: to ?? Number.NaN })
  }
  return (
    <form aria-label="Search history" onSubmit={submit} className="flex flex-col">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-full tablet:w-56">
          <DateTimeField label="Start date" value={from} onChange={setFrom} timeZone={zoneName} />
        </div>
        <div className="w-full tablet:w-56">
          <DateTimeField label="End date" value={to} onChange={setTo} timeZone={zoneName} />
        </div>
        <Button type="submit" kind="primary" isPending={isLoading} className="w-full tablet:w-auto">
          <Search size={16} aria-hidden />
          Search
        </Button>
        <p role="alert" className="flex min-h-5 items-center text-dense text-hot tablet:h-control">
          {message}
        </p>
      </div>
    </form>
  )
}
