import { createDamageRegister, type DamagedPart, type DamageRegister } from '../damage.ts'
import type { Database } from './database.ts'

/** What any node found before. */
export async function openDamage(database: Database): Promise<DamageRegister> {
  return createDamageRegister(
    await database.ask(
      (sql) => sql<DamagedPart[]>`SELECT "table", key, device, "from", "to", reason FROM damage`,
    ),
  )
}
