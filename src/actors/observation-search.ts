import { useActorRef } from '@xstate/react'
import { useMemo } from 'react'
import { type EventObject, fromCallback, fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import {
  type ObservationQuery,
  observationSearchMachine,
} from '#machines/observation-search/observation-search.machine.ts'
import { counted } from '#machines/rules/figures.ts'
import type { NoDevice } from '#machines/rules/observation-filter.ts'
import { makeSpreadsheet } from '../effects/spreadsheet.ts'
import { fileTime, zoneName } from '../format/time.ts'
import { wordsOf } from './failure-words.ts'
import { inspect } from './inspection.ts'
import { unlessStopped } from './unless-stopped.ts'
import { useRoot } from './use-root.ts'

const HOUR_MS = 3_600_000

type Shown = { rows: readonly ObservationRow[]; requested: ObservationQuery }

export type ObservationTable = {
  /** its rows tell the name of the device, too */
  hasName: boolean
  /** what is said where no device is picked */
  noDevice: NoDevice
}

/** Readings of one device as rows, searched for when wanted, and the file of them. */
export function useObservationSearch({ hasName, noDevice }: ObservationTable) {
  const { http, clock, download, toasts } = useRoot()
  const machine = useMemo(
    () =>
      observationSearchMachine.provide({
        actors: {
          loadRows: fromPromise<readonly ObservationRow[], ObservationQuery>(({ input, signal }) => {
            const query = { data: { startDate: input.start, endDate: input.start + input.hours * HOUR_MS } }
            const options = { signal }
            return unlessStopped(
              signal,
              hasName
                ? http.ask(DEVICE_CALLS.tempObservationsLogs, { params: { id: input.imei }, query }, options)
                : http.ask(DEVICE_CALLS.observationsLogs, { params: { imei: input.imei }, query }, options),
            )
          }),
          makeFile: fromCallback<EventObject, Shown>(({ input, sendBack }) => {
            const aborter = new AbortController()
            makeSpreadsheet(
              { rows: input.rows, hasName, timeZone: zoneName },
              (rows) => sendBack({ type: 'file.grew', rows }),
              aborter.signal,
            ).then(
              (file) => {
                download(`Observation-${fileTime(clock.now())}.xlsx`, file)
                sendBack({ type: 'file.saved' })
                toasts.success(`${counted(input.rows.length, 'row')} saved`)
              },
              (error: unknown) => {
                if (aborter.signal.aborted) return
                sendBack({ type: 'file.failed', message: wordsOf(error) })
              },
            )
            return () => aborter.abort()
          }),
        },
      }),
    [http, clock, download, toasts, hasName],
  )
  return useActorRef(machine, { input: { noDevice }, inspect })
}
