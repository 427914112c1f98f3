import { useActorRef, useSelector } from '@xstate/react'
import { useMemo, useState } from 'react'
import { array, nullable, number, type as open, set, string } from 'superstruct'
import { fromPromise } from 'xstate'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { ALL, type DeviceType, type ViolationType } from '#machines/contracts/scalars.ts'
import { reportRequestMachine } from '#machines/report-request/report-request.machine.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { termsOf } from '#machines/rules/report-interval.ts'
import type { ReportChoice } from '#machines/rules/report-request.ts'
import { inspect } from './inspection.ts'
import { KeptNumber, KeptPicks } from './kept-values.ts'
import { selectionToSend } from './report-selection.ts'
import type { Root } from './root.ts'
import { useDraft } from './use-drafts.ts'
import { useRoot, useSignedIn } from './use-root.ts'

export const LOG_PATH = '/download/reports'

/** What a screen asks for: a report by a call of its own, or one of the types of `/reports/{type}`. */
export type Wanted =
  | { kind: 'distance' | 'temperature' | 'observation' | 'event' | 'power' }
  | { kind: 'interval'; type: string }

export type ReportRequest = {
  choice: ReportChoice
  choose: (patch: Partial<ReportChoice>) => void
  /** what is wrong with a field */
  messageOf: (field: string) => string | undefined
  submit: () => void
  /** how often it was refused: with each the cursor goes to what is wrong */
  refusals: number
  /** why the server did not take it */
  error: string | null
  isSending: boolean
  /** it is taken: the dialog is open */
  isSent: boolean
  close: () => void
  view: () => void
}

/** A report of this sort is chosen and asked for. `begin` and `check` are read once, when the page opens. */
export function useReportRequest(
  wanted: Wanted,
  begin: (now: number) => ReportChoice,
  check: (choice: ReportChoice, now: number) => readonly Fault[],
): ReportRequest {
  const root = useRoot()
  const { user } = useSignedIn()
  const [input] = useState(() => ({
    choice: { ...begin(root.clock.now()), ...root.drafts.kept(DRAFT, KeptChoice) } as ReportChoice,
    check,
  }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page of another report is another page
  const machine = useMemo(
    () =>
      reportRequestMachine.provide({
        actors: {
          sendRequest: fromPromise<void, { choice: ReportChoice }>(({ input: { choice }, signal }) =>
            send(root, { groupId: user.groupId, companyId: user.companyId }, wanted, choice, signal),
          ),
        },
        actions: { showLog: () => root.goTo(LOG_PATH) },
      }),
    [root, user.groupId, user.companyId],
  )
  const actor = useActorRef(machine, { input, inspect })
  const { choice, faults, refusals, error } = useSelector(actor, ({ context }) => context)
  const state = useSelector(actor, ({ value }) => value)
  useDraft(DRAFT, () => choice)
  return {
    choice,
    choose: (patch) => actor.send({ type: 'choose', patch }),
    messageOf: (field) => faults.find(({ path }) => path === field)?.message,
    submit: () => actor.send({ type: 'submit', now: root.clock.now() }),
    refusals,
    error,
    isSending: state === 'sending',
    isSent: state === 'sent',
    close: () => actor.send({ type: 'close' }),
    view: () => actor.send({ type: 'view' }),
  }
}

const DRAFT = 'choice'
/** What was chosen, kept while there was no answer. */
const KeptChoice = open({
  groups: set(string()),
  devices: KeptPicks,
  from: nullable(number()),
  to: nullable(number()),
  hours: nullable(number()),
  types: KeptPicks,
  geofences: array(string()),
  minDistance: KeptNumber,
  speed: KeptNumber,
})

type Whose = { groupId: string; companyId: string }

/** @throws Error whose message is for the visitor */
async function send(
  { http, live }: Root,
  params: Whose,
  wanted: Wanted,
  choice: ReportChoice,
  signal: AbortSignal,
): Promise<void> {
  const fleet = live.get()?.fleet
  if (fleet === undefined) throw new Error('The devices are still loading.')
  // what is ticked by groups is among the vehicles already in the vehicles step
  const picked = wanted.kind === 'interval' ? { groups: new Set<string>(), devices: choice.devices } : choice
  const { things, groups } = selectionToSend(fleet, picked, allKindOf(wanted))
  const startDate = choice.from ?? Number.NaN
  const endDate = choice.to ?? Number.NaN
  const selection = { things, groups, startDate, endDate }
  const options = { signal }
  const extra = () => {
    switch (wanted.kind) {
      case 'distance':
        return http.ask(REPORT_CALLS.requestDistanceReport, { params, body: selection }, options)
      case 'temperature':
        return http.ask(REPORT_CALLS.requestTemperatureReport, { params, body: selection }, options)
      case 'power':
        return http.ask(REPORT_CALLS.requestPowerReport, { params, body: selection }, options)
      case 'observation': {
        const interval = { startDate, endDate: startDate + (choice.hours ?? Number.NaN) * HOUR_MS }
        const body = { vehicels: things, interval }
        return http.ask(REPORT_CALLS.requestObservationReport, { params, body }, options)
      }
      case 'event': {
        const type: (typeof ALL | ViolationType)[] = choice.types === 'all' ? [ALL] : [...choice.types]
        const body = { ...selection, reportType: 'eventReport', type }
        return http.ask(REPORT_CALLS.requestReport, { params, body }, options)
      }
      case 'interval': {
        const { type: reportType } = wanted
        const body = { ...selection, reportType, ...termsToSend(reportType, choice) }
        return http.ask(REPORT_CALLS.requestReport, { params, body }, options)
      }
    }
  }
  await extra()
}

const HOUR_MS = 3_600_000

/** ALL is every vehicle of the company where the documents say so, every device on the other screens. */
export const allKindOf = ({ kind }: Pick<Wanted, 'kind'>): DeviceType | undefined =>
  kind === 'power' || kind === 'temperature' || kind === 'interval' ? 'vehicle' : undefined

function termsToSend(type: string, { geofences, minDistance, speed }: ReportChoice) {
  const { hasGeofences, hasMinDistance, hasSpeed } = termsOf(type)
  return {
    ...(hasGeofences && { geofences: [...geofences] }),
    ...(hasMinDistance && { minDistance }),
    ...(hasSpeed && { speed }),
  }
}
