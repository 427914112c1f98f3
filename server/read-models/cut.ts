import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'

/**
 * What of the record is meant by an instant that is past, `at` (epoch ms). `then`: what was known by then, all up to `seq`; `now`: what
 * happened by then, as far as it is known. `directory`: companies, groups, devices and users as they were called.
 */
export type Cut = { at: number; view: AsOfView; seq: number; directory: Directory }

/** What late readings said of before is known whenever they came. */
const KNOWN_AFTERWARDS: readonly Fact['type'][] = ['violation.revised']

/** Whether a fact is of the record that is meant. */
export const isKnownAt = (cut: Cut, { seq, at, type }: Pick<Fact, 'seq' | 'at' | 'type'>): boolean =>
  cut.view === 'then' ? seq <= cut.seq : at <= cut.at || KNOWN_AFTERWARDS.includes(type)
