import type { ReportFiles } from '../store/report-files.ts'

/** The node that leads now. `term` grows with each change: what was begun in an earlier one does not count any more. */
export type Leader = {
  node: string
  /** where other nodes reach it, e.g. `http://10.0.0.3:4000` */
  address: string
  /** the key by which the leader knows other nodes of the cluster; undefined: there is none */
  key?: string
  term: number
}

/**
 * What a node knows of the others, and does together with them. One node leads: it does what is to be done once, whoever
 * serves requests, sockets and trackers. A server without a database is a cluster of one, which leads for ever (alone.ts).
 */
export type Cluster = {
  /** this node's name */
  readonly node: string
  /** whether this node leads now; false a while before another may */
  leads(): boolean
  /** undefined: nobody leads now, or it is not known who */
  leader(): Leader | undefined
  /**
   * Called when this node's leading begins or ends, not for how it is now; answers how to stop listening. A node that steps down
   * waits for what the listener answers before another may lead, no longer than it was given the lead for.
   */
  onLeadership(listener: (leads: boolean) => unknown): () => void
  /**
   * Leaves the lead to others for some seconds, counted from the last call: this node cannot do what leading asks of it.
   * A cluster of one leads all the same. `why`: for operators
   */
  stepDown(why: string): void
  values: SharedValues
  /** sends a message to all other nodes: at once, and it may be lost */
  publish(subject: string, message: unknown): void
  /** answers how to stop listening; messages are not checked */
  onMessage(subject: string, listener: (message: unknown) => void): () => void
  /** signs tokens and links on all nodes; undefined: this node has its own */
  readonly tokenSecret: string | undefined
  /** whole files that every node can read */
  files: ReportFiles
  close(): Promise<void>
}

/** Small values that all nodes share: read from memory, and changes are notified. Values are not checked. */
export type SharedValues = {
  /** as this node last received it; undefined: never set, as far as the server that answers now knows */
  get(name: string): unknown
  /** anything that JSON can say; resolves when it is stored. Rejects with StoreUnavailable */
  set(name: string, value: unknown): Promise<void>
  /** fetches what others have set until now, without waiting for their notice. Rejects with StoreUnavailable */
  refresh(): Promise<void>
  /** called for changes by any node, this one too, with undefined where a server that took over lacks the value; answers how to stop listening */
  onChange(listener: (name: string, value: unknown) => void): () => void
}
