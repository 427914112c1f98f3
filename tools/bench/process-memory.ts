import { readFileSync } from 'node:fs'

const KB = 1024

/** Bytes of memory a process has held at most since it began (Linux). */
export const peakMemory = (pid: number): number => memoryOf(pid, 'VmHWM')

/** Bytes of memory a process holds now (Linux). */
export const memoryNow = (pid: number): number => memoryOf(pid, 'VmRSS')

/** Seconds of CPU a process has used since it began (Linux: in hundredths). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // what stands before is its name, which may hold anything
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

function memoryOf(pid: number, what: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kb = new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]
  if (kb === undefined) throw new Error(`/proc/${pid}/status does not tell ${what}`)
  return Number(kb) * KB
}
