import { ContractError, decode } from '#machines/contracts/decode.ts'
import { FACT_TYPES, type FactType } from '#machines/contracts/facts.ts'
import { factOf, type StoredRow } from './fact-rows.ts'
import type { EventLog } from './store.ts'
import { FACT_FORMAT, type FactFormat } from './upcast.ts'

/** A fact that this release cannot read. `path`: where in it, empty for the whole; `reason`: what is wrong there. */
export type UnreadableFact = { seq: number; type: string; v: number; path: string; reason: string }

/** `facts`: how many were looked at; `unreadable`: the first hundred of those that cannot be read, `count` of them in all */
export type Verified = { facts: number; unreadable: UnreadableFact[]; count: number }

const PAGE = 1000
const MOST_NAMED = 100
const KNOWN = new Set<string>(FACT_TYPES)

/**
 * Reads every fact of a record as this release would, and decodes those too that are decoded when they are written. Gives others
 * their turn after each thousand.
 */
export async function verifyRecord(
  log: Pick<EventLog, 'readStored'>,
  format: FactFormat = FACT_FORMAT,
): Promise<Verified> {
  const verified: Verified = { facts: 0, unreadable: [], count: 0 }
  for (let after = 0; ; ) {
    const rows = log.readStored(after, PAGE)
    for (const row of rows) note(verified, row, format)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return verified
    after = last.seq
    await new Promise<void>((others) => setImmediate(others))
  }
}

function note(verified: Verified, row: StoredRow, format: FactFormat): void {
  verified.facts++
  const fault = factFault(row, format)
  if (fault === undefined) return
  verified.count++
  const { seq, type, v } = row
  if (verified.unreadable.length < MOST_NAMED) verified.unreadable.push({ seq, type, v, ...fault })
}

/** Why this release cannot read a stored fact, and where in it; undefined: it can. */
export function factFault(
  row: StoredRow,
  format: FactFormat = FACT_FORMAT,
): { path: string; reason: string } | undefined {
  if (!isKnown(row.type)) return { path: 'type', reason: 'no fact type of this release' }
  try {
    decode(factOf(row, format), format.contract, `${row.type} ${row.seq}`)
    return undefined
  } catch (error) {
    const path = error instanceof ContractError ? error.path : ''
    return { path, reason: error instanceof Error ? error.message : String(error) }
  }
}

const isKnown = (type: string): type is FactType => KNOWN.has(type)
