import type { Fact, FactData } from '../contracts/facts.ts'

/** A link to what one device measured in one span. What stands in it nobody keeps: `tokenHash` is its SHA-256, hex. */
export type Share = {
  shareId: string
  companyId: string
  /** of the device, whatever its tracker */
  deviceNo: number
  /** epoch ms, both included */
  from: number
  to: number
  tokenHash: string
  expiresAt: number
  madeAt: number
  /** the user who made it */
  madeBy: string
}

/** The links of all companies that were not revoked. */
export type Shares = {
  byId: Map<string, Share>
  /** hash → share id */
  ids: Map<string, string>
  /** device number → share ids, oldest first */
  ofDevice: Map<number, string[]>
}

export const emptyShares = (): Shares => ({ byId: new Map(), ids: new Map(), ofDevice: new Map() })

/** Those of the same device that have run out are forgotten with it. */
export function foldShareMade(
  shares: Shares,
  { userId, ...data }: FactData<'share.made'>,
  { at }: Pick<Fact, 'at'>,
): void {
  for (const share of sharesOf(shares, data.deviceNo)) if (share.expiresAt <= at) forget(shares, share)
  shares.byId.set(data.shareId, { ...data, madeAt: at, madeBy: userId })
  shares.ids.set(data.tokenHash, data.shareId)
  shares.ofDevice.set(data.deviceNo, [...(shares.ofDevice.get(data.deviceNo) ?? []), data.shareId])
}

/** It opens for nobody from then on; one that was forgotten already is passed over. */
export function foldShareRevoked(shares: Shares, { shareId }: FactData<'share.revoked'>): void {
  const share = shares.byId.get(shareId)
  if (share) forget(shares, share)
}

/** Whoever is gone shares nothing any more. */
export function foldSharerGone(shares: Shares, userId: string): void {
  for (const share of [...shares.byId.values()]) if (share.madeBy === userId) forget(shares, share)
}

function forget({ byId, ids, ofDevice }: Shares, { shareId, tokenHash, deviceNo }: Share): void {
  byId.delete(shareId)
  ids.delete(tokenHash)
  const left = (ofDevice.get(deviceNo) ?? []).filter((id) => id !== shareId)
  if (left.length === 0) ofDevice.delete(deviceNo)
  else ofDevice.set(deviceNo, left)
}

/** The links to a device, oldest first, also those that have run out. */
export const sharesOf = ({ byId, ofDevice }: Shares, deviceNo: number): Share[] =>
  (ofDevice.get(deviceNo) ?? []).flatMap((id) => byId.get(id) ?? [])
