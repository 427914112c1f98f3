import { useEffect, useRef, useState } from 'react'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import {
  type DeviceImport,
  IMPORT_BYTES,
  IMPORT_COLUMNS,
  type LineRemark,
} from '#machines/contracts/entities/device-records.ts'
import { failureMessage } from '../effects/call-failures.ts'
import { download } from '../effects/download.ts'
import type { Http } from '../effects/http.ts'
import { csvOf } from '../format/csv-of.ts'
import { useRoot } from './use-root.ts'

const LOOK_EVERY_MS = 400
/** A line of the template. */
const EXAMPLE = ['356307042441013', 'Reefer 1', 'LES-1234', 'vehicle', 'Hino 500', '', '2027-03-31', 'UTC']

/** The first of them, with how many there are in the job. */
type Remarks = { faults: readonly LineRemark[]; warnings: readonly LineRemark[] }
const NO_REMARKS: Remarks = { faults: [], warnings: [] }

/** A list of devices on its way. */
export type DeviceImporting = Remarks & {
  job: DeviceImport | undefined
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
  const [remarks, setRemarks] = useState(NO_REMARKS)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  /** another with each list: what is answered of an earlier one says nothing any more */
  const round = useRef(0)
  const id = job?._id
  useUnderWay(http, job, setJob, setError)
  useRemarks(http, job, setRemarks, setError)

  async function attempt(work: () => Promise<DeviceImport | undefined>): Promise<void> {
    const mine = round.current
    setError(null)
    try {
      const answer = await work()
      if (answer && mine === round.current) setJob(answer)
    } catch (failure) {
      if (mine === round.current) setError(failureMessage(failure) ?? 'It could not be done')
    }
  }
  const change = (work: (id: string) => Promise<DeviceImport | undefined>): void => {
    if (id !== undefined) void attempt(() => work(id))
  }

  return {
    job,
    ...remarks,
    isSending,
    error,
    begin(file) {
      if (file.size >= IMPORT_BYTES) {
        setError(`The file is larger than ${IMPORT_BYTES / 1024 / 1024} MB: part it`)
        return
      }
      setRemarks(NO_REMARKS)
      setSending(true)
      const query = { fileName: file.name.slice(0, 200) || 'devices' }
      void attempt(() => http.ask(REGISTRATION_CALLS.importDevices, { query }, { file })).finally(() =>
        setSending(false),
      )
    },
    apply: (keepsGoodLines) =>
      change((its) =>
        http.ask(REGISTRATION_CALLS.applyImport, {
          params: { id: its },
          body: keepsGoodLines ? { only: 'good-lines' } : {},
        }),
      ),
    cancel: () => change((its) => http.ask(REGISTRATION_CALLS.cancelImport, { params: { id: its } })),
    retry: () => change((its) => http.ask(REGISTRATION_CALLS.retryImport, { params: { id: its } })),
    again() {
      round.current++
      setJob(undefined)
      setRemarks(NO_REMARKS)
      setError(null)
    },
    saveTemplate: () => download('devices.csv', csvOf([[...IMPORT_COLUMNS], EXAMPLE])),
    saveFaults: () =>
      change(async (its) => {
        download('lines-not-taken.csv', csvOf(await faultsOf(http, its)))
        return undefined
      }),
  }
}

/** Follows a list while the server reads or adds it. */
function useUnderWay(
  http: Http,
  job: DeviceImport | undefined,
  onJob: (job: DeviceImport) => void,
  onError: (message: string | null) => void,
): void {
  const id = job?._id
  const isUnderWay = job?.state === 'reading' || job?.state === 'adding'
  useEffect(() => {
    if (!isUnderWay || id === undefined) return
    const aborter = new AbortController()
    const { signal } = aborter
    let timer: ReturnType<typeof setTimeout>
    let hasFailed = false
    const look = async (): Promise<void> => {
      try {
        onJob(
          await http.ask(REGISTRATION_CALLS.deviceImport, { params: { id } }, { signal, isBackground: true }),
        )
        // why something else was refused stays said
        if (hasFailed) onError(null)
        hasFailed = false
      } catch (failure) {
        if (signal.aborted) return
        hasFailed = true
        onError(failureMessage(failure) ?? null)
      }
      if (!signal.aborted) timer = setTimeout(look, LOOK_EVERY_MS)
    }
    timer = setTimeout(look, LOOK_EVERY_MS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [http, id, isUnderWay, onJob, onError])
}

/** Asks what is wrong or odd in a list, once it is checked. */
function useRemarks(
  http: Http,
  job: DeviceImport | undefined,
  onRemarks: (remarks: Remarks) => void,
  onError: (message: string | null) => void,
): void {
  const id = job?._id
  const state = job?.state
  useEffect(() => {
    if (state !== 'checked' || id === undefined) return
    let isGone = false
    const remarksOf = (of: 'faults' | 'warnings') =>
      http.ask(REGISTRATION_CALLS.importRemarks, { params: { id }, query: { of } })
    Promise.all([remarksOf('faults'), remarksOf('warnings')]).then(
      ([faults, warnings]) => {
        if (!isGone) onRemarks({ faults: faults.remarks, warnings: warnings.remarks })
      },
      (failure) => !isGone && onError(failureMessage(failure) ?? null),
    )
    return () => {
      isGone = true
    }
  }, [http, id, state, onRemarks, onError])
}

/** All bad lines as rows of a file, its heading first. */
async function faultsOf(http: Http, id: string): Promise<string[][]> {
  const rows: string[][] = [['Line', 'IMEI', 'Reason']]
  for (let total = 1; rows.length - 1 < total; ) {
    const answer = await http.ask(REGISTRATION_CALLS.importRemarks, {
      params: { id },
      query: { of: 'faults', skip: rows.length - 1 },
    })
    if (answer.remarks.length === 0) break
    total = answer.total
    for (const { line, imei, reason } of answer.remarks) rows.push([String(line), imei, reason])
  }
  return rows
}
