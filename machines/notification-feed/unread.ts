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

/** How many are not seen: as many as the server counted, where that is needed, and those that came live since. */
export function unreadOf(unread: Unread): number {
  const { counted, asOf, heard, seenTo } = unread
  const after = isExact(unread) ? seenTo : asOf
  return (isExact(unread) ? 0 : counted) + heard.filter((seq) => seq > after).length
}

/** Where all that is not seen came live, counting that is exact; else the server's count goes on. */
const isExact = ({ seenTo, toldFrom }: Unread): boolean => seenTo >= toldFrom && seenTo >= 0

/** @param seq position of a notification that came live; later ones have greater positions */
export function withHeard(unread: Unread, seq: number): Unread {
  return { ...unread, heard: [...unread.heard, seq] }
}

/** What the server answered. @param asOf the position up to which it counted */
export function withCount(unread: Unread, counted: number, asOf: number): Unread {
  return { ...unread, counted, asOf }
}

/** Something was missed before this position. What is unread is known as far as it was, until the server counts anew. */
export function withLiveFrom(unread: Unread, toldFrom: number): Unread {
  // what the server counted before it was seen must not come back
  const isOld = isExact(unread) && unread.asOf < toldFrom
  return { ...unread, ...(isOld && { counted: 0, asOf: unread.seenTo }), toldFrom }
}

/** What is seen is never unseen; what is heard and seen need not be kept. */
export function withSeen(unread: Unread, upTo: number): Unread {
  const seenTo = Math.max(unread.seenTo, upTo)
  return { ...unread, seenTo, heard: unread.heard.filter((seq) => seq > seenTo) }
}
