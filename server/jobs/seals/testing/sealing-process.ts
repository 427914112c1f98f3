/**
 * Appends to the store of the folder given, lets it compact and has it signed, as fast as it can and until it is killed. Each head
 * is a line of JSON on its standard output, written when it is given out.
 */
import { writeSync } from 'node:fs'
import { sealKeyPlace } from '../../../auth/seal-key.ts'
import { columnsOf } from '../../../store/testing/telemetry-model.ts'
import { factOf, openStore, readingsOf } from '../../../store/testing/writing-process.ts'
import { startSealing } from '../sealing.ts'

const [, , dir = '', run = '0'] = process.argv
const store = openStore(dir)
await store.seals.holdBatches()
const start = store.log.head()
const sealing = startSealing({
  store,
  readModels: { onAdvance: () => () => {} },
  place: sealKeyPlace({ sealKeyFile: undefined, dataDir: dir }, undefined),
  clock: { now: () => 20_000 * 86_400_000 },
  term: () => 1,
  warn: (message) => writeSync(2, `${message}\n`),
  onHead: (head) => {
    writeSync(1, `${JSON.stringify(head)}\n`)
  },
})
for (let i = start; ; i++) {
  const writes = [
    store.telemetry.append(columnsOf(readingsOf(Number(run), i)), 20_000 * 86_400_000),
    store.log.append(`stream-${i % 3}`, [factOf(Number(run), i)]),
  ]
  await Promise.all(writes)
  await store.telemetry.maintain(20_000 * 86_400_000)
  if (i % 5 === 0) await sealing.settled()
  if (i % 3 === 0) await sealing.signNow()
}
