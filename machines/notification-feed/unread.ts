/** How many notifications somebody has not seen, as far as one window knows. */
export type Unread = {
  /** as the server counted them up to a position; -1 before it has */
  counted: number
  asOf: number
  /** positions of those that came live, ascending */
  heard: readonly number[]
  /** all up to here is seen */
  seenTo: number
  /** whatever happened after this position has come, or will come, live */
  toldFrom: number
}

export const NOTHING_UNREAD: Unread = { counted: 0, asOf: -1, heard: [], seenTo: -1, toldFrom: -1 }

export function unreadOf({ counted, asOf, heard, seenTo, toldFrom }: Unread): number {
  // Where all that is not seen came live, counting that is exact; else the server's count goes on.
  const isHeard = seenTo >= toldFrom && seenTo >= 0
  const after = isHeard ? seenTo : asOf
  return (isHeard ? 0 : counted) + heard.filter((seq) => seq > after).length
}

export function withHeard(unread: Unread, seq: number): Unread {
  return { ...unread, heard: [...unread.heard, seq] }
}

export function withCount(unread: Unread, counted: number, asOf: number): Unread {
  return { ...unread, counted, asOf }
}

/** What is seen is never unseen; what is heard and seen need not be kept. */
export function withSeen(unread: Unread, upTo: number): Unread {
  const seenTo = Math.max(unread.seenTo, upTo)
  return { ...unread, seenTo, heard: unread.heard.filter((seq) => seq > seenTo) }
}
