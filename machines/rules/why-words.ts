import type { NotificationWhy } from '../contracts/entities/notifications.ts'
import { lengthWords } from './found-late.ts'
import { valueWords } from './violation-words.ts'

type Violation = NotificationWhy['violation']

/** How times are written: an instant with its day, one of the same day, and how long something lasts (s). */
export type WhyTimes = {
  time(instant: string): string
  clock(instant: string): string
  span(seconds: number): string
}

/** Else it was below, be it of temperature or humidity. */
export const isAbove = ({ type }: Pick<Violation, 'type'>): boolean => type.startsWith('HIGH')
/** A measured value with its unit. */
export const withUnit = ({ type }: Pick<Violation, 'type'>, value: number): string => valueWords(type, value)

/** How a violation came about, and how it ended or will, as sentences. */
export function whyInWords(
  { violation, groupName, late, toldAs, doors = [] }: NotificationWhy,
  times: WhyTimes,
): string[] {
  const { time, span } = times
  const { since, openedAt, threshold, delaySeconds, clearMargin, clearedAt, worst, clearReason, value } =
    violation
  const above = isAbove(violation)
  const side = above ? 'above' : 'below'
  const limit = `the ${above ? 'high' : 'low'} threshold ${withUnit(violation, threshold)}${groupName === null ? '' : ` of ${groupName}`}`
  const back = above ? threshold - clearMargin : threshold + clearMargin
  const sentences = [
    `It was ${side} ${limit} ${violation.isSinceBefore ? 'since before' : 'from'} ${time(since)}${violation.isSinceBefore ? '' : ' on'}.`,
    delaySeconds === 0
      ? `That is a violation at once: ${withUnit(violation, value)} at ${time(openedAt)}.`
      : `After more than ${span(delaySeconds)} of that it is a violation: ${withUnit(violation, value)} at ${time(openedAt)}.`,
  ]
  if (clearedAt === null)
    sentences.push(
      `It lasts until a reading is ${above ? 'at or below' : 'at or above'} ${withUnit(violation, back)}: ${marginOf(violation)} inside the threshold.`,
    )
  else
    sentences.push(
      `It ended at ${time(clearedAt)}, ${ENDS[clearReason ?? 'back-inside']}${worst === null ? '' : `; at worst it was ${withUnit(violation, worst)}`}.`,
    )
  if (toldAs !== undefined)
    sentences.push(`At first it was published as ${side} since ${time(toldAs.since)}: more is known by now.`)
  if (late !== undefined) sentences.push(...lateInWords(violation, late, times))
  if (doors.length > 0) sentences.push(`Door open ${doors.map((door) => doorTime(door, times)).join(', ')}.`)
  return sentences
}

/** When the reading that made it a violation, and the first late one, were measured and received. */
function lateInWords(
  violation: Violation,
  { opening, first }: NonNullable<NotificationWhy['late']>,
  { time }: WhyTimes,
): string[] {
  const sentence = (which: string, { at, receivedAt, value }: typeof first): string =>
    `${which} (${withUnit(violation, value)}) was measured at ${time(at)} and received at ${time(receivedAt)}, ${lengthWords(Date.parse(receivedAt) - Date.parse(at))} late.`
  const sentences: string[] = []
  if (opening !== null) sentences.push(sentence('The reading that made it a violation', opening))
  if (opening?.at !== first.at) sentences.push(sentence('The first late reading', first))
  return sentences
}

function doorTime({ from, to }: NonNullable<NotificationWhy['doors']>[number], { clock }: WhyTimes): string {
  const since = clock(from)
  return to === null ? `since ${since}` : `${since}–${clock(to)}`
}

const ENDS: Record<NonNullable<Violation['clearReason']>, string> = {
  'back-inside': 'when it was back inside',
  'threshold-changed': 'because the threshold was changed',
  'sensor-unplugged': 'because the sensor was unplugged',
}

const marginOf = (violation: Violation): string => withUnit(violation, violation.clearMargin)

export const CHANNELS: Record<NotificationWhy['told'][number]['channel'], string> = {
  screen: 'On screen',
  email: 'E-mail',
  sms: 'SMS',
}

export const DELIVERY_STATES: Record<NotificationWhy['told'][number]['state'], string> = {
  seen: 'seen',
  sent: 'sent',
  waiting: 'waiting to be sent',
  failed: 'failed',
}
