import { useCallback, useEffect, useState } from 'react'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import {
  type DeviceImport,
  IMPORT_BYTES,
  IMPORT_COLUMNS,
  type LineRemark,
} from '#machines/contracts/entities/device-records.ts'
import { failureMessage } from '../effects/call-failures.ts'
import { download } from '../effects/download.ts'
import { csvOf } from '../format/csv-of.ts'
import { useRoot } from './use-root.ts'

const LOOK_EVERY_MS = 400

/** A list of devices on its way. `faults`, `warnings`: the first of them, with how many there are in `job`. */
export type DeviceImporting = {
  job: DeviceImport | undefined
  faults: readonly LineRemark[]
  warnings: readonly LineRemark[]
  isSending: boolean
  error: string | null
  begin(file: File): void
  apply(keepsGoodLines: boolean): void
  cancel(): void
  /** one that stopped on the way is read anew */
  retry(): void
  /** nothing is chosen any more */
  again(): void
  saveTemplate(): void
  /** all bad lines as a file */
  saveFaults(): void
}

/** Sends a list, follows it while the server reads and adds it, and says what is wrong with which line. */
export function useDeviceImport(): DeviceImporting {
  const { http } = useRoot()
  const [job, setJob] = useState<DeviceImport>()
  const [faults, setFaults] = useState<readonly LineRemark[]>([])
  const [warnings, setWarnings] = useState<readonly LineRemark[]>([])
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const id = job?._id
  const isUnderWay = job?.state === 'reading' || job?.state === 'adding'

  const attempt = useCallback(async (work: () => Promise<DeviceImport | undefined>) => {
    setError(null)
    try {
      const answer = await work()
      if (answer !== undefined) setJob(answer)
    } catch (failure) {
      setError(failureMessage(failure) ?? 'It could not be done')
    }
  }, [])

  useEffect(() => {
    if (!isUnderWay || id === undefined) return
    const aborter = new AbortController()
    const timer = setInterval(() => {
      http
        .ask(
          REGISTRATION_CALLS.deviceImport,
          { params: { id } },
          { signal: aborter.signal, isBackground: true },
        )
        .then(
          (answer) => {
            setJob(answer)
            setError(null)
          },
          (failure) => {
            if (!aborter.signal.aborted) setError(failureMessage(failure) ?? null)
          },
        )
    }, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      aborter.abort()
    }
  }, [http, id, isUnderWay])

  const state = job?.state
  useEffect(() => {
    if (state !== 'checked' || id === undefined) return
    let isGone = false
    const remarksOf = (of: 'faults' | 'warnings') =>
      http.ask(REGISTRATION_CALLS.importRemarks, { params: { id }, query: { of } })
    Promise.all([remarksOf('faults'), remarksOf('warnings')]).then(
      ([bad, odd]) => {
        if (isGone) return
        setFaults(bad.remarks)
        setWarnings(odd.remarks)
      },
      (failure) => !isGone && setError(failureMessage(failure) ?? null),
    )
    return () => {
      isGone = true
    }
  }, [http, id, state])

  return {
    job,
    faults,
    warnings,
    isSending,
    error,
    begin(file) {
      if (file.size >= IMPORT_BYTES) {
        setError(`The file is larger than ${IMPORT_BYTES / 1024 / 1024} MB: part it`)
        return
      }
      setFaults([])
      setWarnings([])
      setSending(true)
      void attempt(() =>
        http.ask(
          REGISTRATION_CALLS.importDevices,
          { query: { fileName: file.name.slice(0, 200) || 'devices' } },
          { file },
        ),
      ).finally(() => setSending(false))
    },
    apply: (keepsGoodLines) =>
      void attempt(async () =>
        id === undefined
          ? undefined
          : http.ask(REGISTRATION_CALLS.applyImport, {
              params: { id },
              body: keepsGoodLines ? { only: 'good-lines' } : {},
            }),
      ),
    cancel: () =>
      void attempt(async () =>
        id === undefined ? undefined : http.ask(REGISTRATION_CALLS.cancelImport, { params: { id } }),
      ),
    retry: () =>
      void attempt(async () =>
        id === undefined ? undefined : http.ask(REGISTRATION_CALLS.retryImport, { params: { id } }),
      ),
    again() {
      setJob(undefined)
      setFaults([])
      setWarnings([])
      setError(null)
    },
    saveTemplate() {
      const example = [
        '356307042441013',
        'Reefer 1',
        'LES-1234',
        'vehicle',
        'Hino 500',
        '',
        '2027-03-31',
        'UTC',
      ]
      download('devices.csv', csvOf([[...IMPORT_COLUMNS], example]))
    },
    saveFaults: () =>
      void attempt(async () => {
        if (id === undefined) return undefined
        const rows: string[][] = [['Line', 'IMEI', 'Reason']]
        for (let total = 1; rows.length - 1 < total; ) {
          const skip = rows.length - 1
          const answer = await http.ask(REGISTRATION_CALLS.importRemarks, {
            params: { id },
            query: { of: 'faults', skip },
          })
          if (answer.remarks.length === 0) break
          total = answer.total
          for (const { line, imei, reason } of answer.remarks) rows.push([String(line), imei, reason])
        }
        download('lines-not-taken.csv', csvOf(rows))
        return undefined
      }),
  }
}
