import { useState } from 'react'
import type { AnswerOf } from '#machines/contracts/calls/call.ts'
import { LOAD_CALLS } from '#machines/contracts/calls/load-calls.ts'
import { LOAD_COLUMNS, LOAD_FILE_BYTES } from '#machines/contracts/entities/loads.ts'
import { failureMessage } from '../effects/call-failures.ts'
import { download } from '../effects/download.ts'
import { csvOf } from '../format/csv-of.ts'
import { useRoot } from './use-root.ts'

/** What came of a list of loads. `isHeld`: lines are wrong, and nothing was done before one says so. */
export type LoadListResult = AnswerOf<typeof LOAD_CALLS.sendLoadList> & { isHeld: boolean }

/** Sends a list of loads, keeps it for its good lines alone, and says what is wrong with which line. */
export function useLoadList() {
  const { http } = useRoot()
  const [file, setFile] = useState<File>()
  const [result, setResult] = useState<LoadListResult>()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function send(list: File, only?: 'good-lines'): Promise<void> {
    if (list.size > LOAD_FILE_BYTES) {
      setError(`The file is larger than ${LOAD_FILE_BYTES / 1024 / 1024} MB: part it`)
      return
    }
    setFile(list)
    setError(null)
    setSending(true)
    try {
      const answer = await http.ask(LOAD_CALLS.sendLoadList, { query: only ? { only } : {} }, { file: list })
      setResult({ ...answer, isHeld: only === undefined && answer.faulty > 0 })
    } catch (failure) {
      setError(failureMessage(failure) ?? 'It could not be done')
    } finally {
      setSending(false)
    }
  }

  return {
    file,
    result,
    isSending,
    error,
    begin: (list: File) => void send(list),
    /** what can be done of it */
    takeGoodLines: () => file && void send(file, 'good-lines'),
    /** nothing is chosen any more */
    again() {
      setFile(undefined)
      setResult(undefined)
      setError(null)
    },
    saveTemplate: () =>
      download(
        'loads.csv',
        csvOf([
          [...LOAD_COLUMNS],
          ['356307042441013', 'Order 4711', 'Medicines 2–8 °C', '', ''],
          ['356307042441021', 'Order 4712', '', '2026-11-25T08:00:00Z', 'yes'],
        ]),
      ),
  }
}
