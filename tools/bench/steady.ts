import { setTimeout as pause } from 'node:timers/promises'
import type { RunningApp } from '../build/running-app.ts'
import { isLevel } from './figures.ts'
import { cpuSeconds } from './process-memory.ts'

/** ms that a share of CPU is taken of */
export const SLICE = 10_000
/** So many slices before are compared with as many now. */
const COMPARED = 3
const MOST_WAIT = 5 * 60_000

/** CPU of the process, of all its threads, in so many ms: seconds of it a second. */
export async function cpuShare(app: RunningApp, ms: number): Promise<number> {
  const [cpu, began] = [cpuSeconds(app.pid), performance.now()]
  await pause(ms)
  return ((cpuSeconds(app.pid) - cpu) * 1000) / (performance.now() - began)
}

/** Waits until what a start, or a change of many loads, leaves to be done is done: the process takes no less than half a minute before. */
export async function steady(app: RunningApp): Promise<{ ms: number; isSteady: boolean }> {
  const began = performance.now()
  const shares: number[] = []
  let isSteady = false
  while (!isSteady && performance.now() - began < MOST_WAIT) {
    shares.push(await cpuShare(app, SLICE))
    isSteady = isLevel(shares, COMPARED)
  }
  return { ms: performance.now() - began, isSteady }
}
