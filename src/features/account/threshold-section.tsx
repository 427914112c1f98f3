import { DEFAULT_BOUNDS } from '#machines/contracts/entities/groups.ts'
import { type Quantity, useBandForm } from '../../actors/group-forms.ts'
import { formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { RangeSlider } from '../../ui/range-slider.tsx'

const UNITS = { Temperature: '°C', Humidity: '%' } as const
const STEPS = { Temperature: 0.5, Humidity: 1 } as const
const FORMATS = { Temperature: formatTemperature, Humidity: formatHumidity } as const

/** The band of temperature or humidity outside of which a reading is a violation. */
export function ThresholdSection({ groupId, quantity }: { groupId: string; quantity: Quantity }) {
  const form = useBandForm(groupId, quantity)
  const [isOpen, setOpen] = useUnfolded(`account ${quantity}`, true)
  const [low, high] = [`low${quantity}Threshold`, `high${quantity}Threshold`] as const
  const { entity } = form
  const bounds = entity ?? DEFAULT_BOUNDS
  const band = entity && `${FORMATS[quantity](entity[low])} to ${FORMATS[quantity](entity[high])}`
  return (
    <Disclosure title={`${quantity} Threshold`} summary={band} isOpen={isOpen} onOpenChange={setOpen}>
      <RecordFormView
        form={form}
        noun="thresholds"
        labelOf={(field) => (field === low ? 'Low' : 'High')}
        show={(_, value) => FORMATS[quantity](Number(value))}
        hasNoCancel
      >
        {({ fields, messages, edit, isDisabled }) => (
          <div>
            <p className="pb-2 text-ink-soft">
              A reading below or above is a violation, from the moment you save. Groups below have thresholds
              of their own.
            </p>
            <RangeSlider
              label={`${quantity} Threshold`}
              unit={UNITS[quantity]}
              min={bounds[quantity === 'Temperature' ? 'tmin' : 'hmin']}
              max={bounds[quantity === 'Temperature' ? 'tmax' : 'hmax']}
              step={STEPS[quantity]}
              value={{ low: fields[low] ?? 0, high: fields[high] ?? 0 }}
              onChange={(range) => edit({ [low]: range.low, [high]: range.high })}
              lowLabel="Low"
              highLabel="High"
              messages={{ low: messages[low], high: messages[high] }}
              isDisabled={isDisabled}
            />
          </div>
        )}
      </RecordFormView>
    </Disclosure>
  )
}
