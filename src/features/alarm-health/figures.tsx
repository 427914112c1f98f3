import type { ReactNode } from 'react'
import type { AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { FLOOD_AIM, MANAGEABLE } from '#machines/rules/alarm-health.ts'
import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { lasting } from '../../format/time.ts'
import { slotMean } from './words.ts'

/** What ISA-18.2 and IEC 62682 look at, each with what is aimed at. */
export function Figures({ health }: { health: AlarmHealth }) {
  const { told, mean, peak, floods, floodShare, worstShare, medianToAcknowledgeSeconds, acknowledged } =
    health
  return (
    <ul aria-label="Figures" className="grid grid-cols-2 gap-2 tablet:grid-cols-4 wall:grid-cols-8">
      <Figure value={formatCount(told)} word="alarms raised" />
      <Figure
        value={slotMean(mean)}
        word="in 10 minutes, mean"
        note={
          mean > MANAGEABLE
            ? `more than ${MANAGEABLE} is not manageable`
            : `at most ${MANAGEABLE} is manageable`
        }
        isOver={mean > MANAGEABLE}
      />
      <Figure
        value={formatCount(peak)}
        word="in 10 minutes, at most"
        note="a flood begins above 10"
        isOver={peak > 10}
      />
      <Figure
        value={percentOf(floodShare, 1)}
        word={`of the time in ${counted(floods, 'flood')}`}
        note="aim: less than 1 %"
        isOver={floodShare >= FLOOD_AIM}
      />
      <Figure value={percentOf(worstShare, 1)} word="from the ten worst devices" />
      <Figure
        value={medianToAcknowledgeSeconds === null ? '–' : lasting(medianToAcknowledgeSeconds)}
        word="to acknowledge, median"
        note={acknowledged === 0 ? 'none was acknowledged' : `of ${formatCount(acknowledged)} acknowledged`}
      />
      <Figure
        value={formatCount(health.staleCount)}
        word="open for over 24 h"
        isOver={health.staleCount > 0}
      />
      <Figure value={formatCount(health.shelvedCount)} word="shelved now" />
    </ul>
  )
}

type FigureProps = { value: string; word: string; note?: ReactNode; isOver?: boolean }

/** What is beyond what is aimed at says so in words, and in weight: colours of states are for devices. */
function Figure({ value, word, note, isOver = false }: FigureProps) {
  return (
    <li className="flex flex-col rounded-panel bg-surface px-3 py-2 shadow-soft">
      <span className="tabular font-semibold text-figure">{value}</span>
      <span className="text-dense text-ink-soft">{word}</span>
      {note && (
        <span className={isOver ? 'font-medium text-dense text-ink' : 'text-dense text-ink-faint'}>
          {isOver && <span aria-hidden>▲ </span>}
          {note}
        </span>
      )}
    </li>
  )
}
