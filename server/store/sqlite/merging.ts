import type { HotTail } from '../hot-tail.ts'
import type { Archive } from './archive.ts'
import { leftBehind } from './chunk-table.ts'
import { fullGroup, type Group, groupMerged } from './chunk-windows.ts'

/**
 * Merges the small chunks that a large fleet leaves every few minutes into ones of about an hour: a third smaller, and
 * an eighth as many to read. Some devices a call; begun anew after a restart, which finds what is merged merged.
 * @param sliceMs ms of work per call
 */
export function createMerging(archive: Archive, tail: HotTail, sliceMs: number) {
  let left = leftBehind(archive.chunks)
  let working: (Group & { nextDevice: number }) | undefined

  /** Merges once more, after each start, where an earlier release left chunks behind; whether there was one. */
  function mergeLeft(): boolean {
    let next = left.next()
    if (next.done) return false
    const started = performance.now()
    try {
      archive.change(() => {
        while (!next.done) {
          archive.merge(next.value.device, next.value)
          if (performance.now() - started >= sliceMs) break
          next = left.next()
        }
      })
    } catch (error) {
      left = leftBehind(archive.chunks)
      throw error
    }
    return true
  }

  return {
    /** Does some of what is due; whether there is more. */
    run(): boolean {
      if (mergeLeft()) return true
      const group = fullGroup(archive.chunks)
      if (group === undefined) return false
      if (working === undefined || working.day !== group.day || working.first !== group.first)
        working = { ...group, nextDevice: 0 }
      const { nextDevice } = working
      const started = performance.now()
      const reached = archive.change(() => {
        let device = nextDevice
        do archive.merge(device++, group)
        while (device < tail.devices && performance.now() - started < sliceMs)
        if (device >= tail.devices) groupMerged(archive.chunks, group.day)
        return device
      })
      working = reached < tail.devices ? { ...working, nextDevice: reached } : undefined
      return true
    },
  }
}
