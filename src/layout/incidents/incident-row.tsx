import { useContext, useSyncExternalStore } from 'react'
import {
  type Glance,
  type Incident,
  isViolation,
  type Shelving,
} from '#machines/contracts/entities/incidents.ts'
import { lasting } from '../../format/time.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { classNames } from '../../ui/class-names.ts'
import { ClockContext, onEachBeat } from '../../ui/clock-context.ts'
import { STATE_INK, STATE_WORDS, StateGlyph } from '../../ui/state-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { Holder } from './holder.tsx'
import { glyphOfIncident, rowWords } from './lines.ts'
import { Sparkline } from './sparkline.tsx'

export type IncidentRowProps = {
  fleet: Fleet
  incident: Incident
  shelving: Shelving | undefined
  glance: Glance | undefined
}

/**
 * One incident wherever it is listed: the device and where it is, its value and how far beyond the limit or that it is lost, since
 * when, its last hours, and who has it.
 */
export function IncidentRow({ fleet, incident, shelving, glance }: IncidentRowProps) {
  const { imei, since, clearedAt, said } = incident
  const row = fleet.names.rowOf(imei)
  const { first, second } = rowWords(fleet, incident)
  const glyph = glyphOfIncident(fleet, incident)
  const isOver = clearedAt !== null
  return (
    <span className="flex min-w-0 flex-1 items-center gap-1.5 text-left @sm:gap-2">
      <StateGlyph state={glyph} size={14} isDecorative isQuiet={isOver} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{row < 0 ? imei : fleet.names.of(row, 'name')}</span>
        <span className="block truncate text-dense text-ink-soft">
          <span className="sr-only">{`${STATE_WORDS[glyph]}, `}</span>
          {glance?.place || (row < 0 ? '' : fleet.names.of(row, 'plate'))}
          {said && ` · “${said.comment}” ${said.userName}`}
        </span>
      </span>
      <span className="tabular shrink-0 text-right">
        <span className={classNames('block font-semibold', !isOver && STATE_INK[glyph])}>{first}</span>
        <span className="block text-dense text-ink-soft">{second}</span>
      </span>
      <span className="tabular w-12 shrink-0 text-right @sm:w-14">
        <Time at={since} className="block font-medium">
          <Lasted since={Date.parse(since)} until={clearedAt === null ? undefined : Date.parse(clearedAt)} />
        </Time>
        <span className="block text-dense text-ink-soft">
          {isOver ? 'over' : isViolation(incident) ? 'out' : 'lost'}
        </span>
      </span>
      <span className="hidden shrink-0 @lg:block">
        <Sparkline glance={glance} incident={incident} glyph={glyph} />
      </span>
      <Holder incident={incident} shelving={shelving} />
    </span>
  )
}

/** How long it lasts, or lasted. */
function Lasted({ since, until }: { since: number; until: number | undefined }) {
  const clock = useContext(ClockContext)
  return useSyncExternalStore(eachSecond, () => lasting(Math.max(0, ((until ?? clock.now()) - since) / 1000)))
}

const eachSecond = (renew: () => void): (() => void) => onEachBeat(1000, renew)
