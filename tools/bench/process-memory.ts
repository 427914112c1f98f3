import { readFileSync } from 'node:fs'

const KB = 1024

/** Bytes of memory a process has held at most since it began (Linux). */
export const peakMemory = (pid: number): number => told(pid, 'VmHWM')

/** Bytes of memory a process holds now (Linux). */
export const memoryNow = (pid: number): number => told(pid, 'VmRSS')

function told(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kb = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
  if (kb === undefined) throw new Error(`/proc/${pid}/status does not tell ${what}`)
  return Number(kb) * KB
}
