import { Search } from 'lucide-react'
import { type FormEvent, useContext, useEffect, useRef } from 'react'
import { nullable, number, string } from 'superstruct'
import {
  DEFAULT_HOURS,
  MOST_HOURS,
  type ObservationField,
  type ObservationFilter,
} from '#machines/rules/observation-filter.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { zoneName } from '../../format/time.ts'
import { DeviceSelect } from '../../layout/device-select.tsx'
import { Button } from '../../ui/button.tsx'
import { ClockContext } from '../../ui/clock-context.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { Select } from '../../ui/select.tsx'

export type SearchFormProps = {
  faults: readonly Fault<ObservationField>[]
  isLoading: boolean
  /** what was searched for at first, where something was */
  begin: ObservationFilter | undefined
  onSearch: (filter: ObservationFilter) => void
}

const HOUR_MS = 3_600_000
const HOURS = Array.from({ length: MOST_HOURS }, (_, i) => ({
  id: `${i + 1}`,
  text: i === 0 ? '1 hour' : `${i + 1} hours`,
}))

/** Which device, from when, how many hours: the last twelve at first. The focus goes to what is missing. */
export function SearchForm({ faults, isLoading, begin, onSearch }: SearchFormProps) {
  const clock = useContext(ClockContext)
  const form = useRef<HTMLFormElement>(null)
  const [imei, setImei] = useKeptState('device', string(), begin?.imei ?? '')
  const [start, setStart] = useKeptState<number | null>(
    'start',
    nullable(number()),
    () => begin?.start ?? clock.now() - DEFAULT_HOURS * HOUR_MS,
  )
  const [hours, setHours] = useKeptState<string | null>(
    'hours',
    nullable(string()),
    `${begin?.hours ?? DEFAULT_HOURS}`,
  )
  const messageOf = (field: ObservationField) => faults.find(({ path }) => path === field)?.message
  useEffect(() => {
    if (faults.length > 0) focusFirstWrong(form.current)
  }, [faults])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch({ imei, start, hours: hours === null ? null : Number(hours) })
  }
  return (
    <form
      ref={form}
      aria-label="Search observations"
      aria-busy={isLoading}
      onSubmit={submit}
      className="grid gap-x-3 tablet:grid-cols-2 desk:grid-cols-[minmax(16rem,22rem)_14rem_10rem_auto] desk:justify-start"
    >
      <DeviceSelect label="Vehicle" value={imei} onChange={setImei} message={messageOf('device')} />
      <DateTimeField
        label="Start Date"
        value={start}
        onChange={setStart}
        timeZone={zoneName}
        latest={clock.now()}
        keepsLine
        message={messageOf('start')}
      />
      <Select
        label="Duration (Hours)"
        options={HOURS}
        value={hours}
        onChange={setHours}
        message={messageOf('hours')}
      />
      <Button type="submit" kind="primary" className="max-desk:mb-4 tablet:mt-6">
        <Search size={16} aria-hidden />
        Search
      </Button>
    </form>
  )
}
