import type { LoadState } from '../contracts/entities/loads.ts'

/** The state of a load in a word or two. */
export const LOAD_STATE_WORDS: Record<LoadState, string> = {
  within: 'Within budget',
  'at-risk': 'At risk',
  exhausted: 'Exhausted',
  'in-review': 'In review',
  released: 'Released',
  rejected: 'Rejected',
  closed: 'Closed',
}
