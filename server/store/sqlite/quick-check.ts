import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DamageRegister } from '../damage.ts'
import { STORE_FILE } from './database.ts'

/** What SQLite says of the pages of the file, by table; `notReached`: tables for which there was no time. */
export type QuickCheck = { faults: { table: string; reason: string }[]; notReached: string[] }

/** Ms that a start waits for it: some gigabytes. */
const WITHIN = 10_000
const MOST_FAULTS = 10

/** Most needed first; what there is no time for is read by the check of the record. */
const TABLES = [
  'facts',
  'compaction',
  'seal_tree',
  'seal_heads',
  'days',
  'checkpoints',
  'idempotency',
  'aside',
  'answers',
  'damage',
  'record_check',
  'summaries',
  'seal_tiles',
  'chunk_groups',
  'late_hours',
  'frames',
  'batches',
  'chunks',
]

/** Says a line of JSON for each table; a process of its own, since SQLite cannot be interrupted here. */
const PROGRAM = `
const { DatabaseSync } = require('node:sqlite')
const [file, tables] = process.argv.slice(1)
const db = new DatabaseSync(file, { readOnly: true })
for (const table of JSON.parse(tables)) {
  let faults = []
  try {
    if (!db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)) { console.log(JSON.stringify({ table, faults })); continue }
    faults = db.prepare("PRAGMA quick_check('" + table + "')").all().map((row) => row.quick_check).filter((said) => said !== 'ok')
  } catch (error) {
    if (/locked|unable to open/.test(error.message)) process.exit(1)
    faults = [error.message]
  }
  console.log(JSON.stringify({ table, faults: faults.slice(0, ${MOST_FAULTS}) }))
}`

/**
 * Looks through the pages of the store's file before it is opened, for at most `within` ms. Where another process has it open,
 * nothing is reached: whoever opens it next is told so.
 */
export async function quickCheck(dir: string, within: number = WITHIN): Promise<QuickCheck> {
  const file = join(dir, STORE_FILE)
  if (dir === ':memory:' || !existsSync(file)) return { faults: [], notReached: [] }
  const lines = (await faultsOf(file, within)).map(
    (line) => JSON.parse(line) as { table: string; faults: string[] },
  )
  const reached = new Set(lines.map(({ table }) => table))
  return {
    faults: lines.flatMap(({ table, faults }) => faults.map((reason) => ({ table, reason }))),
    notReached: TABLES.filter((table) => !reached.has(table)),
  }
}

/** The whole lines that the process said in time. */
function faultsOf(file: string, within: number): Promise<string[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', PROGRAM, file, JSON.stringify(TABLES)], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: Math.max(1, within),
      killSignal: 'SIGKILL',
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    child.on('error', () => resolve([]))
    child.on('close', () => resolve(text.split('\n').slice(0, -1)))
  })
}

/** Notes what is wrong with the file, in place of what an earlier start found. */
export function noteQuickCheck({ faults, notReached }: QuickCheck, damage: DamageRegister): void {
  const unknown = new Set(notReached)
  damage.clear(({ table, key }) => table === 'file' && !unknown.has(key))
  for (const { table, reason } of faults)
    damage.note({ table: 'file', key: table, device: null, from: null, to: null, reason })
  if (notReached.length > 0)
    console.error(
      `There was no time to look through these tables at the start: ${notReached.join(', ')}. They are read in the background.`,
    )
}
