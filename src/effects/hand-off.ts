import { coerce, enums, nonempty, type as open, optional, string } from 'superstruct'
import { decode, decodeJson } from '#machines/contracts/decode.ts'
import { DEFAULT_DEPTH_LEVEL } from '#machines/contracts/entities/group-info.ts'
import { Count, Id } from '#machines/contracts/scalars.ts'
import type { HandOff } from '#machines/session/session.ts'

export const HAND_OFF_PATH = '/adminLogin'

const Token = nonempty(string())
const Depth = coerce(Count, string(), (text) => (/^\d{1,3}$/.test(text) ? Number(text) : text))

/** The query of /adminLogin, with the documents' names. */
const Query = open({
  group: Id,
  company: Id,
  groupName: optional(string()),
  depthLevel: optional(Depth),
  groupImage: optional(string()),
  refreshToken: Token,
  token: Token,
  identityId: Id,
  /** the administrator's id, or their user as JSON */
  user: nonempty(string()),
})
const User = open({ _id: Id })
/** How programs write that there is no picture. */
const NoImage = enums(['', 'null', 'undefined'])

/**
 * What an administrator brings along in the address of /adminLogin; null where it does not say enough, undefined on any
 * other page. The address bar loses it at once: tokens are not to be seen, bookmarked or sent on. To be asked before
 * anything else, above all before any request.
 */
export function takeHandOff(
  location: Pick<Location, 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): HandOff | null | undefined {
  if (location.pathname.replace(/\/$/, '') !== HAND_OFF_PATH) return undefined
  const { search } = location
  history.replaceState(null, '', HAND_OFF_PATH)
  try {
    return readHandOff(search)
  } catch {
    return null
  }
}

/** @throws ContractError where something is missing or no such thing */
function readHandOff(search: string): HandOff {
  const fields = decode(Object.fromEntries(new URLSearchParams(search)), Query, 'hand-off')
  return {
    accessToken: fields.token,
    refreshToken: fields.refreshToken,
    identityId: fields.identityId,
    userId: fields.user.startsWith('{') ? decodeJson(fields.user, User, 'user')._id : fields.user,
    companyInfo: { groupId: fields.group, companyId: fields.company },
    groupInfo: {
      depthLevel: fields.depthLevel ?? DEFAULT_DEPTH_LEVEL,
      groupImage: fields.groupImage === undefined || NoImage.is(fields.groupImage) ? null : fields.groupImage,
      name: fields.groupName ?? '',
    },
  }
}
