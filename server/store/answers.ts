/** How long a command is known by its key, ms. */
export const ANSWERS_KEPT_MS = 86_400_000

/** What is known of a request that was sent under a key. `asked`: digest of what was asked for; `at`: when, epoch ms. */
export type AnsweredRequest = { asked: string; at: number; bytes: Uint8Array | undefined }

/**
 * Answers to commands that may be sent again, on all nodes, until they are dropped. An id is whose request it is and its key, as
 * a digest. All reject with StoreUnavailable.
 */
export type AnswerStore = {
  /**
   * Notes that it is asked for, durable when it resolves, and answers what there is: that, or what was noted of the id before. What
   * was noted before `since` counts no more.
   */
  claim(id: string, asked: string, at: number, since: number): Promise<AnsweredRequest>
  /** keeps what was answered to what is claimed */
  keep(id: string, answered: AnsweredRequest & { bytes: Uint8Array }): Promise<void>
  /** nothing was done: the id is free again, unless it was answered meanwhile */
  release(id: string): Promise<void>
  /** forgets what was asked for before this time, in the event log too, and there what the server appended a while before by itself */
  drop(before: number): Promise<void>
}

/** A row of the table, in either store. */
export type AnswerRow = { asked: string; at: number; bytes: Uint8Array | null }
export const fromAnswerRow = ({ asked, at, bytes }: AnswerRow): AnsweredRequest => ({
  ...{ asked, at },
  bytes: bytes ?? undefined,
})
