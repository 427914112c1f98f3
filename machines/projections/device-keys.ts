import type { KeyScope } from '../contracts/entities/device-keys.ts'
import type { Fact, FactData } from '../contracts/facts.ts'

/** A key other systems come with. What it is nobody knows any more: `hash` is its SHA-256, hex. */
export type DeviceKey = {
  keyId: string
  companyId: string
  name: string
  scopes: readonly KeyScope[]
  hash: string
  createdAt: number
  /** who made it; null: it came with the company */
  createdBy: string | null
  /** from then on it is good for nothing; null: it has no end */
  expiresAt: number | null
}

/** The keys of all companies. */
export type DeviceKeys = {
  byId: Map<string, DeviceKey>
  /** hash → key id */
  ids: Map<string, string>
  /** company → key ids, oldest first */
  ofCompany: Map<string, string[]>
}

export const emptyDeviceKeys = (): DeviceKeys => ({ byId: new Map(), ids: new Map(), ofCompany: new Map() })

/** What the key is called that came with a company; its id is the company's. */
export const FIRST_KEY = 'first key'

/** The key that a company was registered with: for readings alone. */
export function foldFirstKey(
  keys: DeviceKeys,
  { companyId, deviceKeyHash }: FactData<'company.registered'>,
  at: number,
): void {
  if (deviceKeyHash === null) return
  add(keys, {
    keyId: companyId,
    companyId,
    name: FIRST_KEY,
    scopes: ['ingest'],
    hash: deviceKeyHash,
    createdAt: at,
    createdBy: null,
    expiresAt: null,
  })
}

export function foldKeyCreated(
  keys: DeviceKeys,
  data: FactData<'device-key.created'>,
  { at, by }: Pick<Fact, 'at' | 'by'>,
): void {
  add(keys, { ...data, createdAt: at, createdBy: by ?? null })
}

/** `expiresAt`: epoch ms, null: never. A key that is not known is passed over. */
export function foldKeyExpiry(
  { byId }: DeviceKeys,
  { keyId, expiresAt }: FactData<'device-key.expiry-set'>,
): void {
  const key = byId.get(keyId)
  if (key) key.expiresAt = expiresAt
}

function add({ byId, ids, ofCompany }: DeviceKeys, key: DeviceKey): void {
  byId.set(key.keyId, key)
  ids.set(key.hash, key.keyId)
  ofCompany.set(key.companyId, [...(ofCompany.get(key.companyId) ?? []), key.keyId])
}

/** The keys of a company, oldest first. */
export const keysOfCompany = ({ byId, ofCompany }: DeviceKeys, companyId: string): DeviceKey[] =>
  (ofCompany.get(companyId) ?? []).flatMap((id) => byId.get(id) ?? [])

/** Whether it may still be used at that time, epoch ms. */
export const isGood = ({ expiresAt }: DeviceKey, at: number): boolean => expiresAt === null || at < expiresAt
