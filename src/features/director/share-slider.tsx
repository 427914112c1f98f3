import { Label } from 'react-aria-components/Label'
import { Slider, SliderFill, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'

/** How many of the devices, per cent from 1 to 100. */
export function ShareSlider({ value, onChange }: { value: number; onChange: (percent: number) => void }) {
  return (
    <Slider
      minValue={1}
      maxValue={100}
      value={value}
      onChange={(moved) => onChange(moved as number)}
      formatOptions={{ style: 'unit', unit: 'percent', unitDisplay: 'short' }}
      className="pb-3"
    >
      <div className="flex items-baseline gap-2 text-dense">
        <Label className="flex-1 font-medium text-ink-soft">Share of the devices</Label>
        <SliderOutput className="tabular font-semibold">{`${value} %`}</SliderOutput>
      </div>
      <div className="px-2.5">
        <SliderTrack className="relative h-control">
          <div className="absolute top-1/2 h-1.5 w-full -translate-y-1/2 rounded-full bg-edge/40" />
          {/* its own style spans the track */}
          <SliderFill className="absolute top-1/2! h-1.5! -translate-y-1/2 rounded-full bg-accent" />
          <SliderThumb className="top-1/2 size-5 cursor-grab rounded-full bg-surface outline outline-2 -outline-offset-2 outline-accent before:absolute before:-inset-3 before:content-[''] data-dragging:cursor-grabbing data-dragging:bg-accent-soft data-focus-visible:outline-4 data-focus-visible:bg-accent-soft" />
        </SliderTrack>
      </div>
    </Slider>
  )
}
