/** Faults that somebody injected: inputs of the world, each with an id, each in force for a while. */
import type { FaultKind } from '#machines/contracts/scenario-script.ts'
import { type Trouble, troubleOf } from './incidents.ts'
import { keyOf } from './random.ts'

/** In force while `from` ≤ t < `until`, epoch ms. Survives a restart when given back to `restoreFault`. */
export type Fault = { id: string; imei: string; fault: FaultKind; from: number; until: number }

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
  const gather = (index: number) => {
    const own = [...faults.values()].filter((entry) => entry.index === index)
    byDevice.set(
      index,
      own.map(({ fault }) =>
        troubleOf(
          fault.fault,
          fault.from,
          fault.until,
          keyOf(seed, `${fault.imei}/${fault.fault}/${fault.from}`),
        ),
      ),
    )
  }
  return {
    all: () => [...faults.values()].map(({ fault }) => fault),
    of: (index) => byDevice.get(index) ?? NONE,
    put(index, fault) {
      faults.set(fault.id, { index, fault })
      gather(index)
    },
    end(id, at) {
      const entry = faults.get(id)
      if (!entry || entry.fault.until <= at) return undefined
      const ended = { index: entry.index, fault: { ...entry.fault, until: Math.max(at, entry.fault.from) } }
      faults.set(id, ended)
      gather(entry.index)
      return ended
    },
    clear() {
      faults.clear()
      byDevice.clear()
    },
  }
}
