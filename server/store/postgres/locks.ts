/**
 * The advisory locks of the server: `pg_advisory_xact_lock(space, which)`. The one of `append` is taken in migration
 * 001, before anything is read.
 */
export const LOCKS = {
  space: 4611,
  append: 1,
  migrate: 2,
  /** chunks, summaries and what is compacted */
  archive: 3,
} as const
