import { messageOf } from '#machines/rules/message-of.ts'

export const SOMETHING_WENT_WRONG = 'Something went wrong'

/** The server answered no. `message` is the server's, or 'Something went wrong'; `body` the answer as it came. */
export class CallRefused extends Error {
  /** the server's word on what was asked, which asking again will not change (a server out of breath has no word) */
  readonly isRefusal: boolean
  readonly status: number
  readonly body: unknown
  /** it has been dealt with, or the documents say to swallow it: no toast */
  readonly isQuiet: boolean
  constructor(status: number, message: string, body: unknown, isQuiet: boolean) {
    super(message)
    this.name = 'CallRefused'
    this.status = status
    this.isRefusal = status >= 400 && status < 500 && status !== 429
    this.body = body
    this.isQuiet = isQuiet
  }
}

/** No answer in time. `url`: as it may be shown, see shownUrlOf. */
export class CallTimedOut extends Error {
  readonly isQuiet = true
  constructor(url: string) {
    super(`A timeout happend on url ${url}`)
    this.name = 'CallTimedOut'
  }
}

/** An answer that is none of the contract's: what it lacks is for whoever builds the portal, and in `cause`. */
export class NotUnderstood extends Error {
  constructor(cause: unknown) {
    super(SOMETHING_WENT_WRONG, { cause })
    this.name = 'NotUnderstood'
  }
}

/** No answer at all: no network, no server. `detail`: what was asked and what the browser says, for whoever wants to know. */
export class Unreachable extends Error {
  readonly isQuiet = true
  readonly detail: string
  /** @param asked method and address, as they may be shown */
  constructor(request: string, cause: unknown) {
    super('No answer from the server. Try again in a moment.', { cause })
    this.name = 'Unreachable'
    this.detail = `${request}: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

/** A part of the portal that is fetched when it is first needed did not come: no network, or the server has another version. */
export class PartMissing extends Error {
  readonly detail: string
  constructor(cause: Error) {
    super('A part of the portal did not arrive.', { cause })
    this.name = 'PartMissing'
    this.detail = cause.message
  }
}

/** What Chromium, Firefox, Safari and the build's own loader say of an import that was not fetched. */
const NOT_FETCHED = /dynamically imported module|importing a module script failed|unable to preload css/i

/** An import whose failure to arrive is a PartMissing; what fails inside the part stays what it is. */
export async function fetched<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    throw asPartMissing(error)
  }
}

/** The failure of an import as a PartMissing where nothing arrived; any other error as it is. */
export function asPartMissing(error: unknown): unknown {
  return error instanceof Error && NOT_FETCHED.test(error.message) ? new PartMissing(error) : error
}

/** The one who asked no longer wants to know. */
export class CallCancelled extends Error {
  readonly isQuiet = true
  constructor(url: string) {
    super(`${url} was cancelled`)
    this.name = 'CallCancelled'
  }
}

/** The message of a failure for the visitor; undefined where they know already or it is none of theirs. */
export function failureMessage(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'isQuiet' in error && error.isQuiet === true)
    return undefined
  return messageOf(error)
}
