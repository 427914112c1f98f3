import type { Clock } from '#machines/contracts/clock.ts'
import type { Store } from '../store.ts'
import type { FactFormat } from '../upcast.ts'

export type StoreOptions = { clock: Clock; retentionDays?: number; factFormat?: FactFormat }

/**
 * An empty place for stores, for one test. `reopen` opens what an earlier store left there; it is missing where
 * nothing is left after a stop. `beside` opens the same record on another node, where there may be several.
 */
export type TestStores = {
  open(options: StoreOptions): Promise<Store>
  reopen?: (options: StoreOptions) => Promise<Store>
  beside?: (options: StoreOptions) => Promise<Store>
}

/** Gives a test its own place and clears it up afterwards. */
export type WithStores = (test: (stores: TestStores) => Promise<void>) => Promise<void>
