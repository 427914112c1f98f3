import { hashPassword } from '../../server/auth/passwords.ts'
import type { Deciding } from '../../server/commands/append-decided.ts'
import { claimRecord } from '../../server/commands/registration/record-use.ts'
import { register } from '../../server/commands/registration/register.ts'
import type { ReadModels } from '../../server/read-models/read-models.ts'
import { startProjecting } from '../../server/read-models/read-models.ts'
import { openStore } from '../../server/store/open.ts'
import type { Store } from '../../server/store/store.ts'
import { readSimulatorConfig } from '../config.ts'
import { registrationOf } from '../registration.ts'
import { openSimulation } from '../world/simulation.ts'

type Record = { log: Deciding['log']; readModels: ReadModels }

/** Puts the people and trackers of a scenario into production's record, as somebody would who knows them all. */
export async function registerPeople({ log, readModels }: Record, source: NodeJS.Dict<string> = {}) {
  const simulation = await openSimulation(readSimulatorConfig(source))
  const { world } = simulation
  await register(
    { log, readModels, hashPassword },
    registrationOf({ ...simulation, world: { registration: { ...world.registration, devices: [] } } }),
    Date.now(),
  )
}

/** The same in a folder or database that nobody has open, before production is started on it. */
export async function preparePeople(
  where: { dataDir: string; databaseUrl?: string },
  source: NodeJS.Dict<string> = {},
): Promise<void> {
  const clock = { now: () => Date.now() }
  const store: Store = await openStore(
    { dataDir: where.dataDir, databaseUrl: where.databaseUrl },
    { clock, leads: () => false },
  )
  const readModels = startProjecting(store)
  try {
    await claimRecord({ log: store.log, readModels }, 'production', clock.now())
    await registerPeople({ log: store.log, readModels }, source)
  } finally {
    readModels.stop()
    await store.close()
  }
}
