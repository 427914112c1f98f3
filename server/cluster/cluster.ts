import type { ReportFiles } from '../store/report-files.ts'

/** What leads the house now. `term` grows with each change: what was begun in an earlier one does not count any more. */
export type Leader = {
  node: string
  /** where other nodes reach it, e.g. `http://10.0.0.3:4000` */
  address: string
  /** what another node says to it to be known as one of the house; undefined: there is none */
  key?: string
  term: number
}

/**
 * What a node knows of the others, and does together with them. One node leads: it does what is to be done once, whoever
 * serves requests, sockets and trackers. A house without a database is a cluster of one, which leads for ever (alone.ts).
 */
export type Cluster = {
  /** this node's name */
  readonly node: string
  /** whether this node leads now; false a while before another may */
  leads(): boolean
  /** undefined: nobody leads now, or it is not known who */
  leader(): Leader | undefined
  /** called when this node's leading begins or ends, not for how it is now; answers how to stop listening */
  onLeadership(listener: (leads: boolean) => void): () => void
  values: SharedValues
  /** says something to all other nodes: at once, and perhaps never heard */
  publish(subject: string, message: unknown): void
  /** answers how to stop listening; what is heard is not checked */
  onMessage(subject: string, listener: (message: unknown) => void): () => void
  /** signs tokens and links on all nodes; undefined: this node has its own */
  readonly tokenSecret: string | undefined
  /** whole files that every node can read */
  files: ReportFiles
  close(): Promise<void>
}

/** Small values that all nodes share: read from memory, and changes are heard. What is read is not checked. */
export type SharedValues = {
  /** as this node last heard of it; undefined: never set */
  get(name: string): unknown
  /** anything that JSON can say; resolves when it is stored. Rejects with StoreUnavailable */
  set(name: string, value: unknown): Promise<void>
  /** asks for what others have set until now, instead of waiting to hear of it. Rejects with StoreUnavailable */
  refresh(): Promise<void>
  /** called for changes by any node, this one too; answers how to stop listening */
  onChange(listener: (name: string, value: unknown) => void): () => void
}
