import type { FastifyBaseLogger } from 'fastify'
import type { Directory } from '#machines/projections/directory.ts'
import type { DamagedPart, DamageRegister } from '../store/damage.ts'

/** What helps, for whoever reads the log. */
const REMEDY = 'npm run admin verify names all of it, npm run admin restore-days puts days back from a backup'

/** A damaged part in a sentence, with the device by its IMEI. */
export function damageWords(
  { table, key, device, from, to, reason }: DamagedPart,
  { devices }: Pick<Directory, 'devices'>,
): string {
  const imei = device === null ? undefined : (devices[device]?.imei ?? `number ${device}`)
  const span = from === null || to === null ? '' : `, ${isoOf(from)} to ${isoOf(to)}`
  const what = imei === undefined ? `${table} ${key}` : `the record of device ${imei}`
  return `Damaged: ${what}${span} (${table}): ${reason}`
}

const isoOf = (at: number): string => new Date(at).toISOString()

/** Says what is damaged in the log: what is known already, and each part as it is found. Answers how to stop. */
export function logDamage(
  log: Pick<FastifyBaseLogger, 'error'>,
  damage: DamageRegister,
  directory: Directory,
): () => void {
  const say = (part: DamagedPart) => log.error({ damage: part }, `${damageWords(part, directory)}. ${REMEDY}`)
  for (const part of damage.list()) say(part)
  return damage.onNoted(say)
}
