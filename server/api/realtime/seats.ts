/** How many links of one kind a user may have open on this node: nobody takes the room of others. */
export type Seats = {
  /** whether there was one left, which is theirs from now on */
  take(userId: string): boolean
  leave(userId: string): void
}

/** @param most connections a user at a time */
export function createSeats(most: number): Seats {
  const taken = new Map<string, number>()
  return {
    take(userId) {
      const had = taken.get(userId) ?? 0
      if (had >= most) return false
      taken.set(userId, had + 1)
      return true
    },
    leave(userId) {
      const left = (taken.get(userId) ?? 0) - 1
      if (left > 0) taken.set(userId, left)
      else taken.delete(userId)
    },
  }
}
