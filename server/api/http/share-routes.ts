import { setImmediate as breath } from 'node:timers/promises'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { SHARE_DAYS, type Share as ShareAnswer } from '#machines/contracts/entities/shares.ts'
import type { Device } from '#machines/projections/directory.ts'
import { type Share, sharesOf } from '#machines/projections/shares.ts'
import { type DateRange, historyPieces } from '#machines/rules/date-range.ts'
import { hashSecret } from '../../auth/refresh-tokens.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { makeShare, mayEndShare, revokeShare, shareStream } from '../../commands/devices/share.ts'
import { authorName } from '../../commands/notifications/in-scope.ts'
import { newId } from '../../commands/repeatable.ts'
import type { HttpContext } from './context.ts'
import { historyAnswer } from './history-answer.ts'
import { createKeptHistory, type KeptHistory } from './kept-history.ts'
import { notFound, refusal } from './refusals.ts'

/** Links an address may make, and looks it may take at them, a minute. */
const MADE_A_MINUTE = 30
const LOOKS_A_MINUTE = 60
/** More points than a chart has pixels tell nothing more. */
const MOST_POINTS = 2000

type Deps = Pick<
  HttpContext,
  'answerCall' | 'visible' | 'access' | 'execute' | 'readModels' | 'store' | 'clock'
>

/** Links to one device in one span: made, listed, ended, opened. */
export function shareRoutes(deps: Deps): void {
  const { answerCall, visible, access, execute, readModels, clock } = deps
  const keptHistory = createKeptHistory(deps)
  const { directory } = readModels

  const answerOf = (share: Share): ShareAnswer => ({
    _id: share.shareId,
    from: iso(share.from),
    to: iso(share.to),
    madeAt: iso(share.madeAt),
    madeBy: authorName(directory, share.madeBy),
    expiresAt: iso(share.expiresAt),
    path: `/shared/${access.shareLinks.tokenOf(share.shareId)}`,
  })
  const listFor = (visitor: Visitor, device: Device): ShareAnswer[] =>
    sharesOf(directory.shares, device.no)
      .filter((share) => access.shareLinks.isGood(share) && mayEndShare(directory, visitor, share))
      .reverse()
      .map(answerOf)

  answerCall('shares', ({ params, visitor }) => listFor(visitor, visible.device(visitor, params.imei)))

  answerCall(
    'makeShare',
    async ({ params: { imei }, body, visitor }) => {
      const shareId = newId('sh')
      const data = {
        ...{ shareId, imei, from: body.startDate, to: body.endDate, days: body.days ?? SHARE_DAYS.otherwise },
        tokenHash: hashSecret(access.shareLinks.tokenOf(shareId)),
      }
      const { refused } = await execute(
        shareStream(imei),
        { type: 'share.make', by: visitor.userId, data },
        (state, command) => makeShare(state, command, visitor.groupId),
      )
      if (refused) throw refusal(refused)
      const share = directory.shares.byId.get(shareId)
      if (share === undefined) throw notFound()
      return answerOf(share)
    },
    { perMinute: MADE_A_MINUTE },
  )

  answerCall('revokeShare', async ({ params: { imei, shareId }, visitor }) => {
    const { refused } = await execute(
      shareStream(imei),
      { type: 'share.revoke', by: visitor.userId, data: { imei, shareId } },
      (state, command) => revokeShare(state, command, visitor),
    )
    if (refused) throw refusal(refused)
    return listFor(visitor, visible.device(visitor, imei))
  })

  answerCall(
    'shared',
    async ({ params, query, reply }) => {
      reply.headers(HEADERS)
      const opened = access.shareLinks.open(params.token)
      if (opened === undefined) throw notFound()
      const { share, device, company } = opened
      const maxPoints = Math.min(query.maxPoints ?? MOST_POINTS, MOST_POINTS)
      const history = await historyWithin({ ...deps, keptHistory }, device, share, maxPoints)
      // it may have been revoked while this was read
      if (access.shareLinks.open(params.token) === undefined) throw notFound()
      return {
        company: company.name,
        timeZone: company.timeZone,
        name: device.name,
        plateNumber: device.plateNumber,
        from: iso(share.from),
        to: iso(share.to),
        expiresAt: iso(share.expiresAt),
        madeAt: iso(clock.now()),
        history,
      }
    },
    { perMinute: LOOKS_A_MINUTE },
  )
}

/** Kept nowhere, found by no search, and sent to no other site. */
const HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
}

/** A span alone, in pieces of a day: what came after it is not shown, not even as the newest reading. */
async function historyWithin(
  deps: Deps & { keptHistory: KeptHistory },
  device: Device,
  span: DateRange,
  maxPoints: number,
): Promise<DeviceHistory> {
  const pieces = historyPieces(span)
  const points: DeviceHistory['points'] = []
  const damaged: NonNullable<DeviceHistory['damaged']> = []
  const late: NonNullable<DeviceHistory['late']> = []
  const most = Math.ceil(maxPoints / pieces.length)
  let last: DeviceHistory | undefined
  for (const piece of pieces) {
    last = await historyAnswer(deps, device, piece, most)
    points.push(...last.points)
    damaged.push(...(last.damaged ?? []))
    late.push(...(last.late ?? []))
    // a month may be millions of readings, and whoever holds the link chooses when
    await breath()
  }
  return {
    ...(last as DeviceHistory),
    points,
    latest: points.at(-1) ?? null,
    ...(damaged.length > 0 && { damaged }),
    ...(late.length > 0 && { late }),
  }
}

const iso = (at: number): string => new Date(at).toISOString()
