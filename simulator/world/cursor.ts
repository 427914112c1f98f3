/**
 * One device at one moment. A cursor moves forward cheaply and can be put anywhere: it starts from an anchor of its own (every 12 or
 * 24 hours) that is worked out from some hours before, by when the box has forgotten how it started. So the state at a moment is the
 * same whoever asks, in whatever steps.
 */
import type { Body } from './body.ts'
import { type Load, type Regime, regimeOf, ripple } from './cold-box.ts'
import { inForce, nextChange, TROUBLE, type Trouble, type TroubleMix } from './incidents.ts'
import { PHASE } from './itinerary.ts'
import { HOUR, type Weather } from './weather.ts'
import { Whereabouts } from './whereabouts.ts'

/** What all devices share. `injected`: faults of a device, by index. */
export type Surroundings = { weather: Weather; mix: TroubleMix; injected(index: number): Trouble[] }

/** How long the thermostat takes to find its cycle again. */
const SETTLING = 10 * 60_000
/** K from the set-point at which it no longer cycles. */
const CYCLING = 4

export class Cursor {
  readonly index: number
  readonly body: Body
  private readonly around: Surroundings

  /** all that may be wrong around now, and what is */
  troubles: Trouble[] = []
  bits = 0
  private bitsUntil = Number.NEGATIVE_INFINITY
  private troublesDay = Number.NaN

  /** what it is doing, and where */
  readonly way: Whereabouts

  private regime: Regime | undefined
  private since = Number.NEGATIVE_INFINITY
  private until = Number.NEGATIVE_INFINITY
  private anchorEnds = Number.NEGATIVE_INFINITY
  private temperature0 = 0
  private humidity0 = 0
  /** since when the thermostat is in control; NaN: it is not */
  private controlledSince = Number.NaN

  /** filled by `measure` */
  temperature = 0
  humidity = 0
  outside = 0
  private outsideHumidity = 0
  private hour = Number.NaN

  /** the device could not reach the network when last asked */
  keeping = false
  /** `from` of the trouble that froze the sensor, and the values it froze at */
  stuckFrom = Number.NaN
  stuckTemperature = 0
  stuckHumidity = 0

  constructor(index: number, body: Body, around: Surroundings) {
    this.index = index
    this.body = body
    this.around = around
    this.way = new Whereabouts(body)
  }

  /** Forward to `at`, or anywhere the first time. */
  move(at: number): void {
    if (at >= this.anchorEnds) this.anchor(at)
    while (at >= this.until) this.change(this.until)
    if (at >= this.bitsUntil) this.look(at)
    this.way.move(at)
  }

  /** Puts the cursor where nothing is known of it, so that the next move works it out. */
  lift(): void {
    this.anchorEnds = Number.NEGATIVE_INFINITY
    this.troublesDay = Number.NaN
    this.bitsUntil = Number.NEGATIVE_INFINITY
    this.way.lift()
  }

  /** Another cursor of the same device, to look elsewhere in time. */
  apart(): Cursor {
    return new Cursor(this.index, this.body, this.around)
  }

  /** A fault begins or ends at `at`, not yet reached: looks again from there. */
  disturb(at: number): void {
    this.troublesDay = Number.NaN
    this.bitsUntil = Math.min(this.bitsUntil, at)
    this.until = Math.min(this.until, at)
  }

  /** Air temperature and humidity at `at`, which the cursor has been moved to. */
  measure(at: number): void {
    const regime = this.regime as Regime
    const elapsed = at - this.since
    const fade = Math.exp(-elapsed / regime.tau)
    let temperature = regime.temperature + (this.temperature0 - regime.temperature) * fade
    let humidity =
      regime.humidity + (this.humidity0 - regime.humidity) * Math.exp(-elapsed / regime.humidityTau)
    if (regime.controlled) {
      const swing = this.swing(at, regime, temperature)
      temperature += swing
      humidity += swing * 2.2
    }
    this.temperature = temperature
    this.humidity = humidity
  }

  /** All that may be wrong on the day of `at`. */
  troublesAt(at: number): Trouble[] {
    const { mix } = this.around
    const day = mix.dayOf(at)
    if (day === this.troublesDay) return this.troubles
    const { key } = this.body
    const yesterday = mix.ofDay(key, day - 1)
    const today = mix.ofDay(key, day)
    const injected = this.around.injected(this.index)
    this.troubles = yesterday.length + injected.length === 0 ? today : [...yesterday, ...today, ...injected]
    this.troublesDay = day
    return this.troubles
  }

  /** Whether a door stands open, by plan or by trouble. */
  isDoorOpen(): boolean {
    return this.way.phase() === PHASE.doorOpen || (this.bits & TROUBLE['door-open']) !== 0
  }

  private swing(at: number, regime: Regime, temperature: number): number {
    const { body } = this
    const near = 1 - Math.abs(temperature - regime.temperature) / CYCLING
    if (near <= 0) return 0
    const settled = Math.min(1, (at - this.controlledSince) / SETTLING)
    const cycles = at / body.cycle + body.cyclePhase
    return 0.5 * body.box.band * settled * near * ripple(cycles - Math.floor(cycles), regime.dutyCycle)
  }

  /** Works out the state at the anchor before `at` from `spinUp` before it. */
  private anchor(at: number): void {
    const { anchorPeriod, anchorPhase, spinUp } = this.body
    const starts = Math.floor((at - anchorPhase) / anchorPeriod) * anchorPeriod + anchorPhase
    const first = starts - spinUp
    this.anchorEnds = starts + anchorPeriod
    this.bitsUntil = Number.NEGATIVE_INFINITY
    this.way.lift()
    this.controlledSince = Number.NaN
    this.regime = undefined
    this.hour = Number.NaN
    this.change(first)
    const regime = this.regime as unknown as Regime
    this.temperature0 = regime.temperature
    this.humidity0 = regime.humidity
    if (regime.controlled) this.controlledSince = first - SETTLING
  }

  /** Something changes at `at`: closes the exponential behind and opens the next. */
  private change(at: number): void {
    const before = this.regime
    if (before) {
      const elapsed = at - this.since
      this.temperature0 =
        before.temperature + (this.temperature0 - before.temperature) * Math.exp(-elapsed / before.tau)
      this.humidity0 =
        before.humidity + (this.humidity0 - before.humidity) * Math.exp(-elapsed / before.humidityTau)
    }
    if (at >= this.bitsUntil) this.look(at)
    this.way.move(at)
    const regime = regimeOf(this.body.box, this.load(at))
    if (before?.controlled && !regime.controlled) {
      const swing = this.swing(at, before, this.temperature0)
      this.temperature0 += swing
      this.humidity0 += swing * 2.2
    }
    if (!regime.controlled) this.controlledSince = Number.NaN
    else if (!before?.controlled) this.controlledSince = at
    this.regime = regime
    this.since = at
    this.until = Math.min(
      this.way.until,
      this.bitsUntil,
      (Math.floor(at / HOUR) + 1) * HOUR,
      this.nextDefrostEdge(at),
      this.anchorEnds,
    )
  }

  private load(at: number): Load {
    const { body, bits } = this
    const hour = Math.floor(at / HOUR)
    if (hour !== this.hour) {
      // once an hour, so that a fault in between changes nothing but its own effect
      const climate = this.way.climate(at)
      this.hour = hour
      this.outside = this.around.weather.temperature(climate, at)
      this.outsideHumidity = this.around.weather.humidity(climate, at)
    }
    const weak = (bits & TROUBLE['weak-compressor']) !== 0 ? this.saltOf(TROUBLE['weak-compressor'], at) : 0
    const low =
      (bits & TROUBLE['set-point-too-low']) !== 0 ? this.saltOf(TROUBLE['set-point-too-low'], at) : 0
    return {
      setPoint: body.setPoint,
      humidity: body.humidity,
      outside: this.outside,
      outsideHumidity: this.outsideHumidity,
      doorOpen: this.isDoorOpen(),
      compressorOff: (bits & TROUBLE['compressor-off']) !== 0,
      defrosting: this.isDefrosting(at),
      weakness: weak === 0 ? 0 : 5 + (6 * weak) / 0x1_0000_0000,
      offset: low === 0 ? 0 : 5 + (3 * low) / 0x1_0000_0000,
    }
  }

  private saltOf(bit: number, at: number): number {
    return this.troubles.find((t) => t.bit === bit && at >= t.from && at < t.until)?.salt ?? 1
  }

  private isDefrosting(at: number): boolean {
    const { defrostPeriod, defrostPhase, defrostLength } = this.body
    const part = at - defrostPhase - Math.floor((at - defrostPhase) / defrostPeriod) * defrostPeriod
    return part < defrostLength
  }

  private nextDefrostEdge(at: number): number {
    const { defrostPeriod, defrostPhase, defrostLength } = this.body
    const starts = Math.floor((at - defrostPhase) / defrostPeriod) * defrostPeriod + defrostPhase
    return at < starts + defrostLength ? starts + defrostLength : starts + defrostPeriod
  }

  /** Reads which troubles are in force at `at`, and until when that holds. */
  private look(at: number): void {
    const { mix } = this.around
    this.bits = inForce(this.troublesAt(at), at)
    this.bitsUntil = Math.min(nextChange(this.troubles, at), mix.dayStart(mix.dayOf(at) + 1))
  }
}
