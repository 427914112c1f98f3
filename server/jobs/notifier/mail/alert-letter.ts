import type { FactOf } from '#machines/contracts/facts.ts'
import { NOTHING_LEFT } from '#machines/projections/writings.ts'
import { limitWords, VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { settingsAddress, violationsAddress } from '../alerts/addresses.ts'
import { type AlertedViolation, alertedViolations } from '../alerts/alerted-violations.ts'
import { type AlertSource as Alerted, writtenOf } from '../alerts/concerned.ts'
import { exhaustedLoads } from '../alerts/exhausted-loads.ts'
import { countedByType, lateWords, placeOf, stateOf, stateOfAll } from '../alerts/words.ts'
import { exhaustedWritten } from './exhausted-blocks.ts'
import { type Block, layOut } from './layout.ts'
import type { Letter, Source } from './letter.ts'
import { instantInWords, shortInstant } from './time-in-words.ts'

/** A letter about what was too warm yesterday would only annoy. */
const GOOD_FOR = 24 * 60 * 60_000
/** Lines of a digest; the rest is counted. */
const MOST_LINES = 20

type AlertSource = Alerted & Pick<Source, 'publicUrl'>

/** To somebody who is to hear of violations or exhausted budgets by e-mail: of one all there is to know, of many the worst. */
export function alertLetter(fact: FactOf<'alert.raised'>, source: AlertSource): Letter | undefined {
  const { alertId, userId, channel } = fact.data
  const { directory, publicUrl } = source
  const user = directory.users.get(userId)
  if (user === undefined || channel !== 'email') return undefined
  const company = directory.companies.get(user.companyId)
  const written = writtenOf(source, (its) => partsOf(fact, { ...its, publicUrl }, company?.timeZone))
  if (written === undefined) return undefined
  const { subject, blocks, count, leftOut, isNothingLeft } = written
  return {
    id: alertId,
    kind: count === 1 ? 'alert' : 'digest',
    to: { name: `${user.firstName} ${user.lastName}`.trim(), address: user.email },
    ...layOut(subject, [
      { is: 'text', text: `Hello ${user.firstName},` },
      ...blocks,
      {
        is: 'link',
        label: 'What reaches you by e-mail is up to you',
        href: settingsAddress(publicUrl),
        isAside: true,
      },
      { is: 'text', text: 'Frostline sent this by itself: nobody reads answers to this address.' },
    ]),
    goodUntil: fact.at + GOOD_FOR,
    isWithdrawn: company?.suspended !== false,
    ...(leftOut.length > 0 && { leftOut }),
    ...(isNothingLeft && { unreachable: NOTHING_LEFT }),
  }
}

type Written = { subject: string; blocks: Block[] }

/** `count`: of violations, or of loads; `leftOut`: the facts of those that it does not tell. */
function partsOf(
  fact: FactOf<'alert.raised'>,
  source: AlertSource,
  timeZone: string | undefined,
): (Written & { count: number; leftOut: number[] }) | undefined {
  const { publicUrl } = source
  const { loads, leftOut: loadsLeftOut } = exhaustedLoads(fact, source)
  const [load, ...others] = loads
  if (load !== undefined)
    return {
      ...exhaustedWritten([load, ...others], publicUrl, timeZone),
      count: loads.length,
      leftOut: loadsLeftOut,
    }
  const { violations, leftOut } = alertedViolations(fact, source)
  const [worst] = violations
  if (worst === undefined) return undefined
  const written =
    violations.length === 1
      ? single(worst, publicUrl, timeZone)
      : digest(violations, fact.at, publicUrl, timeZone)
  return { ...written, count: violations.length, leftOut }
}

function single(violation: AlertedViolation, publicUrl: string, timeZone: string | undefined): Written {
  const { opened, ended, device, groupName } = violation
  const { data } = opened
  const { name } = VIOLATION_WORDS[data.type]
  const late = lateWords(violation, timeZone)
  return {
    subject: `${name}${late === undefined ? '' : ', found late'}: ${device.name}, ${valueWords(data.type, data.value)}`,
    blocks: [
      {
        is: 'text',
        text: `${device.name} ${ended === undefined ? 'is' : 'was'} at ${valueWords(data.type, data.value)}, ${VIOLATION_WORDS[data.type].side} the threshold of ${limitWords(data.type, data.threshold)}.`,
      },
      ...(late === undefined ? [] : [{ is: 'text' as const, text: `${late}.` }]),
      {
        is: 'rows',
        rows: [
          ['What', name],
          ['Device', device.name],
          ['Plate number', device.plateNumber || 'none'],
          ['Group', groupName ?? 'none'],
          ['Value', valueWords(data.type, data.value)],
          ['Threshold', limitWords(data.type, data.threshold)],
          ['Since', instantInWords(data.since, timeZone)],
          ['Where', placeOf(data)],
          ['Now', stateOf(violation)],
        ],
      },
      {
        is: 'link',
        label: 'See it in the portal',
        href: violationsAddress(publicUrl, [violation], opened.at),
      },
    ],
  }
}

function digest(
  violations: AlertedViolation[],
  at: number,
  publicUrl: string,
  timeZone: string | undefined,
): Written {
  const state = stateOfAll(violations)
  const isLate = violations.every((one) => lateWords(one, timeZone) !== undefined)
  const verb = isLate ? 'were found late' : 'opened'
  const more = violations.length - MOST_LINES
  return {
    subject: `${violations.length} violations${isLate ? ' found late' : ''}, ${state}`,
    blocks: [
      {
        is: 'text',
        text: `${violations.length} violations ${verb} since you were last notified: ${countedByType(violations)}; ${state}. Times are those of ${timeZone ?? 'UTC'}.`,
      },
      { is: 'list', items: violations.slice(0, MOST_LINES).map((one) => lineOf(one, timeZone)) },
      ...(more > 0 ? [{ is: 'text' as const, text: `and ${more} more.` }] : []),
      { is: 'link', label: 'See them in the portal', href: violationsAddress(publicUrl, violations, at) },
    ],
  }
}

function lineOf(violation: AlertedViolation, timeZone: string | undefined): [string, string] {
  const { opened, device, groupName } = violation
  const { type, value, threshold, since } = opened.data
  const { name, side } = VIOLATION_WORDS[type]
  const late = lateWords(violation, timeZone)
  const beside = [device.plateNumber, groupName ?? ''].filter((each) => each !== '').join(', ')
  return [
    beside === '' ? device.name : `${device.name} (${beside})`,
    `${name}: ${valueWords(type, value)}, ${side} ${limitWords(type, threshold)}, since ${shortInstant(since, timeZone)}; ${stateOf(violation)}${late === undefined ? '' : `. ${late}`}`,
  ]
}
