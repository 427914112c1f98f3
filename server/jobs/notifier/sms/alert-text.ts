import type { FactOf } from '#machines/contracts/facts.ts'
import { NOTHING_LEFT } from '#machines/projections/writings.ts'
import { reachablePhone } from '#machines/rules/phone-number.ts'
import { limitWords, VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { portalAddress } from '../alerts/addresses.ts'
import { type AlertedViolation, alertedViolations } from '../alerts/alerted-violations.ts'
import { type AlertSource, writtenOf } from '../alerts/concerned.ts'
import { type ExhaustedLoad, exhaustedLoads } from '../alerts/exhausted-loads.ts'
import { countedByType, lateWords, stateOfAll } from '../alerts/words.ts'
import { shortInstant } from '../mail/time-in-words.ts'
import { inGsm7 } from './gsm7.ts'
import type { TextMessage } from './text-message.ts'

/** What text messages are written from, besides the fact they tell of. */
export type TextSource = AlertSource & { publicUrl: string }

/** An hour later whoever is not looking has been told otherwise, or it is too late. */
const GOOD_FOR = 60 * 60_000
/** Characters in one message, and in two that are put together (seven of each go to saying so). */
const ONE_PART = 160
const TWO_PARTS = 306
/** Of a name: a longer one would leave no room for what it is about. */
const LONGEST_NAME = 40

/** To somebody who is to hear of violations or exhausted budgets by SMS. */
export function alertText(fact: FactOf<'alert.raised'>, source: TextSource): TextMessage | undefined {
  const { alertId, userId, channel } = fact.data
  const { directory, publicUrl } = source
  const user = directory.users.get(userId)
  if (user === undefined || channel !== 'sms') return undefined
  const company = directory.companies.get(user.companyId)
  const written = writtenOf(source, (its) => partsOf(fact, its, company?.timeZone))
  if (written === undefined) return undefined
  const phone = reachablePhone(user.phone)
  const isOne = written.count === 1
  return {
    id: alertId,
    kind: isOne ? 'alert' : 'digest',
    to: phone ?? user.phone,
    text: fitted(written.parts, publicUrl, isOne ? ONE_PART : TWO_PARTS),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn: company?.suspended !== false,
    ...(written.leftOut.length > 0 && { leftOut: written.leftOut }),
    ...(phone === undefined && { unreachable: 'there is no phone number that can be reached' }),
    ...(written.isNothingLeft && { unreachable: NOTHING_LEFT }),
  }
}

/** Said in order, as far as there is room: what comes first is never left out. */
type Parts = [string, ...string[]]

/** `count`: of violations, or of loads; `leftOut`: the facts of those that are not said. */
function partsOf(
  fact: FactOf<'alert.raised'>,
  source: AlertSource,
  timeZone: string | undefined,
): { parts: Parts; count: number; leftOut: number[] } | undefined {
  const { loads, leftOut: loadsLeftOut } = exhaustedLoads(fact, source)
  const [load] = loads
  if (load !== undefined) {
    const parts = loads.length === 1 ? ofOneLoad(load, timeZone) : ofLoads(loads)
    return { parts, count: loads.length, leftOut: loadsLeftOut }
  }
  const { violations, leftOut } = alertedViolations(fact, source)
  const [worst] = violations
  if (worst === undefined) return undefined
  const parts = violations.length === 1 ? ofOne(worst, timeZone) : ofMany(violations, timeZone)
  return { parts, count: violations.length, leftOut }
}

const ofOneLoad = ({ exhausted, reference, device, groupName }: ExhaustedLoad, timeZone?: string): Parts => [
  `Frostline: ${shortened(reference)} on ${shortened(device.name)}: budget exhausted since ${shortInstant(exhausted.at, timeZone)}, hold for review.`,
  ...(groupName === null ? [] : [` ${shortened(groupName)}.`]),
]

const ofLoads = (loads: readonly ExhaustedLoad[]): Parts => [
  `Frostline: budgets of ${loads.length} loads exhausted, hold them for review.`,
  ...loads
    .slice(0, 3)
    .map(({ reference, device }) => ` ${shortened(reference)} on ${shortened(device.name)}.`),
]

function ofOne(violation: AlertedViolation, timeZone: string | undefined): Parts {
  const { opened, device, groupName, ended } = violation
  const { type, value, threshold, since } = opened.data
  const { name, side } = VIOLATION_WORDS[type]
  const state = ended === undefined ? '' : ' (over)'
  const late = lateWords(violation, timeZone) === undefined ? '' : 'found late: '
  return [
    `Frostline: ${late}${shortened(device.name)}: ${name.toLowerCase()} ${valueWords(type, value)}, ${side} ${limitWords(type, threshold)}, since ${shortInstant(since, timeZone)}${state}.`,
    ...(groupName === null ? [] : [` ${shortened(groupName)}.`]),
  ]
}

function ofMany(violations: AlertedViolation[], timeZone: string | undefined): Parts {
  const isLate = violations.every((one) => lateWords(one, timeZone) !== undefined)
  const worst = violations.map(
    ({ opened: { data }, device }, i) =>
      `${i === 0 ? ' Worst: ' : ', '}${shortened(device.name)} ${valueWords(data.type, data.value)}`,
  )
  return [
    `Frostline: ${violations.length} violations${isLate ? ' found late' : ''} (${countedByType(violations)}), ${stateOfAll(violations)}.`,
    ...worst.slice(0, 3),
  ]
}

/** As much as there is room for; the address goes before all but the first. */
function fitted([first, ...others]: Parts, publicUrl: string, room: number): string {
  const address = ` ${portalAddress(publicUrl)}`
  let text = inGsm7(first)
  const end = text.length + address.length <= room ? address : ''
  for (const part of others.map(inGsm7)) {
    if (text.length + part.length + end.length > room) break
    text += part
  }
  return `${text}${end}`.slice(0, room)
}

const shortened = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 2)}..` : name
