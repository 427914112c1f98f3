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

/** No answer in time. */
export class CallTimedOut extends Error {
  readonly isQuiet = true
  constructor(url: string) {
    super(`A timeout happend on url ${url}`)
    this.name = 'CallTimedOut'
  }
}

/** No answer at all: no network, no server. */
export class Unreachable extends Error {
  readonly isQuiet = true
  readonly url: string
  constructor(url: string, cause: unknown) {
    super(`${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'Unreachable'
    this.url = url
  }
}

/** The one who asked no longer wants to know. */
export class CallCancelled extends Error {
  readonly isQuiet = true
  constructor(url: string) {
    super(`${url} was cancelled`)
    this.name = 'CallCancelled'
  }
}

/** What to tell the visitor about a failure; undefined where it has been told already or is none of theirs. */
export function toldOf(error: unknown): string | undefined {
  if (typeof error === 'object' && error !== null && 'isQuiet' in error && error.isQuiet === true)
    return undefined
  return error instanceof Error ? error.message : String(error)
}
