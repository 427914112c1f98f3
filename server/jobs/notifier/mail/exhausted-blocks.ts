import { EXHAUSTED_WORDS } from '#machines/rules/budget-words.ts'
import { loadsAddress } from '../alerts/addresses.ts'
import type { ExhaustedLoad } from '../alerts/exhausted-loads.ts'
import type { Block } from './layout.ts'
import { instantInWords, shortInstant } from './time-in-words.ts'

/** Lines of a digest; the rest is counted. */
const MOST_LINES = 20

type Written = { subject: string; blocks: Block[] }

/** That budgets of loads are exhausted: of one all there is to know, of many a line each. At least one. */
export const exhaustedWritten = (
  loads: readonly [ExhaustedLoad, ...ExhaustedLoad[]],
  publicUrl: string,
  timeZone: string | undefined,
): Written => (loads.length === 1 ? single(loads[0], publicUrl, timeZone) : many(loads, publicUrl, timeZone))

function single(load: ExhaustedLoad, publicUrl: string, timeZone: string | undefined): Written {
  const { exhausted, reference, profileName, ruleUsed, device, groupName } = load
  const { loadId, receivedAt } = exhausted.data
  return {
    subject: `Budget exhausted: ${reference}, ${device.name}`,
    blocks: [
      { is: 'text', text: `${reference} on ${device.name}. ${EXHAUSTED_WORDS}.` },
      {
        is: 'rows',
        rows: [
          ['Load', reference],
          ['Device', device.name],
          ['Plate number', device.plateNumber || 'none'],
          ['Group', groupName ?? 'none'],
          ['Profile', profileName],
          ['Rule', ruleUsed],
          ['Since', instantInWords(exhausted.at, timeZone)],
          ...(receivedAt === undefined
            ? []
            : [['Known since', instantInWords(receivedAt, timeZone)] as [string, string]]),
        ],
      },
      { is: 'link', label: 'See the load in the portal', href: loadsAddress(publicUrl, loadId) },
    ],
  }
}

function many(loads: readonly ExhaustedLoad[], publicUrl: string, timeZone: string | undefined): Written {
  const more = loads.length - MOST_LINES
  return {
    subject: `Budgets of ${loads.length} loads exhausted`,
    blocks: [
      {
        is: 'text',
        text: `The budgets of ${loads.length} loads were exhausted since you were last notified: hold them for review. Times are those of ${timeZone ?? 'UTC'}.`,
      },
      { is: 'list', items: loads.slice(0, MOST_LINES).map((each) => lineOf(each, timeZone)) },
      ...(more > 0 ? [{ is: 'text' as const, text: `and ${more} more.` }] : []),
      { is: 'link', label: 'See the loads in the portal', href: loadsAddress(publicUrl) },
    ],
  }
}

function lineOf(
  { exhausted, reference, ruleUsed, device, groupName }: ExhaustedLoad,
  timeZone: string | undefined,
): [string, string] {
  const beside = [device.name, device.plateNumber, groupName ?? ''].filter((each) => each !== '').join(', ')
  return [`${reference} (${beside})`, `since ${shortInstant(exhausted.at, timeZone)}. ${ruleUsed}`]
}
