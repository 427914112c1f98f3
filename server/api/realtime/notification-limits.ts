/** How much of one client's slowness is borne. */
export type NotificationLimits = {
  /** facts in one message */
  chunk: number
  /** facts somebody may have missed and still get one by one */
  missed: number
  /** packets a client may have waiting and still be sent more */
  waiting: number
  /** ms a client may take nothing before it is dropped */
  stuck: number
  /** ms between two looks at who fell behind; and between two messages of how far a silent scope is */
  turn: number
  idle: number
  /** ms between two messages of how far devices have come that deliver their past */
  progress: number
  /** ms a client has to answer a goodbye when the server closes */
  farewell: number
  /** connections that nobody is let in on yet, beyond which the oldest gives way: a poll makes one and holds no line */
  strangers: number
  /** ms they stay without anybody let in */
  patience: number
}

export const NOTIFICATION_LIMITS: NotificationLimits = {
  chunk: 500,
  missed: 2000,
  waiting: 64,
  stuck: 10_000,
  turn: 100,
  idle: 10_000,
  progress: 1000,
  farewell: 500,
  strangers: 10_000,
  patience: 10_000,
}
