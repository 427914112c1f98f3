import { boolean, enums, object, type as open, optional, size, string } from 'superstruct'
import { CompanyInfo } from '../entities/companies.ts'
import { GroupInfo } from '../entities/group-info.ts'
import { LinkValidity, LoginAnswer } from '../entities/sessions.ts'
import { Me, SessionUser } from '../entities/users.ts'
import { Count, Finite, Id } from '../scalars.ts'
import { calls, OpaqueToken } from './call.ts'

const Password = size(string(), 1, 128)
const Message = open({ message: string() })
const Success = open({ success: boolean(), message: string() })

export const AUTH_CALLS = calls({
  login: {
    method: 'POST',
    path: '/auth/login',
    summary: 'Sign in with an e-mail address or user name. 403 with `bam` where the company is suspended.',
    access: 'anyone',
    body: object({ username: size(string(), 1, 254), password: Password }),
    answer: LoginAnswer,
  },
  refreshToken: {
    method: 'GET',
    path: '/auth/refresh-token',
    summary: 'A new access token for a refresh token; with `rotate=true` a new refresh token too.',
    access: 'anyone',
    query: object({ token: OpaqueToken, rotate: optional(enums(['true', 'false'])) }),
    answer: open({
      data: open({
        token: string(),
        identityId: Id,
        /** only where rotation was asked for: the one that came is spent */
        refreshToken: optional(string()),
        /** seconds the new access token is good for */
        expires_in: Count,
        /** when the session now ends, epoch seconds */
        exp: Finite,
        /** who it is, and where: they may have been moved */
        user: SessionUser,
        groupInfo: GroupInfo,
        companyInfo: CompanyInfo,
      }),
    }),
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End the session of the access token, or of the refresh token in the `token` header.',
    access: 'session',
    isOfSession: true,
    answer: Message,
  },
  logoutByGet: {
    method: 'GET',
    path: '/auth/logout',
    summary: 'The same as the POST, for callers that only know GET.',
    access: 'session',
    answer: Message,
  },
  activate: {
    method: 'POST',
    path: '/auth/activate/{token}',
    summary:
      'Set the first password through an activation link. `success` is false where the link has run out or was used.',
    access: 'anyone',
    params: object({ token: OpaqueToken }),
    body: object({ password: Password }),
    answer: Success,
  },
  getUserByToken: {
    method: 'POST',
    path: '/auth/getUserByToken/{token}',
    summary: 'Whose link this is, as long as it works.',
    access: 'anyone',
    params: object({ token: OpaqueToken }),
    answer: open({ user: open({ _id: Id, name: string(), userName: string(), email: string() }) }),
  },
  checkLinkValidity: {
    method: 'POST',
    path: '/auth/checkLinkValidity/{token}',
    summary: 'Whether a link works: 1 valid, 0 expired, -1 already used. 404 for what never was a link.',
    access: 'anyone',
    params: object({ token: OpaqueToken }),
    answer: LinkValidity,
  },
  setPasswordByLink: {
    method: 'POST',
    path: '/auth/set-password/{id}/{token}',
    summary: 'Set a password from a link. `success` is false where the link has run out or was used.',
    access: 'anyone',
    params: object({ id: Id, token: OpaqueToken }),
    body: object({ password: Password }),
    answer: Success,
  },
  setPassword: {
    method: 'POST',
    path: '/auth/set-password',
    summary: 'Set the password after a forced reset, with the token that sign-in answered.',
    access: 'anyone',
    body: object({ password: Password, token: OpaqueToken, confirmation: Password }),
    answer: Message,
  },
  forgotPassword: {
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Ask for a mail to set a new password. Answers the same for known and unknown addresses.',
    access: 'anyone',
    body: object({ email: size(string(), 1, 254) }),
    answer: Message,
  },
  resendExpiredLink: {
    method: 'POST',
    path: '/auth/resendLink/{token}',
    summary: 'Send an activation link that has run out anew, to the address it was sent to.',
    access: 'anyone',
    params: object({ token: OpaqueToken }),
    answer: Message,
  },
  confirmUser: {
    method: 'POST',
    path: '/auth/confirm-user',
    summary: 'Set a new password with the confirmation code of a mail: five tries a code.',
    access: 'anyone',
    body: object({ userName: size(string(), 1, 254), code: size(string(), 1, 32), password: Password }),
    answer: Message,
  },
  me: {
    method: 'GET',
    path: '/auth/me',
    summary: 'The user behind the access token, and the company it speaks for.',
    access: 'session',
    answer: Me,
  },
})
