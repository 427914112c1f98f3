/**
 * Messages between nodes, published at once and stored nowhere. Each may be lost, come twice or come late: what must not be lost
 * is in the record, and a message is only a reason to look there now.
 */
export type Bus = {
  /**
   * Tells all others who listen, never oneself. Never fails and never waits: without a connection, or where the message has
   * more than `most` bytes, nothing is published.
   * @param subject letters, digits and `-`, in parts joined by `.`
   */
  publish(subject: string, bytes: Uint8Array): void
  /** called with what others published, in the order of each of them; answers how to stop */
  subscribe(subject: string, listener: (bytes: Uint8Array) => void): () => void
  /** whether others can be reached now */
  isUp(): boolean
  /** bytes a message may have */
  readonly most: number
  /** publishes and receives nothing more */
  close(): Promise<void>
}
