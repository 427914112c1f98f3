import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { nullable, number } from 'superstruct'
import type { HistoryPreset, Range } from '#machines/history-search/history-search.machine.ts'
import { PRESETS, wholeMinute } from '#machines/rules/date-range.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { zoneName } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { Segments } from '../../ui/segments.tsx'

const OFFERED = (['hour', 'day', 'night', 'week'] as const).map((id) => ({ id, text: PRESETS[id] }))

export type SearchPanelProps = {
  /** the name of the device */
  device: string
  range: Range
  /** the span that is shown, where it is an offered one */
  preset: HistoryPreset | null
  onPreset: (preset: HistoryPreset) => void
  /** why the last search was refused */
  message: string | null
  onSearch: (range: Range) => void
}

/** Of which device, from when to when: a span in one press, or start date, end date, Search. What is typed stays until it is searched for. */
export function SearchPanel({ device, range, preset, message, onPreset, onSearch }: SearchPanelProps) {
  const [from, setFrom] = useKeptState<number | null>('from', nullable(number()), range.from)
  const [to, setTo] = useKeptState<number | null>('to', nullable(number()), range.to)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ from: wholeMinute(from) ?? Number.NaN, to: wholeMinute(to) ?? Number.NaN })
  }
  return (
    <form aria-label="Search history" onSubmit={submit} className="flex flex-col">
      <div className="flex flex-wrap items-end gap-3">
        <dl className="w-full min-w-0 tablet:w-30">
          <dt className="pb-1 font-medium text-dense text-ink-soft">Device</dt>
          <dd title={device} className="flex items-center font-medium tablet:h-control">
            <span className="truncate">{device}</span>
          </dd>
        </dl>
        <div className="w-full tablet:w-64">
          <Segments label="Show" options={OFFERED} value={preset} onChange={onPreset} isRow />
        </div>
        <div className="w-full tablet:w-52">
          <DateTimeField label="Start date" value={from} onChange={setFrom} timeZone={zoneName} />
        </div>
        <div className="w-full tablet:w-52">
          <DateTimeField label="End date" value={to} onChange={setTo} timeZone={zoneName} />
        </div>
        <Button type="submit" kind="primary" className="w-full tablet:w-auto">
          <Search size={16} aria-hidden />
          Search
        </Button>
        <p role="alert" className="flex min-h-5 items-center text-dense text-error tablet:h-control">
          {message}
        </p>
      </div>
    </form>
  )
}
