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

/** What is wrong with a group, one fault a field; what is left out is not looked at. */
export function groupFaults(form: Partial<GroupForm>, bounds: Bounds): Fault<GroupField>[] {
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
    ...evaluationChecks(form),
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
function evaluationChecks(form: Partial<GroupForm>): (readonly [GroupField, string, boolean])[] {
  const { violationDelaySeconds: delay, clearMarginTemperature, clearMarginHumidity } = form
  const isOutside = (value: number | null | undefined, most: number) =>
    value != null && !(value >= 0 && value <= most)
  const leavesNoRoom = (margin: number | null | undefined, low = 0, high = 0) =>
    margin != null && high > low && 2 * margin > high - low
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
    ['clearMarginTemperature', NO_ROOM, leavesNoRoom(clearMarginTemperature, lt, ht)],
    [
      'clearMarginHumidity',
      `Must be between 0 % and ${MOST_MARGIN_HUMIDITY} %`,
      isOutside(clearMarginHumidity, MOST_MARGIN_HUMIDITY),
    ],
    ['clearMarginHumidity', NO_ROOM, leavesNoRoom(clearMarginHumidity, lh, hh)],
  ]
}

const NO_ROOM = 'Must be at most half of what is between the thresholds'
