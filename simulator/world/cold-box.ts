/**
 * The heat balance of a cold box. Between two changes (a door, the compressor, the hour's outside air) it is linear, so its course is
 * an exponential towards where it would settle: T(t) = settles + (T0 − settles) · e^(−t/τ), with τ = thermal mass / losses
 * (Newton's law of cooling). Nothing is integrated, so nothing depends on the size of a step.
 */
import type { ThermalProfile } from '#machines/contracts/scenario.ts'

/** Towards which values air temperature (°C) and humidity (%) go, and how fast (time constants, ms). */
export type Regime = {
  temperature: number
  tau: number
  humidity: number
  humidityTau: number
  /** whether the thermostat is in control: then the temperature ripples around where it settles */
  controlled: boolean
  /** share of a cycle in which the compressor runs */
  dutyCycle: number
}

/** What acts on a box. `weakness`, `offset`: K by which a weak unit stays above, or a wrong set-point lies below, what it should be. */
export type Load = {
  setPoint: number
  humidity: number
  outside: number
  outsideHumidity: number
  doorOpen: boolean
  compressorOff: boolean
  defrosting: boolean
  weakness: number
  offset: number
}

const MINUTE = 60_000
/** A thermostat's pull-down slows near the set-point as if the box were this many K away. */
const PULL_DOWN_SPAN = 10
/** °C outside from which on a condenser gets rid of less heat. */
const HOT = 35

export function regimeOf(box: ThermalProfile, load: Load): Regime {
  const { setPoint, outside, outsideHumidity } = load
  const mass = box.thermalMass * 1e6 // kJ/K → J/K, s → ms
  const leak = box.insulation + (load.doorOpen ? box.doorLoss : 0)
  const power = box.compressorPower * Math.max(0.05, 1 - (box.heatLoss ?? 0) * Math.max(0, outside - HOT))
  const leaking = box.insulation * (outside - setPoint)
  const dutyCycle = Math.max(0.06, Math.min(0.95, leaking / power))
  const pullDown = (mass * PULL_DOWN_SPAN) / (power * (1 - dutyCycle))

  // warm outside air brings its water: the colder the box, the nearer to saturation
  const wet = Math.max(40, Math.min(97, outsideHumidity + 0.75 * (outside - setPoint)))
  if (load.doorOpen)
    return {
      temperature: outside,
      tau: mass / leak,
      humidity: wet,
      humidityTau: 7 * MINUTE,
      controlled: false,
      dutyCycle,
    }
  if (load.compressorOff)
    return {
      temperature: outside,
      tau: mass / leak,
      humidity: Math.min(96, load.humidity + 12),
      humidityTau: 45 * MINUTE,
      controlled: false,
      dutyCycle,
    }
  if (load.defrosting)
    return {
      temperature: setPoint + 6,
      tau: 2.2 * pullDown + 6 * MINUTE,
      humidity: load.humidity + 7,
      humidityTau: 12 * MINUTE,
      controlled: false,
      dutyCycle,
    }
  // more comes in than it can take out: it runs without a rest, and the box settles where both are even
  const settled = Math.max(setPoint + 0.3 * dutyCycle, outside - power / box.insulation)
  if (load.weakness > 0)
    return {
      temperature: settled + load.weakness,
      tau: 0.8 * (mass / leak),
      humidity: load.humidity + 5,
      humidityTau: 30 * MINUTE,
      controlled: true,
      dutyCycle: 0.95,
    }
  return {
    temperature: settled - load.offset,
    tau: leaking > power ? mass / leak : load.offset > 0 ? 3 * pullDown : pullDown,
    humidity: load.humidity,
    humidityTau: 14 * MINUTE,
    controlled: true,
    dutyCycle,
  }
}

/** The thermostat's saw tooth, −1 to 1: down while the compressor runs (the first `dutyCycle` of a cycle), up while it rests. */
export function ripple(cyclePart: number, dutyCycle: number): number {
  return cyclePart < dutyCycle
    ? 1 - (2 * cyclePart) / dutyCycle
    : (2 * (cyclePart - dutyCycle)) / (1 - dutyCycle) - 1
}
