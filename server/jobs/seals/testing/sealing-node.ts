/**
 * A node over a database that several share: appends readings and facts as fast as it can, leads where nobody does, and then has the
 * record compacted and signed, until it is killed. On its standard output it says `leads <term>`, `appended`, `head <JSON>` of each
 * head when it is given out, and `warn <why>`.
 */
import { writeSync } from 'node:fs'
import { sealKeyPlace } from '../../../auth/seal-key.ts'
import { holdLease } from '../../../cluster/lease.ts'
import { openDatabase } from '../../../store/postgres/database.ts'
import { openPostgresStore } from '../../../store/postgres/open.ts'
import { StoreUnavailable } from '../../../store/store.ts'
import { columnsOf } from '../../../store/testing/telemetry-model.ts'
import { factOf, readingsOf } from '../../../store/testing/writing-process.ts'
import { type Sealing, startSealing } from '../sealing.ts'

const START = 20_000 * 86_400_000
/** Ms a node leads without renewing it: others take over soon. */
const TTL = 1500

const [, , url = '', node = '', run = '0'] = process.argv
const say = (line: string): void => void writeSync(1, `${line}\n`)
const clock = { now: () => START }

const database = await openDatabase(url)
const store = await openPostgresStore({ database, dir: ':memory:', clock, sliceMs: 0 })
await store.seals.holdBatches()
const lease = await holdLease({ database, node, address: `http://${node}`, ttl: TTL })
let sealing: Sealing | undefined

function begin(): void {
  say(`leads ${lease.leader()?.term}`)
  sealing = startSealing({
    ...{ store, clock, readModels: { onAdvance: () => () => {} } },
    place: sealKeyPlace({ sealKeyFile: undefined, dataDir: ':memory:' }, database),
    term: () => (lease.leads() ? lease.leader()?.term : undefined),
    warn: (message) => say(`warn ${message}`),
    onHead: (head) => say(`head ${JSON.stringify(head)}`),
  })
}
lease.onLeadership((leads) => {
  const before = sealing
  sealing = undefined
  if (leads) begin()
  void before?.stop()
})
if (lease.leads()) begin()

for (let i = 0; ; i++) {
  try {
    await Promise.all([
      store.telemetry.append(columnsOf(readingsOf(Number(run), i)), START),
      store.log.append(`stream-${node}`, [factOf(Number(run), i)]),
    ])
    say('appended')
    if (sealing !== undefined && i % 7 === 0) await store.telemetry.maintain(START)
    if (i % 5 === 0) await sealing?.settled()
    await sealing?.signNow()
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}
