import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'

/** A fact's data in the shape of one version, turned into the shape of the next. */
export type Upcast = (data: unknown) => unknown

/**
 * From version n to n + 1, for each fact type that ever changed its shape. Nothing changed yet. When it does: raise the
 * version in FACT_VERSIONS, give the step here, and leave what is in the log alone.
 */
const UPCASTS: Partial<Record<FactType, Record<number, Upcast>>> = {}

/** Version a type is written in; 1 where nothing is said. */
const FACT_VERSIONS: Partial<Record<FactType, number>> = {}

/** The version in which facts of this type are appended. */
export function currentVersion(type: FactType): number {
  return FACT_VERSIONS[type] ?? 1
}

/**
 * Brings a stored fact up to the current version of its type, one step at a time.
 * @throws RangeError when a step is missing or the log was written by a later release
 */
export function upcast(
  stored: Omit<Fact, 'data' | 'type'> & { type: FactType; data: unknown },
  versionOf: (type: FactType) => number = currentVersion,
  steps: Partial<Record<FactType, Record<number, Upcast>>> = UPCASTS,
): Fact {
  const target = versionOf(stored.type)
  if (stored.v > target)
    throw new RangeError(`${stored.type} ${stored.seq}: version ${stored.v} is of a later release`)
  let { data } = stored
  for (let v = stored.v; v < target; v++) {
    const step = steps[stored.type]?.[v]
    if (step === undefined) throw new RangeError(`${stored.type}: no way from version ${v} to ${v + 1}`)
    data = step(data)
  }
  return { ...stored, v: target, data: data as NewFact['data'] } as Fact
}
