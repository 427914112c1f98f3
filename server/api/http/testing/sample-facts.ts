import { is, type Struct } from 'superstruct'
import type { ChoiceShape } from '#machines/contracts/choice.ts'
import { FACT_TYPES, factData, type NewFact } from '#machines/contracts/facts.ts'

/** A fact of every type there is, of one company, with every field it may have; what is nobody's business holds `SECRET`. */
export const sampleFacts = (companyId: string): NewFact[] =>
  FACT_TYPES.map(
    (type, at) =>
      ({
        type,
        at: at + 1,
        companyId,
        by: 'SECRET-user',
        data: sampleOf(factData(type) as unknown as AnyStruct, ''),
      }) as unknown as NewFact,
  )

type AnyStruct = Struct<unknown>

/** Ids, roots, signatures and keys of seals: so many letters of an alphabet. */
const SEALS = ['0'.repeat(16), '0'.repeat(64), `${'A'.repeat(86)}==`, `${'A'.repeat(43)}=`]
const PRIVATE = /^to$|hash|token|email|phone|user|comment|person|bam|subject|text|reason|base64/i
const LEAVES: readonly unknown[] = [
  'sample',
  '356307042441013',
  '+923001234567',
  // a key's id, a hash, a public key, a signature
  'ab'.repeat(8),
  'ab'.repeat(32),
  `${'A'.repeat(43)}=`,
  `${'A'.repeat(86)}==`,
  '12:30',
  50,
  1,
  0,
  true,
  new Set(),
  [],
  {},
]

/** What fits a struct: the fields of an object, one entry of a list, the first that fits otherwise. */
function sampleOf(struct: AnyStruct, field: string): unknown {
  const inner: unknown = struct.schema
  if ((struct.type === 'object' || struct.type === 'type') && inner !== null)
    return Object.fromEntries(
      Object.entries(inner as Record<string, AnyStruct>).map(([name, one]) => [name, sampleOf(one, name)]),
    )
  if (struct.type === 'choice')
    return sampleOf(Object.values((inner as ChoiceShape).of)[0] as AnyStruct, field)
  if (struct.type === 'array') return [sampleOf(inner as AnyStruct, field)]
  if (struct.type === 'enums') return Object.values(inner as object)[0]
  if (struct.type === 'literal') return inner
  const secrets = PRIVATE.test(field) ? ['SECRET', 'SECRET@secret.example'] : []
  const all = [...secrets, ...LEAVES, 'somebody@sample.example', '12:30:00', '09:15', '/sample', ...SEALS]
  const found = all.find((value) => is(value, struct))
  if (found === undefined && !is(undefined, struct)) throw new Error(`no sample of ${field}: ${struct.type}`)
  return found
}
