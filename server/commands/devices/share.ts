import type { CommandOf } from '#machines/contracts/commands.ts'
import { SHARE_DAYS, SHARE_MAX_MS } from '#machines/contracts/entities/shares.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type Share, sharesOf } from '#machines/projections/shares.ts'
import { START_AFTER_END } from '#machines/rules/date-range.ts'
import { openedAt } from '../../auth/share-links.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

/** Links to a device that may be good at once. */
const MOST_SHARES = 50
const DAY_MS = 24 * 60 * 60 * 1000

export const TOO_MANY_SHARES = `A device has at most ${MOST_SHARES} links: end one first, or ask a manager, who may end any`
export const SPAN_TOO_LONG = 'A link shows at most 31 days'
export const NOTHING_YET = 'Nothing is measured in this span yet'
export const NOT_A_MEMBER = 'Links are made by people of the company'

/** Where it is decided about the links to a device, one thing after the other. */
export const shareStream = (imei: string): string => `shares-${imei}`

type Viewer = { userId: string; groupId: string; superAdmin: boolean }

/** Whoever made a link, and managers who see its device. */
export function mayEndShare({ users }: Pick<Directory, 'users'>, viewer: Viewer, share: Share): boolean {
  return share.madeBy === viewer.userId || viewer.superAdmin || users.get(viewer.userId)?.type === 'Manager'
}

/** A link for whoever holds it to what a device measured, up to now at most; what stands in it never comes here. */
export function makeShare(directory: Directory, command: CommandOf<'share.make'>, topId: string): Decision {
  const { at, by, data } = command
  const device = seen(directory, data.imei, topId)
  const creator = directory.users.get(by ?? '')
  if (device === undefined || creator === undefined) return refuse(404, NOT_FOUND)
  if (!isWithin(directory, device.groupId, creator.groupId)) return refuse(403, NOT_A_MEMBER)
  if (data.from > data.to) return faulty([{ path: 'startDate', message: START_AFTER_END }])
  if (data.from > at) return faulty([{ path: 'startDate', message: NOTHING_YET }])
  if (data.to - data.from > SHARE_MAX_MS) return faulty([{ path: 'endDate', message: SPAN_TOO_LONG }])
  if (data.days < SHARE_DAYS.least || data.days > SHARE_DAYS.most)
    return faulty([
      { path: 'days', message: `A link is good for ${SHARE_DAYS.least} to ${SHARE_DAYS.most} days` },
    ])
  const good = sharesOf(directory.shares, device.no).filter((share) => openedAt(directory, share, at))
  if (good.length >= MOST_SHARES) return refuse(409, TOO_MANY_SHARES)
  return decided({
    ...originOf(command, device.companyId),
    type: 'share.made',
    data: {
      shareId: data.shareId,
      companyId: device.companyId,
      deviceNo: device.no,
      userId: creator._id,
      from: data.from,
      to: Math.min(data.to, at),
      tokenHash: data.tokenHash,
      expiresAt: at + data.days * DAY_MS,
    },
  })
}

/** From now on it shows nothing. What somebody may not end is not there for them. */
export function revokeShare(
  directory: Directory,
  command: CommandOf<'share.revoke'>,
  viewer: Viewer,
): Decision {
  const { imei, shareId } = command.data
  const device = seen(directory, imei, viewer.groupId)
  const share = directory.shares.byId.get(shareId)
  if (device === undefined || share?.deviceNo !== device.no || !mayEndShare(directory, viewer, share))
    return refuse(404, NOT_FOUND)
  return decided({ ...originOf(command, share.companyId), type: 'share.revoked', data: { shareId } })
}

function seen(directory: Directory, imei: string, topId: string): Device | undefined {
  const device = deviceByImei(directory, imei)
  return device && isWithin(directory, device.groupId, topId) ? device : undefined
}
