import { timeOfDay } from '#machines/rules/parts-of-days.ts'
import { extraFieldsOf } from '#machines/rules/schedule-form.ts'
import { clampedSpeed } from '#machines/rules/speed-limit.ts'
import { NoFences } from '../../layout/no-fences.tsx'
import { NumberEntry } from '../../ui/number-entry.tsx'
import { onLeave } from '../../ui/on-leave.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { Inside } from './schedule-fields.tsx'
import { LABELS } from './schedule-words.ts'

/** What some report types ask for besides: fences, a speed, the part of the day and a distance. */
export function ExtraFields({ form: { fields, edit, messages, isDisabled } }: { form: Inside }) {
  const extra = extraFieldsOf(fields.reportTypes)
  if (extra.size === 0) return null
  return (
    <fieldset className="grid gap-x-4 gap-y-1 tablet:grid-cols-2">
      <legend className="sr-only">Of these report types</legend>
      {FENCES.map(
        (field) =>
          extra.has(field) && (
            <NoFences key={field} label={LABELS[field]} about={NONE_YET} message={messages[field]} />
          ),
      )}
      {TIMES.map(
        ({ field, hint }) =>
          extra.has(field) && (
            <TextField
              key={field}
              label={LABELS[field]}
              hint={hint}
              inputMode="numeric"
              autoComplete="off"
              placeholder="HH:mm"
              value={fields[field]}
              onChange={(time) => edit({ [field]: time })}
              {...onLeave(() => edit({ [field]: timeOfDay(fields[field]) }))}
              message={messages[field]}
              isDisabled={isDisabled}
            />
          ),
      )}
      {extra.has('speed') && (
        <NumberEntry
          label={LABELS.speed}
          unit="km/h"
          value={fields.speed}
          onChange={(speed) => edit({ speed })}
          putRight={() => edit({ speed: clampedSpeed(fields.speed) })}
          message={messages.speed}
          isDisabled={isDisabled}
        />
      )}
      {extra.has('vehicleTravelDistance') && (
        <NumberEntry
          label={LABELS.vehicleTravelDistance}
          unit="KM"
          value={fields.vehicleTravelDistance}
          onChange={(vehicleTravelDistance) => edit({ vehicleTravelDistance })}
          message={messages.vehicleTravelDistance}
          isDisabled={isDisabled}
        />
      )}
    </fieldset>
  )
}

const NONE_YET = 'Your company has no fences yet, so this report cannot be scheduled.'

const FENCES = [
  'sourceGeofenceId',
  'destinationGeofenceId',
  'performanceGeoFence',
  'performanceRouteFence',
] as const

const TIMES = [
  { field: 'startTime', hint: 'Of each day, in the time of your company' },
  { field: 'endTime', hint: '00:00 is midnight, when the day ends' },
] as const
