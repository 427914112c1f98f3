import { readFileSync } from 'node:fs'

const KB = 1024

/** Bytes of memory a process has held at most since it began (Linux). */
export function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kb = status.match(/^VmHWM:\s+(\d+) kB/m)?.[1]
  if (kb === undefined) throw new Error(`/proc/${pid}/status does not tell the peak`)
  return Number(kb) * KB
}
