import type { ShiftAction, ShiftSummary } from '#machines/contracts/entities/shift.ts'
import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { kindWords } from '../../layout/incidents/lines.ts'

type Counts = ShiftSummary['counts']

/**
 * «5 violations came up, 2 are still open; 3 devices were lost, 1 still is; 4 from before are over; 1 budget was exhausted; 2 loads are at
 * risk», or that nothing happened.
 */
export function countWords(counts: Counts): string {
  const { opened, stillOpen, lost, stillLost, ended, exhausted, atRisk, decided } = counts
  const parts = [
    opened > 0 && `${counted(opened, 'violation')} came up, ${stillWords(stillOpen, 'open')}`,
    lost > 0 &&
      `${counted(lost, 'device')} ${lost === 1 ? 'was' : 'were'} lost, ${stillWords(stillLost, 'lost')}`,
    ended > 0 && `${formatCount(ended)} from before ${ended === 1 ? 'is' : 'are'} over`,
    exhausted > 0 && `${counted(exhausted, 'budget')} ${exhausted === 1 ? 'was' : 'were'} exhausted`,
    atRisk > 0 && `${counted(atRisk, 'load')} ${atRisk === 1 ? 'is' : 'are'} at risk`,
    decided > 0 && `${counted(decided, 'load')} ${decided === 1 ? 'was' : 'were'} decided about`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'nothing came up' : parts.join('; ')
}

const stillWords = (count: number, what: string): string =>
  `${count === 0 ? 'none' : formatCount(count)} still ${what}`

/** What somebody did, after their name: «acknowledged High temperature: Doors open». */
export function actionWords({ action, type, text }: ShiftAction): string {
  const what = type === null ? '' : ` ${kindWords(type)}`
  const why = text === '' ? '' : `: ${text}`
  return `${VERBS[action]}${what}${why}`
}

const VERBS: Record<ShiftAction['action'], string> = {
  acknowledged: 'acknowledged',
  taken: 'took',
  released: 'gave up',
  commented: 'said',
  shelved: 'shelved',
  unshelved: 'ended the silence of',
  'taken-back': 'showed that there never was',
}

/** Who did it. */
export const doerWords = ({ userName }: ShiftAction): string => userName ?? 'Late readings'
