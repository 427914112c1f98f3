import { formatTemperature } from '../../../format/numbers.ts'
import { distanceFromBand, temperatureColour } from '../../../format/temperature-colour.ts'
import { useTheme } from '../../../ui/use-theme.ts'
import type { Device } from '../device.ts'

/** Beyond this share of the way to its end the scale is outside the limits. */
const OUTSIDE = 0.3

export type TemperatureProps = {
  device: Device
  /** it is no longer what is measured now: without colour */
  isFaded?: boolean
  className?: string
}

/** A temperature in the colour of its distance from the limits; plain ink while it is inside them. */
export function Temperature({ device, isFaded = false, className }: TemperatureProps) {
  const theme = useTheme()
  const { temperature, group } = device
  const isOutside =
    !isFaded &&
    temperature !== null &&
    group !== null &&
    Math.abs(distanceFromBand(temperature, group)) > OUTSIDE
  return (
    <span
      className={className}
      style={isOutside ? { color: temperatureColour(temperature, group, theme) } : undefined}
    >
      {formatTemperature(temperature)}
    </span>
  )
}
