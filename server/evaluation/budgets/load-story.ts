import { setImmediate as breath } from 'node:timers/promises'
import type { LoadCourse, LoadPlace, LoadSpell } from '#machines/contracts/entities/loads.ts'
import type { TimeRule } from '#machines/contracts/entities/profiles.ts'
import { READING_FIELDS, type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { type BudgetState, endBudget, isBeyond, SUM, takeReading } from '#machines/rules/budget.ts'
import { budgetStatusOf } from '#machines/rules/budget-status.ts'
import { knownPlaces } from '../../data/places.ts'
import type { Store } from '../../store/store.ts'
import { newBudget } from './live-loads.ts'

const DAY = 86_400_000
const MINUTE = 60_000
/** Points of a course, about. */
const POINTS = 400
/** A place is looked up so often, ms. */
const PLACE_EVERY = 15 * MINUTE

/** What readings tell of a load: its budget, how it went, when it was beyond which limit, and where. */
export type LoadStory = { budget: BudgetState; spells: LoadSpell[]; places: LoadPlace[]; course: LoadCourse }

type StoryDraft = LoadStory & {
  rules: readonly TimeRule[]
  /** of each rule the spell that lasts */
  lasting: (LoadSpell | undefined)[]
  stepMs: number
  placedAt: number
  /** the newest position there is */
  newest: { readings: ReadingColumns; row: number } | undefined
}

/**
 * Tells a load from what is stored, a day at a time with a breath after each; undefined: its profile is not known.
 * @param span since when readings are kept, and up to when it is wanted; epoch ms
 * @param within what of its course is wanted; all of it where left out
 */
export async function storyOfLoad(
  telemetry: Pick<Store['telemetry'], 'history'>,
  directory: Directory,
  load: LoadRecord,
  { kept, until }: { kept: number; until: number },
  within: { from: number; to: number } = { from: load.openedAt, to: until },
): Promise<LoadStory | undefined> {
  const first = Math.max(load.openedAt, kept)
  const budget = newBudget(directory, load, first)
  if (budget === undefined) return undefined
  const end = Math.min(load.closedAt ?? until, until)
  const { times } = budget.rules
  // rules of one limit tell of the same spells
  const rules = times.filter((rule, i) => times.findIndex((other) => isSameLimit(other, rule)) === i)
  const shown = Math.min(within.to, end) - Math.max(within.from, first)
  const draft: StoryDraft = {
    ...{ budget, rules, spells: [], places: [], lasting: rules.map(() => undefined) },
    course: { at: [], temperature: [], percent: [] },
    stepMs: Math.max(MINUTE, shown / POINTS),
    placedAt: Number.NEGATIVE_INFINITY,
    newest: undefined,
  }
  for (let from = first; from < end; from += DAY) {
    addDay(draft, await telemetry.history(load.deviceNo, from, Math.min(from + DAY, end)), within)
    await breath()
  }
  if (first === load.openedAt && load.closedAt !== null && load.closedAt <= until) endBudget(budget)
  // where it is, or was at last, and until when
  if (draft.newest) addPlace(draft, draft.newest)
  draft.spells.sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
  return draft
}

const isSameLimit = (a: TimeRule, b: TimeRule): boolean =>
  a.side === b.side && a.limit === b.limit && a.isInclusive === b.isInclusive

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature
const [NO_LAT, NO_LNG] = [READING_FIELDS.lat.missing, READING_FIELDS.lng.missing]

function addDay(draft: StoryDraft, readings: ReadingColumns, within: { from: number; to: number }): void {
  const { sums } = draft.budget
  let newest = -1
  for (let row = 0; row < readings.length; row++) {
    const at = readings.at[row] as number
    if (readings.lat[row] !== NO_LAT && readings.lng[row] !== NO_LNG) {
      newest = row
      if (at - draft.placedAt >= PLACE_EVERY) addPlace(draft, { readings, row })
    }
    const stored = readings.temperature[row] as number
    if (stored === MISSING) continue
    const celsius = stored / SCALE
    const before = sums[SUM.count] === 0 ? Number.NaN : (sums[SUM.lastAt] as number)
    takeReading(draft.budget, at, celsius)
    for (let i = 0; i < draft.rules.length; i++) addSpell(draft, i, before, at, celsius)
    if (at >= within.from && at < within.to) addCourse(draft, before, at, celsius)
  }
  if (newest >= 0) draft.newest = { readings, row: newest }
}

function addCourse(
  { budget, course, stepMs }: StoryDraft,
  before: number,
  at: number,
  celsius: number,
): void {
  const last = course.at.at(-1)
  const isGap = at - before > budget.gapMs
  if (last !== undefined && isGap) push(course, before + 1, null, null)
  if (last !== undefined && !isGap && at - last < stepMs) return
  const { percent } = budgetStatusOf(budget)
  push(course, at, celsius, Math.round(percent * 100) / 100)
}

function push(course: LoadCourse, at: number, celsius: number | null, percent: number | null): void {
  course.at.push(at)
  course.temperature.push(celsius)
  course.percent.push(percent)
}

/** Beyond from its first reading to the first that is not; a gap ends it at the last that was. */
function addSpell(draft: StoryDraft, i: number, before: number, at: number, celsius: number): void {
  const rule = draft.rules[i] as TimeRule
  let spell = draft.lasting[i]
  if (spell !== undefined && at - before > draft.budget.gapMs) spell = over(draft, i, before)
  if (!isBeyond(rule, celsius)) {
    if (spell !== undefined) over(draft, i, at)
    return
  }
  if (spell === undefined) {
    spell = {
      ...{ from: iso(at), to: null, minutes: 0, side: rule.side, limit: rule.limit, worst: celsius },
    }
    draft.lasting[i] = spell
    draft.spells.push(spell)
  }
  spell.minutes = (at - Date.parse(spell.from)) / MINUTE
  if (rule.side === 'above' ? celsius > spell.worst : celsius < spell.worst) spell.worst = celsius
}

function over({ lasting }: StoryDraft, i: number, at: number): undefined {
  const spell = lasting[i]
  if (spell !== undefined) {
    spell.to = iso(at)
    spell.minutes = (at - Date.parse(spell.from)) / MINUTE
  }
  lasting[i] = undefined
  return undefined
}

function addPlace(draft: StoryDraft, { readings, row }: NonNullable<StoryDraft['newest']>): void {
  const at = readings.at[row] as number
  const lat = toUnits('lat', readings.lat[row] as number)
  const lng = toUnits('lng', readings.lng[row] as number)
  if (lat === undefined || lng === undefined) return
  draft.placedAt = at
  const place = knownPlaces().words(lat, lng)
  const last = draft.places.at(-1)
  if (last?.place === place) last.to = iso(at)
  else draft.places.push({ from: iso(at), to: iso(at), place, lat, lng })
}

const iso = (at: number): string => new Date(at).toISOString()
