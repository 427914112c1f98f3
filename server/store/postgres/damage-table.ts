import { createDamageRegister, type DamagedPart, type DamageRegister } from '../damage.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'

/** What any node found before. */
export async function openDamage(database: Database): Promise<DamageRegister> {
  return createDamageRegister(await database.ask(damagedParts))
}

export const damagedParts = (sql: Query): Promise<DamagedPart[]> =>
  sql<DamagedPart[]>`SELECT "table", key, device, "from", "to", reason FROM damage`
