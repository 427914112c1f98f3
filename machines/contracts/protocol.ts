/**
 * The version of what is said over the two sockets. Raised where a portal of before would misunderstand what it gets, or
 * say what the server no longer takes; what may be left out needs no other version.
 */
export const PROTOCOL = 1

/** What a peer speaks that does not say: those of before the version was said. */
export const FIRST_PROTOCOL = 1

/** The error with which `/notifications` refuses a window that is older than the server; `/live` has a code (LIVE_CLOSE). */
export const OUTDATED = 'outdated'

/** Answers of the server carry it: the name of the portal's first file there, which is another with each build. */
export const BUILD_HEADER = 'x-frostline-build'

/**
 * A request says in it up to where its visitor was told what happened (a `seq`): a node that has not come as far waits a moment. An
 * answer has it where that was in vain, with where the node is: it may be of before what the visitor knows.
 */
export const POSITION_HEADER = 'x-frostline-position'

/** Whether a peer is older than the server. One that is newer is served: it was loaded from a node that begins to take over. */
export const isOutdated = (protocol: number = FIRST_PROTOCOL, spoken: number = PROTOCOL): boolean =>
  protocol < spoken
