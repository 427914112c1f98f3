/** Faults that somebody injected: inputs of the world, each with an id, each in force for a while. */
import type { FaultKind } from '#machines/contracts/scenario-script.ts'
import { type Trouble, troubleOf } from './incidents.ts'
import { keyOf } from './random.ts'

/**
 * In force while `from` ≤ t < `until`, epoch ms. Survives a restart when given back to `restoreFault`. `aheadMinutes`: how far a
 * clock is ahead, where it is said.
 */
export type Fault = {
  id: string
  imei: string
  fault: FaultKind
  from: number
  until: number
  aheadMinutes?: number | undefined
}

/** The faults of all devices. */
export type FaultBook = {
  all(): Fault[]
  of(index: number): Trouble[]
  /** replaces one with the same id */
  put(index: number, fault: Fault): void
  /** ends a fault at `at`; answers it as it is now, undefined where there is none or it has ended */
  end(id: string, at: number): { index: number; fault: Fault } | undefined
  clear(): void
}

const NONE: Trouble[] = []

export function faultBook(seed: number): FaultBook {
  const faults = new Map<string, { index: number; fault: Fault }>()
  const byDevice = new Map<number, Trouble[]>()
  const idsOf = new Map<number, Set<string>>()
  const gather = (index: number) => {
    const own = [...(idsOf.get(index) ?? [])].flatMap((id) => faults.get(id)?.fault ?? [])
    byDevice.set(
      index,
      own.map(({ fault, imei, from, until, aheadMinutes }) =>
        troubleOf(fault, from, until, keyOf(seed, `${imei}/${fault}/${from}`), aheadMinutes),
      ),
    )
  }
  const put = (index: number, fault: Fault) => {
    const before = faults.get(fault.id)
    if (before !== undefined && before.index !== index) {
      idsOf.get(before.index)?.delete(fault.id)
      gather(before.index)
    }
    faults.set(fault.id, { index, fault })
    const ids = idsOf.get(index)
    if (ids === undefined) idsOf.set(index, new Set([fault.id]))
    else ids.add(fault.id)
    gather(index)
  }
  return {
    all: () => [...faults.values()].map(({ fault }) => fault),
    of: (index) => byDevice.get(index) ?? NONE,
    put,
    end(id, at) {
      const entry = faults.get(id)
      if (!entry || entry.fault.until <= at) return undefined
      const fault = { ...entry.fault, until: Math.max(at, entry.fault.from) }
      put(entry.index, fault)
      return { index: entry.index, fault }
    },
    clear() {
      faults.clear()
      byDevice.clear()
      idsOf.clear()
    },
  }
}
