import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import { headText, rotationText, type SealHead, type SealKey } from '#machines/contracts/entities/seals.ts'
import { isEndorsed, type SealCrypto } from '#machines/rules/verify-seal.ts'
import { newSealKey, type SealKeyPlace } from '../../auth/seal-key.ts'
import { factsBetween } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'

/** SHA-256 and Ed25519 as Node has them. */
export const NODE_CRYPTO: SealCrypto = {
  sha256: (bytes) => hash('sha256', bytes, 'buffer'),
  verify(publicKey, signature, signed) {
    const x = Buffer.from(publicKey).toString('base64url')
    return verify(null, signed, { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }, signature)
  },
}

type Log = Pick<EventLog, 'readFacts'>

/** The keys that heads were signed with, oldest first: the last one signs now. */
export const keysOf = (log: Log): SealKey[] =>
  Array.from(factsBetween(log, ['seal.key-added'], { after: 0 }), ({ at, data }) => ({ ...data, at }))

/**
 * The last entry of before this tree, where there was a signed one before it that could not be read any more; undefined: it is the
 * first. @param past entries from before this tree began
 */
export function begunAnewAfter(log: Log, past: number): number | undefined {
  const [first] = log.readFacts(0, { types: ['seal.key-added'], limit: 1 })
  return first !== undefined && first.seq <= past ? past : undefined
}

/** Nothing is signed until an operator looks: why, and what helps. */
export class CannotSign extends Error {}

export type Signer = { keyId: string; sign(head: Omit<SealHead, 'signature' | 'keyId'>): SealHead }

type Parts = {
  log: Log & Pick<EventLog, 'append'>
  place: SealKeyPlace
  clock: Clock
}

/**
 * The key that signs now. It is made where the record never had one, and said by a fact where it is not yet.
 * @throws CannotSign where the record has keys and the place has none, or has another: only an operator may begin with a new one
 */
export async function signerOf({ log, place, clock }: Parts): Promise<Signer> {
  const known = keysOf(log)
  let key = await place.read()
  if (key === undefined && known.length > 0)
    throw new CannotSign(
      `The key that signs the record is missing (${place.name}): put it back from its backup, or begin with another: npm run admin rotate-seal-key --lost`,
    )
  if (key === undefined) {
    key = newSealKey()
    await place.write(key)
  }
  const publicKey = publicOf(key)
  if (!known.some(({ keyId }) => keyId === publicKey.keyId)) {
    if (known.length > 0)
      throw new CannotSign(
        `${place.name} holds a key that this record does not know: put back the one that was there, or begin with another: npm run admin rotate-seal-key --lost`,
      )
    await say(log, { ...publicKey, at: clock.now(), endorsement: null })
  }
  const { keyId } = publicKey
  const secret = key
  return {
    keyId,
    sign(unsigned) {
      const head = { ...unsigned, keyId }
      return { ...head, signature: signed(secret, headText(head)) }
    },
  }
}

/**
 * Makes another key, which the present one and it itself vouch for, and signs with it from then on. First the fact: where the place
 * cannot be written afterwards, the old key goes on.
 * @param isLost the present key is gone: the new one is vouched for by nobody, and whoever verifies has to be told
 * @throws CannotSign
 */
export async function rotateSealKey({ log, place, clock }: Parts, isLost = false): Promise<SealKey> {
  const present = isLost ? undefined : await place.read()
  if (present === undefined && !isLost)
    throw new CannotSign(`There is no key in ${place.name}: where it is lost, say --lost`)
  const next = newSealKey()
  const key = { ...publicOf(next), at: clock.now() }
  const before = present && publicOf(present).keyId
  const text = before === undefined ? '' : rotationText(key.at, before, key)
  const added: SealKey = {
    ...key,
    endorsement:
      present === undefined || before === undefined
        ? null
        : { previous: before, byPrevious: signed(present, text), byNew: signed(next, text) },
  }
  await say(log, added)
  await place.write(next)
  return added
}

/** Keys that neither are the first nor are vouched for by one before them. */
export async function unvouched(keys: readonly SealKey[]): Promise<SealKey[]> {
  const found: SealKey[] = []
  for (const key of keys.slice(1)) {
    const before = keys.find(({ keyId }) => keyId === key.endorsement?.previous)
    if (before === undefined || !(await isEndorsed(NODE_CRYPTO, key, before))) found.push(key)
  }
  return found
}

async function say(log: Parts['log'], { at, ...data }: SealKey): Promise<void> {
  await log.append('seal', [{ type: 'seal.key-added', at, companyId: null, data }], {
    idempotencyKey: `seal-key-${data.keyId}`,
  })
}

function publicOf(key: KeyObject): Pick<SealKey, 'keyId' | 'publicKey'> {
  const raw = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x as string, 'base64url')
  return { keyId: hash('sha256', raw).slice(0, 16), publicKey: raw.toString('base64') }
}

const signed = (key: KeyObject, text: string): string => sign(null, Buffer.from(text), key).toString('base64')
