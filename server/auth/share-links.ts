import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import { type Company, type Device, type Directory, isWithin } from '#machines/projections/directory.ts'
import type { Share } from '#machines/projections/shares.ts'
import { hashSecret } from './refresh-tokens.ts'

/** What a link shows now. */
export type Opened = { share: Share; device: Device; company: Company }

/**
 * Links to one device in one span. What stands in one follows from its id and a key that the log does not hold, so that its
 * creator may copy it again, and whoever reads the log learns nothing (docs/decisions/0114).
 */
export type ShareLinks = {
  /** 43 characters of base64url, 256 bits */
  tokenOf(shareId: string): string
  /** undefined: it never was, is over, was revoked, or who made it does not see the device now */
  open(token: string): Opened | undefined
  /** whether a link opens now */
  isGood(share: Share): boolean
}

type Deps = {
  secret: string
  directory: Directory
  clock: Clock
}

/** `secret`: of all nodes; with another one the links that were given out open nothing any more. */
export function createShareLinks({ secret, directory, clock }: Deps): ShareLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'frostline shares', 32))

  return {
    tokenOf: (shareId) => createHmac('sha256', key).update(`share:${shareId}`).digest('base64url'),
    open(token) {
      const share = directory.shares.byId.get(directory.shares.ids.get(hashSecret(token)) ?? '')
      return share && openedAt(directory, share, clock.now())
    },
    isGood: (share) => openedAt(directory, share, clock.now()) !== undefined,
  }
}

/** What a link shows at `at`, epoch ms; undefined: nothing, as `ShareLinks.open` says. */
export function openedAt(directory: Directory, share: Share, at: number): Opened | undefined {
  const company = directory.companies.get(share.companyId)
  const device = directory.devices[share.deviceNo]
  const creator = directory.users.get(share.madeBy)
  if (at >= share.expiresAt || company === undefined || device === undefined || creator === undefined)
    return undefined
  if (company.suspended || device.companyId !== company.companyId) return undefined
  if (!isWithin(directory, device.groupId, creator.groupId)) return undefined
  return { share, device, company }
}
