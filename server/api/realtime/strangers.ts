export type Strangers<Connection> = {
  /** one more came; of too many the oldest is cut */
  add(connection: Connection): void
  /** somebody is let in on it, or it has ended */
  delete(connection: Connection): void
}

/** Connections that nobody is let in on yet, `most` of them at most: beyond that the oldest is cut by `cut`. */
export function createStrangers<Connection>(
  most: number,
  cut: (oldest: Connection) => void,
): Strangers<Connection> {
  const strangers = new Set<Connection>()
  return {
    add(connection) {
      strangers.add(connection)
      const [oldest] = strangers
      if (oldest === undefined || strangers.size <= most) return
      strangers.delete(oldest)
      cut(oldest)
    },
    delete: (connection) => void strangers.delete(connection),
  }
}
