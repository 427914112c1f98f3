import type { AccountManager } from '../contracts/entities/companies.ts'
import type { GroupInfo } from '../contracts/entities/group-info.ts'
import type { ResetRequired, SignedIn } from '../contracts/entities/sessions.ts'

/** What is known of the visitor while they are signed in; the part of it that outlives the page is in local storage. */
export type Session = Pick<SignedIn, 'user' | 'identityId' | 'groupInfo' | 'companyInfo'> & {
  accessToken: string
  refreshToken: string
  /** an administrator who entered as a group */
  isSuperAdminUser: boolean
}

export type SignInAnswer =
  | { kind: 'signed-in'; session: Session; hasThings: boolean }
  | { kind: 'reset-required'; reset: ResetRequired }
  | { kind: 'suspended'; message: string; manager: AccountManager }

/** `exp`: when the session now ends, epoch seconds. */
export type Refreshed = Pick<Session, 'accessToken' | 'refreshToken' | 'identityId' | 'companyInfo'> & {
  exp: number
}

export type SignIn = { username: string; password: string }

/** What an administrator brings along to enter as a group, as the address said it: nothing of it is believed yet. */
export type HandOff = Pick<
  Session,
  'accessToken' | 'refreshToken' | 'identityId' | 'groupInfo' | 'companyInfo'
> & {
  userId: string
}

export type SessionEvent =
  | ({ type: 'sign-in.submit' } & SignIn)
  | { type: 'sign-in.again' }
  | { type: 'sign-out' }
  /** the same on a page that is for everybody, which they stay on */
  | { type: 'sign-out.here' }
  /** the access token is about to run out, or was refused as run out */
  | { type: 'refresh.due' }
  /** a call was refused with 401 although the token was fresh */
  | { type: 'session.refused' }
  /** a call got no answer. `detail`: which, and what the browser says */
  | { type: 'call.unanswered'; detail: string; isBackground: boolean }
  /** the answer of a call took too long */
  | { type: 'call.timed-out'; message: string; isBackground: boolean }
  /** a part of the portal that is needed now did not arrive */
  | { type: 'part.missing'; detail: string }
  /** the session's own end has passed */
  | { type: 'session.ran-out' }
  /** the server ended the session that has this refresh token, or this identity where the token is not known */
  | { type: 'session.ended-by-server'; refreshToken: string | null; identityId: string }
  /** another window of this browser signed out */
  | { type: 'session.left-elsewhere' }
  /** another window of this browser signed in, or renewed its tokens */
  | { type: 'session.stored-elsewhere'; session: Session }
  /** their own group has another name or picture */
  | ({ type: 'group.told' } & Pick<GroupInfo, 'name' | 'groupImage'>)
  /** they gave themselves another name */
  | { type: 'user.told'; name: string }
  /** the page before was left in the middle of a forced reset */
  | { type: 'reset.resumed'; token: string }
  /** the new password is set */
  | { type: 'reset.done' }
  /** the page was opened at /adminLogin; null: with an address that does not say enough */
  | { type: 'hand-off.arrived'; handOff: HandOff | null }

/** Why the page cannot go on. `heals`: once the server can be reached again, loading the page anew is all it takes. */
export type NetworkError = { detail: string; heals: boolean }

/** What the machine knows. */
export type SessionContext = {
  session: Session | null
  /** good for setting a password and for nothing else */
  reset: string | null
  manager: AccountManager | null
  handOff: HandOff | null
  /** who was signed in before an administrator came by */
  before: Session | null
  /** why a hand-off came to nothing (null: its address does not say enough), or a sign-in the server does not know */
  failure: unknown
}

/** With other tokens, and the company as it is now. */
export function renewed(session: Session, { exp, ...tokens }: Refreshed): Session {
  return { ...session, ...tokens, user: { ...session.user, exp } }
}

/** The same user in the same place: only their tokens may be others. */
export function isSamePerson(one: Session, other: Session): boolean {
  return (
    one.user._id === other.user._id &&
    one.user.groupId === other.user.groupId &&
    one.isSuperAdminUser === other.isSuperAdminUser
  )
}

/** The server said no, rather than nothing; told by the actor that asked. */
export function isRefusal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'isRefusal' in error && error.isRefusal === true
}

/** The server does not know what it was asked: the first time no toast tells of it. */
export function isNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 404
}
