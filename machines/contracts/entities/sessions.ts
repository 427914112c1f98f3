import { boolean, dynamic, type Infer, literal, number, type Struct, string, type } from 'superstruct'
import { describedAs } from '../described.ts'
import { Count, Id } from '../scalars.ts'
import { AccountManager, CompanyInfo } from './companies.ts'
import { GroupInfo } from './group-info.ts'
import { SessionUser } from './users.ts'

/** What every refusal says. `code` is the HTTP status. */
export const Refusal = type({ code: number(), message: string() })
export type Refusal = Infer<typeof Refusal>

/** The refusal of a suspended company: only after a correct password. */
export const Suspended = type({ code: literal(403), message: string(), bam: AccountManager })
export type Suspended = Infer<typeof Suspended>

/** `expires_in`: seconds the access token is good for. `identityId`: names this session. */
export const SignedIn = type({
  access_token: string(),
  refresh_token: string(),
  expires_in: Count,
  identityId: Id,
  user: SessionUser,
  groupInfo: GroupInfo,
  companyInfo: CompanyInfo,
  /** whether any device is in the user's group or below */
  hasThings: boolean(),
})
export type SignedIn = Infer<typeof SignedIn>

/** The password must be set anew first: `token` is good for that alone. */
export const ResetRequired = type({
  messageKey: literal('USER_RESET_PASSWORD'),
  message: string(),
  token: string(),
})
export type ResetRequired = Infer<typeof ResetRequired>

export type LoginAnswer = SignedIn | ResetRequired
export const LoginAnswer = describedAs(
  dynamic<LoginAnswer>(
    (value) =>
      (typeof value === 'object' && value !== null && 'messageKey' in value
        ? ResetRequired
        : SignedIn) as unknown as Struct<LoginAnswer>,
  ),
  SignedIn,
  ResetRequired,
)

/** Whether an activation or reset link works: 1 valid, 0 run out, -1 already used. */
export const LinkValidity = type({ success: number(), message: string() })
export type LinkValidity = Infer<typeof LinkValidity>
