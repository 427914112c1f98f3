import { useState } from 'react'
import { counted } from '#machines/rules/figures.ts'
import { makeTableSheet } from '../effects/table-sheet-worker.ts'
import { csvOf } from '../format/csv-of.ts'
import { type FileTable, headingOf } from '../format/file-table.ts'
import { fileTime, valueTime } from '../format/time.ts'
import { wordsOf } from './failure-words.ts'
import { useRoot } from './use-root.ts'

/** Saves a table as a file named `Devices-20261121-140211.csv`; one at a time. */
export function useTableFile() {
  const { clock, download, toasts } = useRoot()
  const [isMaking, setMaking] = useState(false)

  async function make(name: string, kind: 'xlsx' | 'csv', tableOf: () => FileTable): Promise<void> {
    setMaking(true)
    try {
      const table = tableOf()
      const file = kind === 'csv' ? csvFile(table) : await makeTableSheet(table)
      download(`${name}-${fileTime(clock.now())}.${kind}`, file)
      toasts.success(`${counted(table.rows.length, 'row')} saved`)
    } catch (error) {
      toasts.error(wordsOf(error))
    } finally {
      setMaking(false)
    }
  }
  return {
    isMaking,
    save: (...args: Parameters<typeof make>): void => void make(...args),
  }
}

function csvFile({ columns, rows, timeZone }: FileTable): Blob {
  const head = columns.map((column) => headingOf(column, timeZone))
  const isTime = columns.map(({ kind }) => kind === 'time')
  const lines = rows.map((row) =>
    row.map((cell, i) => (isTime[i] && typeof cell === 'number' ? valueTime(cell) : cell)),
  )
  return csvOf([head, ...lines])
}
