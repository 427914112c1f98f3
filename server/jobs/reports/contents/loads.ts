import type { LoadState } from '#machines/contracts/entities/loads.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { emptyLoads, foldLoad, foldLoadOpened, type LoadRecord } from '#machines/projections/loads.ts'
import { emptyProfiles, foldProfileSet, profileAt } from '#machines/projections/profiles.ts'
import {
  type BudgetState,
  budgetRules,
  createBudget,
  endBudget,
  SUM,
  takeExhausted,
  takeReadings,
} from '#machines/rules/budget.ts'
import { type BudgetStatus, budgetStatusOf, mktOf } from '#machines/rules/budget-status.ts'
import { ruleWords } from '#machines/rules/budget-words.ts'
import { LOAD_STATE_WORDS } from '#machines/rules/load-state-words.ts'
import type { ReportDevice } from '../order.ts'
import { type Making, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const FACTS = [
  'device.registered',
  'device.tracker-replaced',
  'profile.set',
  'load.opened',
  'load.exhausted',
  'load.revised',
  'load.review-begun',
  'load.released',
  'load.rejected',
  'load.closed',
] as const

/** A load as it stood when the time of a report ended. `closedAt` null: it was under way then. */
export type ReportedLoad = Pick<LoadRecord, 'reference' | 'openedAt' | 'decision'> & {
  device: ReportDevice
  profileName: string
  closedAt: number | null
  state: LoadState
  budget: BudgetState
  status: BudgetStatus
  /** the rule that was exhausted, in words; empty: none was */
  exhaustedRule: string
  /** its first readings are no longer kept: more may have been used than is left to reckon with */
  isGone: boolean
}

/** Takes each device of the report with its readings once, and answers the loads that were on it within the report's time. */
export type LoadsOfDevice = (device: ReportDevice, readings: ReadingColumns) => Promise<ReportedLoad[]>

/**
 * Loads by facts and readings alone, so that a report of the past says the same whenever it is made: what people decided by the end of
 * its time, and whether a budget was exhausted by what is known of the readings now. Of a load whose first readings are no longer kept
 * it is what was published of it, and what is left.
 */
export async function loadsReported({ order, source, starts, gapMs }: Making): Promise<LoadsOfDevice> {
  const end = starts.at(-1) as number
  const numbers = new Map<string, number>()
  const profiles = emptyProfiles()
  const loads = emptyLoads()
  const published = new Map<string, LoadRecord['exhausted']>()
  /** those of which it was published only after somebody had decided about them */
  const publishedAfter = new Set<string>()
  for await (const facts of source.facts(FACTS))
    for (const fact of facts) {
      if (fact.type === 'device.registered') numbers.set(fact.data.imei, fact.data.no)
      else if (fact.type === 'device.tracker-replaced') numbers.set(fact.data.after, fact.data.no)
      else if (fact.type === 'profile.set') foldProfileSet(profiles, fact.data, fact as Fact)
      else if (fact.type === 'load.revised') {
        const { loadId, before, after } = fact.data
        if (Math.min(before ?? end, after?.exhaustedAt ?? end) < end)
          published.set(loadId, after && { ...after, at: after.exhaustedAt })
      } else if (fact.at >= end) continue
      else if (fact.type === 'load.exhausted') {
        const { loadId } = fact.data
        published.set(loadId, { ...fact.data, at: fact.at })
        if (loads.byId.get(loadId)?.decision) publishedAfter.add(loadId)
      } else if (fact.type === 'load.opened')
        foldLoadOpened(loads, fact.data, numbers.get(fact.data.imei), fact as Fact)
      else {
        foldLoad(loads, fact)
        if (fact.type !== 'load.closed') publishedAfter.delete(fact.data.loadId)
      }
    }

  return async (device, readings) => {
    const found: ReportedLoad[] = []
    for (const loadId of loads.ofDevice.get(device.no) ?? []) {
      const load = loads.byId.get(loadId) as LoadRecord
      const form = profileAt(profiles, load.companyId, load)
      if (form === undefined || (load.closedAt !== null && load.closedAt <= order.from)) continue
      const { openedAt, closedAt, reference, decision } = load
      const isGone = openedAt < source.keptFrom
      const first = Math.max(openedAt, source.keptFrom)
      const budget = createBudget(budgetRules(form), first, gapMs)
      const until = closedAt ?? end
      if (first < order.from)
        takeReadings(budget, await source.readings(device.no, first, order.from, true), until)
      takeReadings(budget, readings, until)
      const before = isGone ? published.get(loadId) : undefined
      if (before && before.at < end) takeExhausted(budget, before)
      if (closedAt !== null && !isGone) endBudget(budget)
      const status = budgetStatusOf(budget)
      const rule = status.exhausted && form.rules[status.exhausted.rule]
      found.push({
        ...{ device, reference, openedAt, closedAt, decision, budget, status, isGone },
        profileName: `${form.name}, version ${load.version}`,
        state: stateThen(load, status, publishedAfter.has(loadId)),
        exhaustedRule: rule ? ruleWords(rule) : '',
      })
    }
    return found
  }
}

/** What people decided, unless it was exhausted after that, or was known to be only then; else what readings say. */
function stateThen(
  { stage, closedAt, decision }: LoadRecord,
  { state, exhausted }: BudgetStatus,
  isPublishedAfter: boolean,
): LoadState {
  if (stage === 'inReview') return 'in-review'
  const isNews = exhausted !== undefined && (isPublishedAfter || exhausted.at > (decision?.at ?? 0))
  const isDecided = stage === 'rejected' || (stage === 'released' && !isNews)
  if (isDecided) return stage
  if (exhausted !== undefined) return 'exhausted'
  return closedAt === null ? state : 'closed'
}

const LOADS: readonly Column[] = [
  { heading: 'Load', width: 24, as: 'text' },
  { heading: 'Profile', width: 26, as: 'text' },
  { heading: 'Opened', width: 20, as: 'time' },
  { heading: 'Closed', width: 20, as: 'time' },
  { heading: 'State', width: 14, as: 'text' },
  { heading: 'Used (%)', width: 9, as: 'one' },
  { heading: 'Used at most (%)', width: 9, as: 'one' },
  { heading: 'Exhausted', width: 20, as: 'time' },
  { heading: 'By the rule', width: 40, as: 'text' },
  { heading: 'Minimum (°C)', width: 10, as: 'two' },
  { heading: 'Maximum (°C)', width: 10, as: 'two' },
  { heading: 'Mean kinetic temperature (°C)', width: 13, as: 'two' },
  { heading: '… at least (°C)', width: 10, as: 'two' },
  { heading: '… at most (°C)', width: 10, as: 'two' },
  { heading: 'Measured (min)', width: 11, as: 'one' },
  { heading: 'Without readings (min)', width: 11, as: 'one' },
  { heading: 'Decided by', width: 20, as: 'text' },
  { heading: 'Why', width: 40, as: 'text' },
]

/** Loads on the devices of a report: no table where there was none. */
export const loadTables = (loads: readonly ReportedLoad[]): Table[] =>
  loads.length === 0
    ? []
    : [
        {
          name: 'Loads',
          columns: [...WHICH, ...LOADS],
          rows: loads.map((load) => [...which(load.device), ...cellsOf(load)]),
        },
      ]

function cellsOf(load: ReportedLoad): Value[] {
  const { reference, profileName, openedAt, closedAt, state, status, exhaustedRule, budget, decision } = load
  const { percent, most, exhausted } = status
  const { sums } = budget
  const mkt = mktOf(budget)
  const isMeasured = sums[SUM.count] !== 0
  const measured = (value: number, digits: number) =>
    isMeasured && Number.isFinite(value) ? rounded(value, digits) : null
  return [
    reference,
    profileName,
    openedAt,
    closedAt,
    LOAD_STATE_WORDS[state],
    measured(percent, 1),
    load.isGone ? null : measured(most, 1),
    exhausted?.at ?? null,
    exhaustedRule,
    measured(sums[SUM.lowest] as number, 2),
    measured(sums[SUM.highest] as number, 2),
    ...[mkt.value, mkt.least, mkt.most].map((value) => measured(value, 2)),
    measured((sums[SUM.measured] as number) / 60_000, 2),
    measured((sums[SUM.gap] as number) / 60_000, 2),
    decision?.userName ?? '',
    decision?.reason ?? '',
  ]
}
