import { Slider, SliderFill, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { figure } from '#machines/rules/figures.ts'
import { NumberEntry } from './number-entry.tsx'

/** NaN where what was typed is no number. */
export type Range = { low: number; high: number }

export type RangeSliderProps = {
  /** what the range is of: 'Temperature' */
  label: string
  unit: string
  min: number
  max: number
  /** of the arrow keys and the thumbs; typed values may be finer */
  step: number
  value: Range
  onChange: (range: Range) => void
  lowLabel: string
  highLabel: string
  /** what is wrong with either end */
  messages?: { low?: string | undefined; high?: string | undefined }
  isDisabled?: boolean
}

/** A range with two thumbs, and its two ends to be typed. */
export function RangeSlider(props: RangeSliderProps) {
  const { label, unit, min, max, step, value, onChange, lowLabel, highLabel } = props
  const { messages = {}, isDisabled = false } = props
  const thumbs = [shown(value.low, min, max), shown(value.high, min, max)].sort((a, b) => a - b)
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="sr-only">{label}</legend>
      <div className="px-2.5">
        <Slider
          aria-label={label}
          minValue={min}
          maxValue={max}
          step={step}
          value={thumbs}
          isDisabled={isDisabled}
          onChange={(moved) => onChange(afterMove(value, thumbs, moved, { min, step }))}
        >
          <SliderTrack className="relative h-control">
            <div className="absolute top-1/2 h-1.5 w-full -translate-y-1/2 rounded-full bg-edge/40" />
            {/* its own style spans the track */}
            <SliderFill className="absolute top-1/2! h-1.5! -translate-y-1/2 rounded-full bg-accent" />
            {[lowLabel, highLabel].map((name, index) => (
              <SliderThumb
                key={name}
                index={index}
                aria-label={name}
                className="top-1/2 size-5 cursor-grab rounded-full bg-surface outline outline-2 -outline-offset-2 outline-accent before:absolute before:-inset-3 before:content-[''] data-dragging:cursor-grabbing data-dragging:bg-accent-soft data-focus-visible:outline-4 data-focus-visible:bg-accent-soft"
              />
            ))}
          </SliderTrack>
        </Slider>
        <div aria-hidden className="tabular -mx-2.5 flex justify-between text-dense text-ink-faint">
          <span>{`${figure(min)} ${unit}`}</span>
          <span>{`${figure(max)} ${unit}`}</span>
        </div>
      </div>
      <div className="grid grid-cols-2 gap-4 pt-2">
        <NumberEntry
          label={lowLabel}
          unit={unit}
          value={value.low}
          onChange={(low) => onChange({ ...value, low })}
          message={messages.low}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label={highLabel}
          unit={unit}
          value={value.high}
          onChange={(high) => onChange({ ...value, high })}
          message={messages.high}
          isDisabled={isDisabled}
        />
      </div>
    </fieldset>
  )
}

/** Where a thumb stands: what is no number, or out of bounds, is at the nearest end. */
const shown = (value: number, min: number, max: number): number =>
  Number.isNaN(value) ? min : Math.max(min, Math.min(max, value))

/** The thumbs stand on steps; an end that was not moved keeps what was typed, finer than a step or not. */
function afterMove(
  before: Range,
  thumbs: readonly number[],
  moved: readonly number[],
  { min, step }: { min: number; step: number },
): Range {
  const isMoved = (index: number): boolean =>
    Math.abs((moved[index] as number) - onStep(thumbs[index] as number, min, step)) > step / 2
  return {
    low: isMoved(0) ? (moved[0] as number) : before.low,
    high: isMoved(1) ? (moved[1] as number) : before.high,
  }
}

const onStep = (value: number, min: number, step: number): number =>
  min + Math.round((value - min) / step) * step
