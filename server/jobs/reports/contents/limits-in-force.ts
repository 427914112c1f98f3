import type { Fact } from '#machines/contracts/facts.ts'
import type { Limits } from '#machines/rules/limits.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import {
  type DeviceLimits,
  emptyLimitsTable,
  evolveLimits,
  LIMITS_FACTS,
} from '../../../evaluation/limits.ts'
import type { ReportSource } from '../order.ts'

/** The limits of one device and when each began, oldest first; the first held before, too. */
export type LimitsOfDevice = { temperature: LimitsSince[]; humidity: LimitsSince[] }

/** What a group demanded from a time on (epoch ms; 0: from the start). */
export type LimitsOfGroup = { groupId: string; from: number; temperature: Limits; humidity: Limits }

/**
 * The limits of each device through time, by the same fold that readings are evaluated by as they come in: a threshold holds for
 * readings taken after it was set. `groups`: what groups demanded within [from, to), group by group.
 */
export async function limitsInForce(source: ReportSource, from: number, to: number) {
  const table = emptyLimitsTable()
  const wanted = new Set(source.devices.map(({ no }) => no))
  const devices = new Map<number, LimitsOfDevice>()
  const ofGroups = new Map<string, LimitsOfGroup[]>()

  const noteDevice = (no: number, at: number): void => {
    if (!wanted.has(no)) return
    const { temperature, humidity } = table.devices[no] as DeviceLimits
    const known = devices.get(no)
    if (known === undefined)
      devices.set(no, {
        temperature: [{ from: 0, limits: temperature }],
        humidity: [{ from: 0, limits: humidity }],
      })
    else {
      known.temperature.push({ from: at, limits: temperature })
      known.humidity.push({ from: at, limits: humidity })
    }
  }
  const noteGroup = (groupId: string, at: number): void => {
    const limits = table.groups.get(groupId)?.limits
    if (limits === undefined) return
    const known = ofGroups.get(groupId) ?? []
    ofGroups.set(groupId, known)
    const now = {
      groupId,
      from: known.length === 0 ? 0 : at,
      temperature: limits.temperature,
      humidity: limits.humidity,
    }
    const last = known.at(-1)
    if (last?.from === now.from) known.pop()
    known.push(now)
  }

  for await (const facts of source.facts(LIMITS_FACTS)) {
    for (const fact of facts) {
      const changed = evolveLimits(table, fact as Fact)
      if (fact.type === 'device.registered') noteDevice(fact.data.no, fact.at)
      else for (const no of changed) noteDevice(no, fact.at)
      if (fact.type === 'group.created') noteGroup(fact.data.groupId, fact.at)
      else if (
        fact.type === 'group.evaluation-set' ||
        (fact.type === 'group.updated' && hasThreshold(fact.data))
      )
        noteGroup(fact.data.groupId, fact.at)
    }
  }
  return {
    ofDevice: (no: number): LimitsOfDevice => devices.get(no) ?? { temperature: [], humidity: [] },
    groups: source.groups.flatMap(({ groupId }) => within(ofGroups.get(groupId) ?? [], from, to)),
  }
}

/** Those in force at an instant, epoch ms; undefined where none were ever known. */
export const limitsAt = (limits: readonly LimitsSince[], at: number): Limits | undefined =>
  limits.findLast(({ from }, i) => i === 0 || from <= at)?.limits

/** The limits in force from one time to another, epoch ms. */
export type LimitsPart = { from: number; to: number; limits: Limits }

/** Each of the limits in force within [from, to), for its part of it. */
export const partsWithin = (limits: readonly LimitsSince[], from: number, to: number): LimitsPart[] =>
  limits
    .map((one, i) => ({
      limits: one.limits,
      from: i === 0 ? from : Math.max(from, one.from),
      to: Math.min(to, limits[i + 1]?.from ?? to),
    }))
    .filter((part) => part.from < part.to)

export type LimitsInForce = Awaited<ReturnType<typeof limitsInForce>>

const hasThreshold = (data: object): boolean => Object.keys(data).some((name) => name.endsWith('Threshold'))

/** Those that held for a time of [from, to), of limits each of which holds until the next; the first held before, too. */
export function within<T extends { from: number }>(limits: readonly T[], from: number, to: number): T[] {
  return limits.filter(
    (one, i) => (i === 0 || one.from < to) && (limits[i + 1]?.from ?? Number.POSITIVE_INFINITY) > from,
  )
}
