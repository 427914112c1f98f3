import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { StoreUnavailable } from '../store.ts'
import { STORE_FILE } from './database.ts'
import type { Writer } from './writer.ts'

export type Copying = {
  /** as the store's own */
  copyTo(folder: string): Promise<void>
  /** gives up what is being copied; undefined: nothing is, else it resolves when nothing is any more */
  stop(): Promise<unknown> | undefined
}

/**
 * Copies of the file and of its write-ahead log. While that is not brought into the file, the file does not change and the
 * log only grows: of the log any beginning will do, SQLite goes by the last transaction that is whole.
 * @param dir where the store lies
 */
export function createCopying(dir: string, writer: Pick<Writer, 'holdLog'>): Copying {
  const ended = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  const file = join(dir, STORE_FILE)

  async function copyTo(folder: string): Promise<void> {
    if (ended.signal.aborted) throw new StoreUnavailable('it is closed')
    const release = writer.holdLog()
    try {
      await copy([file, `${file}-wal`], folder, ended.signal)
    } catch (error) {
      throw ended.signal.aborted ? new StoreUnavailable('it is closed') : error
    } finally {
      release()
    }
  }

  return {
    copyTo(folder) {
      const copied = copyTo(folder)
      const settled = copied.catch(() => {}).finally(() => underWay.delete(settled))
      underWay.add(settled)
      return copied
    },
    stop() {
      ended.abort()
      return underWay.size === 0 ? undefined : Promise.all(underWay)
    },
  }
}

/**
 * One file after the other, by another process: were this one to open and close the store's file itself, the system would
 * forget that it is locked.
 */
function copy(files: string[], folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('cp', ['--', ...files, folder], { signal, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    let failure: Error | undefined
    child.on('error', (error) => {
      failure = error
      // one that could not begin does not end either
      if (child.pid === undefined) reject(error)
    })
    child.on('close', (code) => {
      if (code === 0 && failure === undefined) resolve()
      else reject(failure ?? new Error(output.trim() || `cp ended with ${code}`))
    })
  })
}
