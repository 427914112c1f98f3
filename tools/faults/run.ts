/**
 * Does to the server what really happens to one, and says what was lost: `npm run faults`, or only some of them:
 * `npm run faults -- kill power-cut`. `--scale 0.1` tries a tenth of everything, `--seed` other numbers, `--list` tells
 * what there is, `--quick` tries of each as much as takes some seconds, `--report` names a file for what came of it, as JSON. Ends with 1 where something did not hold.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
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
import { attempt, type Told, tableOf } from './outcomes.ts'
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seed: { type: 'string', default: '20261121' },
    quick: { type: 'boolean', default: false },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !FAULTS.some((fault) => fault.name === name))
const [scale, seed] = [Number(values.scale), Number(values.seed)]
if (unknown.length > 0 || !(scale > 0) || !Number.isInteger(seed)) {
  console.error(
    `There is no ${unknown.join(', ') || 'such scale or seed'}. Faults: ${FAULTS.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}
if (values.list) {
  for (const { name, what, mustHold } of FAULTS) console.log(`${name.padEnd(18)} ${what}: ${mustHold}`)
  process.exit(0)
}

const chosen = FAULTS.filter(
  ({ name, quick }) =>
    (positionals.length === 0 || positionals.includes(name)) && (!values.quick || quick !== undefined),
)
const told: Told[] = []
for (const fault of chosen) {
  const size = sizeOf(values.quick ? (fault.quick ?? scale) : scale, seed, !values.quick)
  console.error(`── ${fault.name}${size.scale === 1 ? '' : ` × ${size.scale}`}: ${fault.what}`)
  const outcome = await attempt(fault, size)
  console.error(`   ${outcome.held ? 'held' : 'NOT HELD'} after ${outcome.seconds} s. ${outcome.tried}`)
  for (const lost of shortened(outcome.lost)) console.error(`   lost: ${lost}`)
  told.push(outcome)
}
console.log(`\n${tableOf(told)}`)
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(told, null, 2))
process.exit(told.every(({ held }) => held) ? 0 : 1)
