import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  optional,
  pattern,
  size,
  string,
  type,
} from 'superstruct'
import { Count, EpochMs, Id, Line, saying } from '../scalars.ts'
import { MadeFile } from './reports.ts'

/** SHA-256 in small hexadecimal letters. */
export const HexHash = saying(pattern(string(), /^[0-9a-f]{64}$/), { pattern: '^[0-9a-f]{64}$' })

/** The first 16 hexadecimal letters of the SHA-256 of a public key's 32 bytes. */
export const SealKeyId = saying(pattern(string(), /^[0-9a-f]{16}$/), { pattern: '^[0-9a-f]{16}$' })

/** An Ed25519 signature, 64 bytes in base64. */
export const SealSignature = saying(pattern(string(), /^[A-Za-z0-9+/]{86}==$/), {
  minLength: 88,
  maxLength: 88,
})

/** An Ed25519 public key, its 32 bytes in base64. */
export const SealPublicKey = saying(pattern(string(), /^[A-Za-z0-9+/]{43}=$/), {
  minLength: 44,
  maxLength: 44,
})

/** Hashes of a way through the tree: 2^53 leaves need no more than twice 53 of them. */
const Path = size(array(HexHash), 0, 106)

/**
 * The record as it was at one time: `size` entries, facts and batches of readings, and the root of the Merkle tree over them. What
 * is signed is `headText` of it.
 */
export const SealHead = type({
  size: Count,
  root: HexHash,
  at: EpochMs,
  keyId: SealKeyId,
  signature: SealSignature,
})
export type SealHead = Infer<typeof SealHead>

/** What is signed of a head: its canonical JSON (RFC 8785), with what it is, in UTF-8. */
export const headText = ({ at, keyId, root, size }: Omit<SealHead, 'signature'>): string =>
  JSON.stringify({ at, is: 'frostline-head', keyId, root, size })

/** What both keys sign when one takes the place of the other: canonical JSON, in UTF-8. */
export const rotationText = (
  at: number,
  previous: string,
  { keyId, publicKey }: Pick<SealKey, 'keyId' | 'publicKey'>,
) => JSON.stringify({ at, is: 'frostline-key-rotation', keyId, previous, publicKey })

/**
 * A key that heads are signed with, since `at`. `endorsement`: the key before it, and both keys' signatures over `rotationText`;
 * null: nobody vouches for it, as for the first.
 */
export const SealKey = type({
  keyId: SealKeyId,
  publicKey: SealPublicKey,
  at: EpochMs,
  endorsement: nullable(type({ previous: SealKeyId, byPrevious: SealSignature, byNew: SealSignature })),
})
export type SealKey = Infer<typeof SealKey>

/** The public keys of a server, oldest first; the last signs now. Stands at `SEAL_KEYS_PATH`. */
export const SealKeys = type({ is: literal('frostline-seal-keys'), keys: size(array(SealKey), 0, 1000) })
export type SealKeys = Infer<typeof SealKeys>

export const SEAL_KEYS_PATH = '/.well-known/frostline-seal-keys.json'

/** A fact is at most so long, in canonical JSON. */
const FactText = size(string(), 1, 4_000_000)

/** A fact in its place of the tree. `fact`: its canonical JSON, of which the leaf is SHA-256 of 0x00 and its UTF-8; `index`: from 0. */
const PlacedFact = { fact: FactText, index: Count, path: Path }

/**
 * Shows that a file is what a server made: the fact that names the file's SHA-256, the way from that fact to the root of a signed
 * head. One seal stands for all files of a report.
 */
export const Seal = type({
  is: literal('frostline-seal'),
  v: literal(1),
  ...PlacedFact,
  head: SealHead,
  /** the fact of the newest version of the same report, where there was one when the seal was asked for; under the same head */
  supersededBy: optional(type(PlacedFact)),
  /** the keys up to the one that signed: a page that knows one of them comes to the others by their endorsements */
  keys: size(array(SealKey), 0, 1000),
})
export type Seal = Infer<typeof Seal>

/** Name of a seal beside the file it stands for. */
export const sealNameOf = (fileName: string): string => `${fileName}.seal.json`

/** What of a sealed fact is read: that of a finished report, `seq` is one more than its index. */
export const SealedFact = type({
  at: EpochMs,
  by: optional(string()),
  companyId: nullable(string()),
  data: type({
    reportId: Id,
    files: array(MadeFile),
    /** from 2 on, and the id of the first version, where it is not the first */
    version: optional(Count),
    firstId: optional(Id),
    title: optional(Line),
    timeZone: optional(string()),
  }),
  recordedAt: EpochMs,
  seq: Count,
  stream: string(),
  type: literal('report.completed'),
  v: Count,
  version: Count,
})
export type SealedFact = Infer<typeof SealedFact>

/** Shows that the record of `to` begins with what it was at `size` entries. */
export const ConsistencyProof = type({ size: Count, root: HexHash, to: SealHead, path: Path })
export type ConsistencyProof = Infer<typeof ConsistencyProof>

/** Shows that the entry of this number, counted from 1, is in the record of `head`. */
export const InclusionProof = type({ seq: Count, leaf: HexHash, path: Path, head: SealHead })
export type InclusionProof = Infer<typeof InclusionProof>

/**
 * The address a company chose to keep the daily heads, '' where it chose none. `sends`: whether it gets them, `confirm`: it is asked
 * and has not said yes; null where there is none. `mayChange`: whether whoever asked may choose another.
 */
export const HeadAddress = type({
  address: string(),
  sends: nullable(enums(['sent', 'confirm', 'unsubscribed'])),
  mayChange: boolean(),
  version: string(),
})
export type HeadAddress = Infer<typeof HeadAddress>
