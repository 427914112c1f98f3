import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import { isWellInside, type Limits, type Quantity } from '#machines/rules/limits.ts'
import * as sensor from '#machines/sensor/fold.ts'
import * as violation from '#machines/violation/fold.ts'
import type { ViolationEmitted } from '#machines/violation/violation.machine.ts'
import type { LimitsTable } from './limits.ts'
import { violationIdOf } from './rule-state.ts'

/** The part of the past that is evaluated: readings of [from, to), epoch ms, of all there are. */
export type PastSpan = {
  from: number
  to: number
  /** whether nothing is known before it, and whether nothing of the past comes after it */
  isOldest: boolean
  isNewest: boolean
  /** how far apart readings of the past are, ms: that is no silence */
  spacing: number
}

type Opened = Extract<ViolationEmitted, { type: 'violation.opened' }>
type Cleared = Extract<ViolationEmitted, { type: 'violation.cleared' }>

/** A quantity of some devices, by their place among them. */
type Course = {
  quantity: Quantity
  violations: violation.ViolationColumns
  sensors: sensor.SensorColumns
  opened: (Opened | undefined)[]
  /** before and after these a reading belongs to another span */
  isBegun: Uint8Array
  isEnded: Uint8Array
}

/**
 * Evaluates a span of the past of some devices, so that the spans may be evaluated in any order: a reading well inside the
 * limits leaves a device inside whatever was before. So from the first such reading on everything is known, and what is
 * before it in a span belongs to the span before, whose devices are followed until then.
 */
export class WarmUpState {
  private readonly rows: Map<number, number>
  private readonly found: NewFact[] = []
  private readonly courses: [Course, Course]
  private readonly table: LimitsTable
  private readonly span: PastSpan

  constructor(devices: Uint32Array, table: LimitsTable, span: PastSpan) {
    this.table = table
    this.span = span
    this.rows = new Map(Array.from(devices, (no, row) => [no, row]))
    const course = (quantity: Quantity): Course => ({
      quantity,
      violations: violation.createViolationColumns(quantity, devices.length),
      sensors: sensor.createSensorColumns(devices.length),
      opened: [],
      isBegun: new Uint8Array(devices.length).fill(span.isOldest ? 1 : 0),
      isEnded: new Uint8Array(devices.length),
    })
    this.courses = [course('temperature'), course('humidity')]
  }

  /** Readings of one device, ascending, later than those given before. */
  take(no: number, readings: ReadingColumns): void {
    const row = this.rows.get(no)
    const deviceLimits = this.table.devices[no]
    if (row === undefined || deviceLimits === undefined) return
    for (const course of this.courses) {
      const { gap, ...limits } = deviceLimits[course.quantity]
      this.follow(course, row, no, readings, { ...limits, gap: Math.max(gap, this.span.spacing) })
    }
  }

  /** Whether all that is to come is another span's. */
  isThrough(): boolean {
    return this.span.isNewest || this.courses.every(({ isEnded }) => !isEnded.includes(0))
  }

  /** Numbers of the devices that are beyond a limit after the last reading. */
  beyond(): number[] {
    return [...this.rows]
      .filter(([, row]) =>
        this.courses.some(({ violations }) => violations.place[row] !== violation.PLACE.inside),
      )
      .map(([no]) => no)
  }

  /** Violations that opened and ended, by device, in the order they opened. */
  facts(): NewFact[] {
    return this.found.sort((a, b) => a.at - b.at)
  }

  private follow(course: Course, row: number, no: number, readings: ReadingColumns, limits: Limits): void {
    const { quantity, isBegun, isEnded, sensors, violations } = course
    const emit = (_: number, change: ViolationEmitted): void => this.hear(course, row, no, change)
    for (let i = 0; i < readings.length && isEnded[row] === 0; i++) {
      const at = readings.at[i] as number
      const value = toUnits(quantity, readings[quantity][i] as number)
      const isCalm = value !== undefined && isWellInside(value, limits)
      if (isBegun[row] === 0 && !isCalm) continue
      isBegun[row] = 1
      const before = sensors.place[row]
      sensor.foldReading(sensors, row, at, value !== undefined, limits.gap, nothing)
      if (value !== undefined) {
        const lat = toUnits('lat', readings.lat[i] as number) ?? Number.NaN
        const lng = toUnits('lng', readings.lng[i] as number) ?? Number.NaN
        violation.foldReading(violations, row, at, value, lat, lng, limits, emit)
      } else if (before !== sensor.PLACE.unplugged && sensors.place[row] === sensor.PLACE.unplugged)
        violation.foldUnplugged(violations, row, at, emit)
      if (isCalm && at >= this.span.to) isEnded[row] = 1
    }
  }

  private hear({ opened }: Course, row: number, no: number, change: ViolationEmitted): void {
    if (change.type === 'violation.opened') opened[row] = change
    else {
      const first = opened[row]
      opened[row] = undefined
      if (first) this.found.push(foundFact(this.table, no, first, change))
    }
  }
}

function foundFact(table: LimitsTable, no: number, opened: Opened, cleared: Cleared): NewFact {
  const imei = table.imeis[no] as string
  const { readings: _, ...beginning } = opened.data
  const { worst, durationSeconds, reason } = cleared.data
  const data: FactData<'violation.found'> = {
    ...beginning,
    violationId: violationIdOf(imei, opened.data.type, opened.data.since),
    imei,
    worst,
    clearedAt: cleared.at,
    durationSeconds,
    reason,
  }
  return { type: 'violation.found', at: opened.at, companyId: table.companyIds[no] ?? null, data }
}

const nothing = (): void => {}
