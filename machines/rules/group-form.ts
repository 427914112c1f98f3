import {
  type Evaluation,
  MOST_DELAY_SECONDS,
  MOST_MARGIN_HUMIDITY,
  MOST_MARGIN_TEMPERATURE,
} from '../contracts/entities/evaluation.ts'
import type { Thresholds } from '../contracts/entities/thresholds.ts'
import { figure } from './figures.ts'
import { type Fault, firstFaults, isAlphanumeric, REQUIRED } from './plain-text.ts'

export const GROUP_NAME_MAX = 30
export const DESCRIPTION_MAX = 200

/** Bounds of sliders and axes, °C and %: a company's own, or the documents'. */
export type Bounds = { tmin: number; tmax: number; hmin: number; hmax: number }

/** What a group's forms hold, as it was typed. `parentId`: '' where none is chosen yet; left out where it is not asked for. */
export type GroupForm = { name: string; description: string; parentId?: string } & Thresholds & {
    [K in keyof Evaluation]?: Evaluation[K] | undefined
  }
export type GroupField = keyof GroupForm

type Margins = { [K in 'clearMarginTemperature' | 'clearMarginHumidity']?: number | null | undefined }
/** What a group's form is held against: the bounds, and the margins the group has and its company, °C and %. */
export type GroupBasis = Bounds & Margins & { companyEvaluation?: Margins | undefined }

/**
 * What is wrong with a group, one fault a field; what is left out is not looked at. Where limits are given without a margin, the
 * one in force must leave room between them.
 */
export function groupFaults(form: Partial<GroupForm>, bounds: GroupBasis): Fault<GroupField>[] {
  const name = form.name?.trim()
  const description = form.description?.trim() ?? ''
  return firstFaults<GroupField>([
    ['name', REQUIRED, name === ''],
    ['name', 'Name should be alphanumeric', !isAlphanumeric(name ?? '')],
    ['name', `Max ${GROUP_NAME_MAX} characters are allowed in name`, (name ?? '').length > GROUP_NAME_MAX],
    ['description', 'Description should be alphanumeric', !isAlphanumeric(description)],
    [
      'description',
      `Max ${DESCRIPTION_MAX} characters are allowed in description`,
      description.length > DESCRIPTION_MAX,
    ],
    ['parentId', 'Please select a parent group', form.parentId === ''],
    ...bandChecks(
      'lowTemperatureThreshold',
      'highTemperatureThreshold',
      form,
      bounds.tmin,
      bounds.tmax,
      '°C',
    ),
    ...bandChecks('lowHumidityThreshold', 'highHumidityThreshold', form, bounds.hmin, bounds.hmax, '%'),
    ...evaluationChecks(form, bounds),
  ])
}

type ThresholdField = keyof Thresholds

/** Zeros on both sides are a band nobody has set yet, so they stand whatever the bounds are. */
function bandChecks(
  lowField: ThresholdField,
  highField: ThresholdField,
  form: Partial<GroupForm>,
  min: number,
  max: number,
  unit: string,
): (readonly [GroupField, string, boolean])[] {
  const { [lowField]: low, [highField]: high } = form
  if (low === 0 && high === 0) return []
  const isOutside = (value: number | undefined) => value !== undefined && !(value >= min && value <= max)
  const between = `Must be between ${figure(min)} ${unit} and ${figure(max)} ${unit}`
  return [
    [lowField, between, isOutside(low)],
    [highField, between, isOutside(high)],
    [highField, 'Must not be below the low threshold', low !== undefined && high !== undefined && high < low],
  ]
}

/** An empty delay or margin is the company's. A margin wider than half the band would leave no value well inside. */
function evaluationChecks(
  form: Partial<GroupForm>,
  basis: GroupBasis,
): (readonly [GroupField, string, boolean])[] {
  const { violationDelaySeconds: delay, clearMarginTemperature, clearMarginHumidity } = form
  const isOutside = (value: number | null | undefined, most: number) =>
    value != null && !(value >= 0 && value <= most)
  const { lowTemperatureThreshold: lt, highTemperatureThreshold: ht } = form
  const { lowHumidityThreshold: lh, highHumidityThreshold: hh } = form
  return [
    [
      'violationDelaySeconds',
      `Must be between 0 and ${MOST_DELAY_SECONDS / 60} minutes`,
      isOutside(delay, MOST_DELAY_SECONDS),
    ],
    [
      'clearMarginTemperature',
      `Must be between 0 °C and ${MOST_MARGIN_TEMPERATURE} °C`,
      isOutside(clearMarginTemperature, MOST_MARGIN_TEMPERATURE),
    ],
    roomCheck('clearMarginTemperature', 'highTemperatureThreshold', lt, ht, form, basis, '°C'),
    [
      'clearMarginHumidity',
      `Must be between 0 % and ${MOST_MARGIN_HUMIDITY} %`,
      isOutside(clearMarginHumidity, MOST_MARGIN_HUMIDITY),
    ],
    roomCheck('clearMarginHumidity', 'highHumidityThreshold', lh, hh, form, basis, '%'),
  ]
}

/** What subtracting figures such as 8.2 − 7.2 is off by, at most. */
const SPARE = 1e-9

/** Whether the margin in force leaves room between two limits; said at the margin where the form has one, else at the high limit. */
function roomCheck(
  marginField: keyof Margins,
  highField: ThresholdField,
  low: number | undefined,
  high: number | undefined,
  form: Partial<GroupForm>,
  basis: GroupBasis,
  unit: string,
): readonly [GroupField, string, boolean] {
  const typed = form[marginField]
  const own = typed === undefined ? basis[marginField] : typed
  const margin = own ?? basis.companyEvaluation?.[marginField] ?? 0
  const leavesNone = low !== undefined && high !== undefined && high > low && 2 * margin > high - low + SPARE
  const words = `${figure(margin)} ${unit}`
  if (typed === undefined)
    return [highField, `Must be at least twice the margin of ${words} above the low one`, leavesNone]
  if (typed === null)
    return [
      marginField,
      `The company’s ${words} is more than half of what is between the thresholds`,
      leavesNone,
    ]
  return [marginField, 'Must be at most half of what is between the thresholds', leavesNone]
}
