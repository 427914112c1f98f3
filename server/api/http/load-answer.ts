import type { Budget, Load, LoadRow, RuleBudget } from '#machines/contracts/entities/loads.ts'
import type { ProfileRule } from '#machines/contracts/entities/profiles.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type LoadRecord, loadStateOf } from '#machines/projections/loads.ts'
import { profileVersions } from '#machines/projections/profiles.ts'
import { allowedMs, type BudgetState, SUM, TIME, timesOf } from '#machines/rules/budget.ts'
import { type BudgetStatus, mktOf, usedMs, windowMktOf } from '#machines/rules/budget-status.ts'
import { budgetWords } from '#machines/rules/budget-words.ts'
import { meanKinetic } from '#machines/rules/mean-kinetic.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { isManager } from '../../commands/views/views.ts'
import type { KnownLoad } from '../../evaluation/budgets/budgets.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import { profileAnswer } from './profile-answer.ts'

const MINUTE = 60_000
const iso = (at: number): string => new Date(at).toISOString()
const isoOr = (at: number): string | null => (Number.isFinite(at) && at > 0 ? iso(at) : null)
const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null)
const rounded = (value: number): number | null => orNull(Math.round(value * 1000) / 1000)

const timeZoneOf = ({ companies }: Directory, companyId: string): string =>
  companies.get(companyId)?.timeZone ?? 'UTC'

/** Which readings of a load are no longer kept, `now` in epoch ms; undefined: all are kept. */
function goneOf(
  directory: Directory,
  { companyId, openedAt, closedAt }: Described,
  now: number,
): 'some' | 'all' | undefined {
  const kept = keptSince(directory, companyId, now)
  if (openedAt >= kept) return undefined
  return closedAt !== null && closedAt <= kept ? 'all' : 'some'
}

/** A load as a row of the list, `now` in epoch ms. */
export function loadRow(
  directory: Directory,
  load: LoadRecord,
  { budget, status }: KnownLoad,
  now: number,
): LoadRow {
  const device = directory.devices[load.deviceNo]
  const { companyId, profileId, exhausted, decision } = load
  const versions = profileVersions(directory.profiles, companyId, profileId)
  const groupId = device?.groupId ?? null
  return {
    _id: load.loadId,
    reference: load.reference,
    state: loadStateOf(load, status),
    imei: device?.imei ?? '',
    deviceName: device?.name ?? '',
    plateNumber: device?.plateNumber ?? '',
    groupId,
    groupName: (groupId === null ? undefined : directory.groups.get(groupId)?.name) ?? '',
    profileId,
    profileName: versions.find(({ number }) => number === load.version)?.form.name ?? '',
    profileNumber: load.version,
    openedAt: iso(load.openedAt),
    openedBy: load.openedBy,
    closedAt: load.closedAt === null ? null : iso(load.closedAt),
    percent: rounded(status?.percent ?? Number.NaN),
    most: rounded(status?.most ?? Number.NaN),
    exhaustsAt: isoOr(load.closedAt === null ? (status?.exhaustsAt ?? Number.NaN) : Number.NaN),
    exhaustedAt: isoOr(exhausted?.at ?? Number.NaN),
    words: wordsOf(directory, load, { budget, status }, now),
    decision: decision && decisionAnswer(decision),
  }
}

function decisionAnswer({
  signOff,
  ...decision
}: NonNullable<LoadRecord['decision']>): NonNullable<LoadRow['decision']> {
  return {
    ...decision,
    at: iso(decision.at),
    ...(signOff && { signOff: { ...signOff, at: iso(signOff.at) } }),
  }
}

type Described = Pick<LoadRecord, 'companyId' | 'openedAt' | 'closedAt' | 'stage' | 'exhausted'>

function wordsOf(directory: Directory, load: Described, { budget, status }: KnownLoad, now: number): string {
  const { stage, exhausted } = load
  const gone = goneOf(directory, load, now)
  const { leading = { least: 0, most: 0 }, gapMinutes = 0, isTooWarmSoFar = false } = status ?? {}
  const isOver = load.closedAt !== null || status === undefined
  return budgetWords(
    {
      state: status?.state ?? (exhausted === null ? 'within' : 'exhausted'),
      percent: orNull(status?.percent ?? Number.NaN),
      exhaustsAt: isOver ? null : orNull(status.exhaustsAt),
      asOf: budget === undefined ? 0 : (budget.sums[SUM.lastAt] as number),
      ...{ ...leading, gapMinutes, isTooWarmSoFar, ...(gone && { gone }) },
      ...((stage === 'released' || stage === 'rejected') && { decided: stage }),
    },
    timeZoneOf(directory, load.companyId),
    now,
  )
}

function budgetAnswer(
  directory: Directory,
  load: Described,
  { budget, status }: Reckoned,
  now: number,
): Budget {
  const { sums } = budget
  const mkt = mktOf(budget)
  const isMeasured = sums[SUM.count] !== 0
  return {
    state: status.state,
    percent: rounded(status.percent),
    most: rounded(status.most),
    exhaustsAt: isoOr(load.closedAt === null ? status.exhaustsAt : Number.NaN),
    exhaustedAt: isoOr(status.exhausted?.at ?? Number.NaN),
    asOf: isMeasured ? iso(sums[SUM.lastAt] as number) : null,
    temperature: isMeasured ? (sums[SUM.last] as number) : null,
    lowest: orNull(sums[SUM.lowest] as number),
    highest: orNull(sums[SUM.highest] as number),
    measuredMinutes: (sums[SUM.measured] as number) / MINUTE,
    gapMinutes: (sums[SUM.gap] as number) / MINUTE,
    mkt: Number.isNaN(mkt.value) ? null : mkt,
    rules: budget.rules.profile.rules.map((rule, place) => ruleAnswer(budget, rule, place, isMeasured)),
    words: wordsOf(directory, load, { budget, status }, now),
  }
}

function ruleAnswer(budget: BudgetState, rule: ProfileRule, place: number, isMeasured: boolean): RuleBudget {
  if (rule.kind === 'mkt') return mktAnswer(budget, rule)
  const { rules, sums } = budget
  const base = timesOf(rules.places.indexOf(place))
  const used = (which: 'used' | 'least' | 'most') =>
    isMeasured ? rounded(usedMs(sums, base, rule, which) / MINUTE) : null
  const allowed = allowedMs(sums, base, rule)
  const exhaustedAt = sums[base + TIME.exhaustedAt] as number
  const least = usedMs(sums, base, rule, 'least')
  const percent = allowed ? (least / allowed) * 100 : exhaustedAt > 0 ? 100 : 0
  return {
    ...{ rule, used: used('used'), least: used('least'), most: used('most') },
    allowed: allowed === undefined ? null : allowed / MINUTE,
    percent: allowed === undefined || !isMeasured ? null : rounded(percent),
    degreeMinutes: isMeasured ? rounded((sums[base + TIME.degrees] as number) / MINUTE) : null,
    exhaustedAt: isoOr(exhaustedAt),
  }
}

function mktAnswer(budget: BudgetState, rule: ProfileRule & { kind: 'mkt' }): RuleBudget {
  const { sums, rules } = budget
  const decides = rules.profile.mktDecides
  const exhaustedAt = sums[SUM.mktExhaustedAt] as number
  const now = windowMktOf(budget)
  const then = exhaustedAt > 0 ? meanKinetic(sums[SUM.mktExhaustedTerm] as number) : undefined
  return {
    rule,
    used: rounded(then ?? now?.value ?? Number.NaN),
    least: rounded(then ?? now?.least ?? Number.NaN),
    most: rounded(then ?? now?.most ?? Number.NaN),
    allowed: decides ? rule.limit : null,
    percent: null,
    degreeMinutes: null,
    exhaustedAt: isoOr(exhaustedAt),
  }
}

/** A budget that was reckoned, and what is said of it. */
export type Reckoned = { budget: BudgetState; status: BudgetStatus }

/** A load with its profile and budget, for whoever sees its device; `now` in epoch ms. */
export function loadAnswer(
  directory: Directory,
  visitor: Pick<Visitor, 'userId' | 'companyId' | 'groupId' | 'superAdmin'>,
  load: LoadRecord,
  reckoned: Reckoned,
  now: number,
): Load {
  const { companyId, profileId, version, stage, closedAt } = load
  const profile = profileVersions(directory.profiles, companyId, profileId).find(
    ({ number }) => number === version,
  )
  if (profile === undefined) throw new RangeError(`load ${load.loadId}: its profile is not there`)
  return {
    ...loadRow(directory, load, reckoned, now),
    ...(goneOf(directory, load, now) && { keptFrom: iso(keptSince(directory, companyId, now)) }),
    profile: profileAnswer(directory, profileId, profile),
    budget: budgetAnswer(directory, load, reckoned, now),
    may: {
      close: closedAt === null,
      beginReview: stage === 'exhausted' || stage === 'closed',
      decide: stage === 'inReview' && isManager(directory, visitor),
    },
  }
}
