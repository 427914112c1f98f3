import type { DatabaseSync } from 'node:sqlite'
import { createDamageRegister, type DamagedPart, type DamageRegister } from '../damage.ts'

/** What an earlier run found, and what this one finds; `saveDamage` keeps it. */
export function openDamage(db: DatabaseSync): DamageRegister {
  const found = db.prepare('SELECT "table", key, device, "from", "to", reason FROM damage')
  return createDamageRegister(found.all() as unknown as DamagedPart[])
}

/** Writes what is known to be damaged, in the caller's transaction. */
export function saveDamage(db: DatabaseSync, damage: DamageRegister): void {
  db.exec('DELETE FROM damage')
  const put = db.prepare('INSERT INTO damage VALUES (?, ?, ?, ?, ?, ?)')
  for (const { table, key, device, from, to, reason } of damage.list())
    put.run(table, key, device, from, to, reason)
}
