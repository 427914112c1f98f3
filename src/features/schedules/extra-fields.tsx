import { timeOfDay } from '#machines/rules/parts-of-days.ts'
import { DEFAULT_MIN_DISTANCE } from '#machines/rules/report-interval.ts'
import { extraFieldsOf } from '#machines/rules/schedule-form.ts'
import { clampedSpeed, SPEED } from '#machines/rules/speed-limit.ts'
import { NoFences } from '../../layout/no-fences.tsx'
import { NumberEntry } from '../../ui/number-entry.tsx'
import { onLeave } from '../../ui/on-leave.ts'
import { TextField } from '../../ui/text-field.tsx'
import type { FieldsProps } from './schedule-fields.tsx'

/** What some report types ask for besides: fences, a speed, the part of the day and a distance. */
export function ExtraFields({ form: { fields, fill, messageOf }, isDisabled }: FieldsProps) {
  const extra = extraFieldsOf(fields.reportTypes)
  if (extra.size === 0) return null
  return (
    <fieldset className="grid gap-x-4 gap-y-1 tablet:grid-cols-2">
      <legend className="sr-only">Of these report types</legend>
      {FENCES.map(
        ({ field, label }) =>
          extra.has(field) && (
            <NoFences key={field} label={label} about={NONE_YET} message={messageOf(field)} />
          ),
      )}
      {TIMES.map(
        ({ field, label, hint }) =>
          extra.has(field) && (
            <TextField
              key={field}
              label={label}
              hint={hint}
              inputMode="numeric"
              autoComplete="off"
              placeholder="HH:mm"
              value={fields[field] ?? ''}
              onChange={(time) => fill({ [field]: time })}
              {...onLeave(() => fill({ [field]: timeOfDay(fields[field] ?? '') }))}
              message={messageOf(field)}
              isDisabled={isDisabled}
            />
          ),
      )}
      {extra.has('speed') && (
        <NumberEntry
          label="Speed limit"
          unit="km/h"
          value={fields.speed ?? SPEED.standard}
          onChange={(speed) => fill({ speed })}
          putRight={() => fill({ speed: clampedSpeed(fields.speed ?? SPEED.standard) })}
          message={messageOf('speed')}
          isDisabled={isDisabled}
        />
      )}
      {extra.has('vehicleTravelDistance') && (
        <NumberEntry
          label="Min distance travelled"
          unit="KM"
          value={fields.vehicleTravelDistance ?? DEFAULT_MIN_DISTANCE}
          onChange={(vehicleTravelDistance) => fill({ vehicleTravelDistance })}
          message={messageOf('vehicleTravelDistance')}
          isDisabled={isDisabled}
        />
      )}
    </fieldset>
  )
}

const NONE_YET = 'Your company has no fences yet, so this report cannot be scheduled.'

const FENCES = [
  { field: 'sourceGeofenceId', label: 'Source geofence' },
  { field: 'destinationGeofenceId', label: 'Destination geofence' },
  { field: 'performanceGeoFence', label: 'Geofences' },
  { field: 'performanceRouteFence', label: 'Route fences' },
] as const

const TIMES = [
  { field: 'startTime', label: 'Start time', hint: 'Of each day, in the time of your company' },
  { field: 'endTime', label: 'End time', hint: '00:00 is midnight, when the day ends' },
] as const
