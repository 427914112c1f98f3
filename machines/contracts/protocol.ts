/**
 * The version of what is said over the two sockets. Raised where a portal of before would misunderstand what it gets, or
 * say what the server no longer takes; what may be left out needs no other version.
 */
export const PROTOCOL = 1

/** What a peer speaks that does not say: those of before the version was said. */
export const FIRST_PROTOCOL = 1

/** The error with which `/notifications` refuses a window that is older than the server; `/live` has a code (LIVE_CLOSE). */
export const OUTDATED = 'outdated'

/** The error with which `/notifications` refuses one more window of a user who has too many open; `/live` has a code. */
export const CROWDED = 'too many windows'

/** Answers of the server carry it: the name of the portal's first file there, which is another with each build. */
export const BUILD_HEADER = 'x-frostline-build'

/** Whether a peer is older than the server. One that is newer is served: it was loaded from a node that begins to take over. */
export const isOutdated = (protocol: number = FIRST_PROTOCOL, spoken: number = PROTOCOL): boolean =>
  protocol < spoken
