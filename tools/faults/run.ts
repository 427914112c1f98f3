/** Does to the server what really happens to one, and says what was lost: `npm run faults`. */
import { writeFileSync } from 'node:fs'
import { argumentsOf, fileToWrite, flag, number, whole } from '../build/arguments.ts'
import { clockJumps } from './clock-jumps.ts'
import { diskFull } from './disk-full.ts'
import { type Fault, shortened, sizeOf } from './fault.ts'
import { fsync } from './fsync.ts'
import { hostileLoad } from './hostile-load.ts'
import { hostileNames } from './hostile-names.ts'
import { kill } from './kill.ts'
import { linksCut } from './links-cut.ts'
import { load, longLoad } from './load.ts'
import { nats } from './nats.ts'
import { attempt, type FaultReport, tableOf } from './outcomes.ts'
import { postgresFailover } from './postgres-failover.ts'
import { powerCut } from './power-cut.ts'
import { readings } from './readings.ts'
import { regionBack } from './region-back.ts'
import { requests } from './requests.ts'
import { sigterm } from './sigterm.ts'
import { slowLines } from './slow-lines.ts'
import { stoppedReaders } from './stopped-readers.ts'

const FAULTS: readonly Fault[] = [
  kill,
  sigterm,
  diskFull,
  fsync,
  powerCut,
  clockJumps,
  readings,
  requests,
  linksCut,
  stoppedReaders,
  postgresFailover,
  nats,
  hostileNames,
  hostileLoad,
  slowLines,
  load,
  longLoad,
  regionBack,
]

const { values, words } = argumentsOf({
  command: 'npm run faults',
  says: 'Does to the server what really happens to one, all of it or some, and says what was lost. Ends with 1 where something did not hold.',
  words: { takes: 'fault', known: FAULTS.map(({ name }) => name) },
  options: {
    list: flag('tells what there is'),
    quick: flag('tries of each as much as takes some seconds'),
    scale: number(0.001, 1000, 'tries a tenth of everything with 0.1; 1 where left out'),
    seed: whole(0, Number.MAX_SAFE_INTEGER, 'tries other values'),
    report: fileToWrite('what came of it, as JSON'),
  },
})
const { scale = 1, seed = 20_261_121 } = values
if (values.list) {
  for (const { name, what, mustHold } of FAULTS) console.log(`${name.padEnd(18)} ${what}: ${mustHold}`)
  process.exit(0)
}

const chosen = FAULTS.filter(
  ({ name, quick }) => (words.length === 0 || words.includes(name)) && (!values.quick || quick !== undefined),
)
const reports: FaultReport[] = []
for (const fault of chosen) {
  const size = sizeOf(values.quick ? (fault.quick ?? scale) : scale, seed, !values.quick)
  console.error(`── ${fault.name}${size.scale === 1 ? '' : ` × ${size.scale}`}: ${fault.what}`)
  const outcome = await attempt(fault, size)
  console.error(`   ${outcome.held ? 'held' : 'NOT HELD'} after ${outcome.seconds} s. ${outcome.tried}`)
  for (const lost of shortened(outcome.lost)) console.error(`   lost: ${lost}`)
  reports.push(outcome)
}
console.log(`\n${tableOf(reports)}`)
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(reports, null, 2))
process.exit(reports.every(({ held }) => held) ? 0 : 1)
