import type { ReactNode } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { AsideRow, ObservationsAside } from '#machines/contracts/entities/devices.ts'
import type { ObservationQuery } from '#machines/observation-search/observation-search.machine.ts'
import { type KeptAnswer, useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { observationTime } from '../../format/time.ts'
import { DamagedNotice } from '../../layout/damaged-notice.tsx'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { asideWords, droppedWords, measuredWords, moreWords, refusedWords } from './aside-words.ts'

const HOUR_MS = 3_600_000

/** What the table of a search leaves out. */
function useAside({ imei, start, hours }: ObservationQuery): KeptAnswer<ObservationsAside> {
  const query = { data: { startDate: start, endDate: start + hours * HOUR_MS } }
  return useKeptAnswer(DEVICE_CALLS.observationsAside, { params: { imei }, query }, { isBackground: true })
}

/**
 * The table of a search with what it leaves out: above it spans whose readings are damaged, beneath it readings that are kept
 * but do not count, and what was dropped of others or refused for its time. Nothing where there are none.
 */
export function WithAside({ requested, children }: { requested: ObservationQuery; children?: ReactNode }) {
  const kept = useAside(requested)
  return (
    <>
      <DamagedNotice spans={kept.answer?.damaged ?? []} />
      {children}
      <KeptAside {...kept} />
    </>
  )
}

function KeptAside({ answer, failure, ask }: KeptAnswer<ObservationsAside>) {
  if (answer === undefined)
    return failure === null ? null : (
      <Panel className="flex flex-wrap items-center gap-3 p-4">
        <p className="flex-1">What was kept aside could not be loaded: {failure.message}</p>
        <Button onPress={ask}>Try again</Button>
      </Panel>
    )
  const { aside, more, dropped, refused = [] } = answer
  const refusals = [
    ...dropped.map((one) => ({ ...one, words: droppedWords(one) })),
    ...refused.map((one) => ({ ...one, words: refusedWords(one) })),
  ]
  if (aside.length === 0 && refusals.length === 0) return null
  return (
    <Panel title="Kept aside">
      <p className="px-4 pb-2 text-dense text-ink-soft">
        What else this device sent. It counts in no chart, report or violation unless it says so.
      </p>
      {aside.length > 0 && (
        <ul
          aria-label="Readings kept aside"
          className="tabular flex max-h-96 flex-col overflow-auto px-4 pb-3 print:max-h-none print:overflow-visible"
        >
          {aside.map((one) => (
            <Aside key={`${one.kind} ${one.receivedAt} ${JSON.stringify(one.row)}`} one={one} />
          ))}
          {more > 0 && <li className="py-1 text-ink-faint">and {moreWords(more)}</li>}
        </ul>
      )}
      {refusals.length > 0 && (
        <ul aria-label="Dropped or refused" className="tabular flex flex-col px-4 pb-3 text-dense">
          {refusals.map(({ at, reason, words }) => (
            <li key={`${at} ${reason}`} className="border-line border-t py-1.5">
              {words}
            </li>
          ))}
          <li className="py-1 text-ink-faint">
            As far as is known since <Time at={answer.droppedSince} as={observationTime} />.
          </li>
        </ul>
      )}
    </Panel>
  )
}

function Aside({ one }: { one: AsideRow }) {
  const { timestamp } = one.row
  return (
    <li className="flex flex-wrap gap-x-3 border-line border-t py-1.5 text-dense">
      <span className="font-medium">
        {timestamp === null ? 'N/A' : <Time at={timestamp} as={observationTime} />}
      </span>
      <span>{measuredWords(one.row)}</span>
      <span className="text-ink-soft">{asideWords(one)}</span>
    </li>
  )
}
