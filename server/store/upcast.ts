import type { Struct } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'
import { FACT_VERSIONS, type FactVersions, versionOf } from '#machines/contracts/fact-contract.ts'
import { Fact, type FactType, type NewFact } from '#machines/contracts/facts.ts'

/** A fact's data in the shape of one version, turned into the shape of the next. */
export type Upcast = (data: unknown) => unknown

/** From version n to n + 1, for each fact type that ever changed its shape. */
export type Upcasts = Partial<Record<FactType, Record<number, Upcast>>>

/** How facts are written and read: the version of each type, the way there from older ones, and their contract. */
export type FactFormat = { versions: FactVersions; upcasts: Upcasts; contract: Struct<Fact> }

/**
 * Nothing changed yet. When it does: raise the type's version in FACT_VERSIONS (machines/contracts/facts.ts) with its shape,
 * give the step here, and leave what is in the log alone.
 */
const UPCASTS: Upcasts = {}

/** The format of this release. */
export const FACT_FORMAT: FactFormat = { versions: FACT_VERSIONS, upcasts: UPCASTS, contract: Fact }

/** A fact as it was written, of whatever version. */
export type StoredFact = Omit<Fact, 'data' | 'type'> & { type: FactType; data: unknown }

/**
 * A stored fact in the current version of its type. One of an older version is brought up a step at a time, then decoded:
 * a step is code of today over data of back then. One of the current version was decoded when it was written.
 * @throws RangeError when a step is missing or the log was written by a later release; ContractError where the steps do not
 * lead to what the contract says
 */
export function upcast(stored: StoredFact, format: FactFormat = FACT_FORMAT): Fact {
  const target = versionOf(stored.type, format.versions)
  if (stored.v === target) return stored as Fact
  return decode(raised(stored, target, format.upcasts), format.contract, `${stored.type} ${stored.seq}`)
}

function raised(stored: StoredFact, target: number, upcasts: Upcasts): StoredFact {
  if (stored.v > target)
    throw new RangeError(`${stored.type} ${stored.seq}: version ${stored.v} is of a later release`)
  let { data } = stored
  for (let v = stored.v; v < target; v++) {
    const step = upcasts[stored.type]?.[v]
    if (step === undefined)
      throw new RangeError(`${stored.type} ${stored.seq}: no way from version ${v} to ${v + 1}`)
    data = step(data)
  }
  return { ...stored, v: target, data: data as NewFact['data'] }
}
