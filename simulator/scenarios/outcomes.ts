/** Whether what a scenario says must have happened has happened, and if not, what has. */
import { statusOf, violationBit } from '#machines/contracts/device-state.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { toUnits } from '#machines/contracts/readings.ts'
import type { Outcome } from '#machines/contracts/scenario-script.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'
import { type Evidence, type Known, meantBy, named, type SeenLoad } from './evidence.ts'

type Of<E extends Outcome['expect']> = Extract<Outcome, { expect: E }>
/** `found`: what there was instead, of which devices; or, where it holds, what there was. */
export type Finding = { isMet: boolean; expected: string; found: string }

const MINUTE = 60_000

/** The minute of the scenario at which an outcome can be evaluated: not before, and where it is of a moment not after. */
export function dueMinute(outcome: Outcome): number {
  switch (outcome.expect) {
    case 'violation':
      return Math.max(
        ...[outcome.opensBetween, outcome.clearsBetween, outcome.knownBetween].map(
          (window) => window?.[1] ?? 0,
        ),
      )
    case 'status':
    case 'load':
      return outcome.atMinutes
    case 'readings':
    case 'asOf':
      return outcome.byMinutes
    default:
      return outcome.toMinutes
  }
}

/** @param evidence as of the minute the outcome is due */
export async function evaluateOutcome(outcome: Outcome, evidence: Evidence): Promise<Finding> {
  const devices = meantBy(outcome.of, evidence.devices)
  const expected = `${outcome.note === undefined ? '' : `${outcome.note}: `}${wordsOf(outcome)}`
  const finding =
    devices.length === 0
      ? { isMet: false, found: 'no such device at this size of the fleet' }
      : await findingOf(outcome, devices, evidence)
  return { expected, ...finding }
}

type Found = Omit<Finding, 'expected'>

function findingOf(outcome: Outcome, devices: Known[], evidence: Evidence): Found | Promise<Found> {
  switch (outcome.expect) {
    case 'violation':
      return violation(outcome, devices, evidence)
    case 'violations':
      return violations(outcome, devices, evidence)
    case 'status':
      return status(outcome, devices, evidence)
    case 'asOf':
      return asOf(outcome, devices, evidence)
    case 'readings':
      return readings(outcome, devices, evidence)
    case 'temperature':
      return temperature(outcome, devices, evidence)
    case 'load':
      return load(outcome, devices, evidence)
    case 'notifications':
      return notifications(outcome, devices, evidence)
  }
}

const isIn = (value: number, [from, to]: readonly [number, number]): boolean => value >= from && value <= to

/** A violation as it is known in the end. `knownAt`: when it was first told. Times in epoch ms. */
type KnownViolation = { imei: string; type: string; at: number; clearedAt: number | null; knownAt: number }

/** What remains of all that was published: found late, revised, or gone because it never was. */
function violationsIn(facts: readonly Fact[]): KnownViolation[] {
  const known = new Map<string, KnownViolation>()
  for (const { type, at, recordedAt, data } of facts)
    switch (type) {
      case 'violation.opened':
      case 'violation.found-late': {
        const clearedAt = type === 'violation.found-late' ? data.clearedAt : null
        known.set(data.violationId, { imei: data.imei, type: data.type, at, clearedAt, knownAt: recordedAt })
        break
      }
      case 'violation.cleared': {
        const one = known.get(data.violationId)
        if (one !== undefined) one.clearedAt = at
        break
      }
      case 'violation.revised': {
        const one = known.get(data.violationId)
        if (data.after === null) known.delete(data.violationId)
        else if (one !== undefined)
          Object.assign(one, { at: data.after.openedAt, clearedAt: data.after.clearedAt })
      }
    }
  return [...known.values()]
}

function violation(outcome: Of<'violation'>, devices: Known[], { facts, start }: Evidence): Found {
  const minute = (at: number) => (at - start) / MINUTE
  const { opensBetween, clearsBetween, knownBetween } = outcome
  const known = violationsIn(facts)
  const found = devices.map((device) => {
    const all = known.filter(({ imei, type }) => imei === device.imei && type === outcome.type)
    const isMet = all.some(
      ({ at, clearedAt, knownAt }) =>
        isIn(minute(at), opensBetween) &&
        (clearsBetween === undefined || (clearedAt !== null && isIn(minute(clearedAt), clearsBetween))) &&
        (knownBetween === undefined || isIn(minute(knownAt), knownBetween)),
    )
    const found = all.map(({ at, clearedAt, knownAt }) => {
      const cleared = clearedAt === null ? 'not cleared' : `cleared at ${rounded(minute(clearedAt))}`
      const knownLate = knownBetween === undefined ? '' : `, known at ${rounded(minute(knownAt))}`
      return `opened at minute ${rounded(minute(at))}, ${cleared}${knownLate}`
    })
    return { name: device.name, isMet, found: found.length === 0 ? 'none' : found.join('; ') }
  })
  const failing = found.filter(({ isMet }) => !isMet)
  const shown = (failing.length > 0 ? failing : found).slice(0, 4)
  return {
    isMet: failing.length === 0,
    found: shown.map(({ name, found }) => `${name}: ${found}`).join(' | '),
  }
}

function violations(outcome: Of<'violations'>, devices: Known[], { facts, start }: Evidence): Found {
  const byImei = new Map(devices.map((device) => [device.imei, device]))
  const found = violationsIn(facts).filter(
    ({ imei, type, at }) =>
      byImei.has(imei) &&
      (outcome.type === undefined || type === outcome.type) &&
      at >= start + outcome.fromMinutes * MINUTE &&
      at < start + outcome.toMinutes * MINUTE,
  )
  const who = new Set(found.flatMap(({ imei }) => byImei.get(imei) ?? []))
  return counted(outcome, found.length, [...who])
}

function status(outcome: Of<'status'>, devices: Known[], evidence: Evidence): Found {
  const isSo = (device: Known) => evidence.status(device.no) === outcome.status
  const found = devices.filter(isSo)
  const tooFew = outcome.atLeast !== undefined && found.length < outcome.atLeast
  const others = devices.filter((device) => !isSo(device))
  return counted(outcome, found.length, tooFew ? others : found, tooFew ? 'not ' : '')
}

/** Who looks back sees whole minutes. */
async function asOf(outcome: Of<'asOf'>, devices: Known[], { start, stateAt }: Evidence): Promise<Found> {
  const { atMinutes, view, status, type } = outcome
  const states = await stateAt(Math.floor((start + atMinutes * MINUTE) / MINUTE), view)
  if (states === undefined) return { isMet: false, found: 'nothing was kept of that minute' }
  const found = devices.filter(({ no }) => {
    const state = states[no] ?? 0
    return (
      (status === undefined || statusOf(state) === status) &&
      (type === undefined || (state & violationBit(type)) !== 0)
    )
  })
  return counted(outcome, found.length, found)
}

async function readings(outcome: Of<'readings'>, devices: Known[], evidence: Evidence): Promise<Found> {
  const { start, reportSeconds, late } = evidence
  const [from, to] = [start + outcome.fromMinutes * MINUTE, start + outcome.toMinutes * MINUTE]
  const mostApart = 1.5 * reportSeconds * 1000
  const holes: string[] = []
  if (outcome.complete === true)
    for (const { no, name } of devices) {
      const { at, length } = await evidence.readings(no, from, to)
      const times = [from, ...at.subarray(0, length), to]
      const hole = times.findIndex((time, i) => i > 0 && time - (times[i - 1] as number) > mostApart)
      if (hole > 0)
        holes.push(`${name} has none from minute ${rounded(((times[hole - 1] as number) - start) / MINUTE)}`)
    }
  const numbers = new Set(devices.map(({ no }) => no))
  const count = late.filter(({ device, at }) => numbers.has(device) && at >= from && at < to).length
  return {
    isMet: holes.length === 0 && count >= (outcome.lateAtLeast ?? 0),
    found: `${count} late${holes.length === 0 ? '' : `, ${holes.length} devices with a hole: ${holes.slice(0, 4).join('; ')}`}`,
  }
}

async function temperature(outcome: Of<'temperature'>, devices: Known[], evidence: Evidence): Promise<Found> {
  const { start } = evidence
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const outside: Known[] = []
  for (const device of devices) {
    const all = await evidence.readings(
      device.no,
      start + outcome.fromMinutes * MINUTE,
      start + outcome.toMinutes * MINUTE,
    )
    let isOutside = false
    for (let i = 0; i < all.length; i++) {
      const value = toUnits('temperature', all.temperature[i] as number)
      if (value === undefined) continue
      least = Math.min(least, value)
      most = Math.max(most, value)
      isOutside ||= !isIn(value, outcome.between)
    }
    if (isOutside) outside.push(device)
  }
  const isMeasured = least <= most
  return {
    isMet: isMeasured && outside.length === 0,
    found: `${isMeasured ? `${least} to ${most} °C` : 'nothing measured'}${outside.length === 0 ? '' : `; outside: ${named(outside)}`}`,
  }
}

async function load(outcome: Of<'load'>, devices: Known[], { start, loadOn }: Evidence): Promise<Found> {
  const minuteOf = ({ exhaustedAt }: SeenLoad) =>
    exhaustedAt === null ? undefined : (Date.parse(exhaustedAt) - start) / MINUTE
  const { state, usedBetween, exhaustedBetween } = outcome
  const isSo = (one: SeenLoad): boolean =>
    (state === undefined || one.state === state) &&
    (usedBetween === undefined || (one.percent !== null && isIn(one.percent, usedBetween))) &&
    (exhaustedBetween === undefined || isIn(minuteOf(one) ?? Number.NaN, exhaustedBetween))
  const found = await Promise.all(
    devices.map(async (device) => {
      const one = await loadOn(device)
      if (one === null) return { isMet: false, text: `${device.name}: no load` }
      const minute = minuteOf(one)
      const used = one.percent === null ? 'not measured' : `${one.percent} % used`
      const since = minute === undefined ? '' : `, exhausted at minute ${rounded(minute)}`
      return { isMet: isSo(one), text: `${device.name}: ${one.reference} ${one.state}, ${used}${since}` }
    }),
  )
  const failing = found.filter(({ isMet }) => !isMet)
  const shown = (failing.length > 0 ? failing : found).slice(0, 4)
  return { isMet: failing.length === 0, found: shown.map(({ text }) => text).join(' | ') }
}

function notifications(outcome: Of<'notifications'>, devices: Known[], { facts, start }: Evidence): Found {
  const counts = new Map(devices.map(({ imei }) => [imei, 0]))
  for (const fact of facts) {
    const minute = (fact.recordedAt - start) / MINUTE
    if (fact.type === 'violation.found' || notificationTypeOf(fact) !== outcome.type) continue
    if (minute < outcome.fromMinutes || minute > outcome.toMinutes || !('imei' in fact.data)) continue
    const before = counts.get(fact.data.imei ?? '')
    if (before !== undefined) counts.set(fact.data.imei as string, before + 1)
  }
  const failing = devices.filter(({ imei }) => counts.get(imei) !== outcome.times)
  const shown = (failing.length > 0 ? failing : devices).slice(0, 4)
  return {
    isMet: failing.length === 0,
    found: shown.map(({ name, imei }) => `${name}: ${counts.get(imei)}`).join(', '),
  }
}

type Bounds = { atLeast?: number | undefined; atMost?: number | undefined }

function counted({ atLeast, atMost }: Bounds, count: number, who: Known[], how = ''): Found {
  return {
    isMet: count >= (atLeast ?? 0) && count <= (atMost ?? Number.POSITIVE_INFINITY),
    found: who.length === 0 ? `${count}` : `${count}; ${how}${named(who)}`,
  }
}

const rounded = (minute: number): string => String(Math.round(minute * 10) / 10)

function wordsOf(outcome: Outcome): string {
  const of = outcome.of === undefined ? 'all' : Object.values(outcome.of).join(' ')
  switch (outcome.expect) {
    case 'violation': {
      const ends = outcome.clearsBetween ? `, cleared between ${outcome.clearsBetween.join(' and ')}` : ''
      const known = outcome.knownBetween ? `, known between ${outcome.knownBetween.join(' and ')}` : ''
      return `${outcome.type} of ${of}, opened between minutes ${outcome.opensBetween.join(' and ')}${ends}${known}`
    }
    case 'violations':
      return `${limitsOf(outcome)} ${outcome.type ?? 'violations'} of ${of} in minutes ${spanOf(outcome)}`
    case 'status':
      return `${limitsOf(outcome)} of ${of} ${outcome.status} at minute ${outcome.atMinutes}`
    case 'asOf':
      return `${limitsOf(outcome)} of ${of} ${[outcome.status, outcome.type].filter(Boolean).join(' and ')} at minute ${outcome.atMinutes}, as known ${outcome.view}, by minute ${outcome.byMinutes}`
    case 'readings': {
      const late = outcome.lateAtLeast === undefined ? '' : `, at least ${outcome.lateAtLeast} of them late`
      return `readings of ${of} of minutes ${spanOf(outcome)} ${outcome.complete ? 'without a hole ' : ''}by minute ${outcome.byMinutes}${late}`
    }
    case 'temperature':
      return `${of} between ${outcome.between.join(' and ')} °C in minutes ${spanOf(outcome)}`
    case 'load': {
      const used = outcome.usedBetween && `${outcome.usedBetween.join(' to ')} % used`
      const since =
        outcome.exhaustedBetween && `exhausted between minutes ${outcome.exhaustedBetween.join(' and ')}`
      return `load of ${of} ${[outcome.state, used, since].filter(Boolean).join(', ')} at minute ${outcome.atMinutes}`
    }
    case 'notifications':
      return `${outcome.type} of ${of} told ${outcome.times} times each in minutes ${spanOf(outcome)}`
  }
}

const spanOf = (span: { fromMinutes: number; toMinutes: number }): string =>
  `${span.fromMinutes} to ${span.toMinutes}`

const limitsOf = ({ atLeast, atMost }: Bounds): string =>
  [atLeast === undefined ? '' : `at least ${atLeast}`, atMost === undefined ? '' : `at most ${atMost}`]
    .filter(Boolean)
    .join(', ')
