const DAY_MS = 86_400_000

/** Days that a server keeps readings; a company may have its own deleted sooner. */
export const RETENTION_DAYS = 92

/** The first moment whose readings a company keeps, epoch ms, by UTC days; 0 where it keeps them as long as the server does. */
export const keptFrom = (retentionDays: number | null, now: number): number =>
  retentionDays === null ? 0 : (Math.floor(now / DAY_MS) - retentionDays) * DAY_MS
