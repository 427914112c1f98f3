import { existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, join, resolve } from 'node:path'
import postgres from 'postgres'
import type { AdminReply, AdminRequest } from '#machines/contracts/administration.ts'
import { LONGEST_LINE } from '#machines/contracts/scalars.ts'
import { shortened } from '#machines/rules/plain-text.ts'
import { createAdministration } from './admin/administration.ts'
import {
  answerLines,
  EXIT,
  isRefusal,
  readCommandLine,
  summaryLine,
  type TypedRestore,
  type TypedVerify,
  type TypedVerifyLog,
  UsageError,
  verifiedLines,
} from './admin/command-line.ts'
import { askServer } from './admin/socket.ts'
import { sealKeyPlace } from './auth/seal-key.ts'
import { type Env, readEnv } from './config/config.ts'
import { publicUrlOf } from './config/public-url.ts'
import { CannotStart, EnvError } from './config/variables.ts'
import { PUBLISHED_CHECKPOINT } from './evaluation/read-published.ts'
import { findingWords, type LogFinding, verifyLog } from './jobs/seals/verify-log.ts'
import { openRecord, openSealedRecord } from './open-record.ts'
import { FOLDED_CHECKPOINTS, startProjecting } from './read-models/read-models.ts'
import { verifyPostgres } from './store/postgres/verify.ts'
import { STORE_FILE } from './store/sqlite/database.ts'
import { openSqliteStore } from './store/sqlite/open.ts'
import { NotRestored, type RestoredDays, restoreDays, wordsOfSalvage } from './store/sqlite/restore-days.ts'
import { verifySqlite } from './store/sqlite/verify.ts'

/** `npm run admin`: what is set up on the machine itself. @returns the exit code */
async function run(words: readonly string[]): Promise<number> {
  const typed = readCommandLine(words)
  if (typed.is === 'help') {
    console.log(typed.text)
    return EXIT.done
  }
  const env = readEnv(process.env)
  if (typed.is === 'verify') return verify(typed, env)
  if (typed.is === 'restore-days') return restore(typed, env)
  if (typed.is === 'verify-log') return verifyTheLog(typed, env)
  const { request, isJson } = typed
  const { answer, refused } = await replyTo(request, env)
  if (refused !== undefined) {
    if (isJson) console.log(JSON.stringify({ refused }))
    else console.error(refused.message)
    return EXIT.refused
  }
  const lines = isJson ? [JSON.stringify(answer)] : answerLines(request.operation, answer)
  console.log(lines.join('\n'))
  return isRefusal(request.operation, answer) ? EXIT.refused : EXIT.done
}

/** What this release cannot read of a record. */
async function verify({ folder, isJson }: TypedVerify, { dataDir, databaseUrl }: Env): Promise<number> {
  const inDatabase = folder === undefined && databaseUrl !== undefined
  const found = inDatabase ? await verifyPostgres(databaseUrl) : verifySqlite(folder ?? dataDir)
  console.log(isJson ? JSON.stringify(found) : verifiedLines(found).join('\n'))
  return found.damaged === 0 ? EXIT.done : EXIT.damaged
}

/** What of a record does not fit its signed heads; how far it is goes to standard error, where somebody watches. */
async function verifyTheLog({ folder, heads, isJson }: TypedVerifyLog, env: Env): Promise<number> {
  const { record, close } = await openSealedRecord(folder, env)
  const found: LogFinding[] = []
  let entries = 0
  let reportedAt = 0
  try {
    for await (const step of verifyLog(record, heads)) {
      entries = step.of
      found.push(...step.found)
      if (!isJson) for (const finding of step.found) console.log(`  ${findingWords(finding)}`)
      if (!process.stderr.isTTY || performance.now() - reportedAt < 500) continue
      reportedAt = performance.now()
      process.stderr.write(`\r${step.done} of ${step.of} entries`)
    }
  } finally {
    await close()
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(isJson ? JSON.stringify({ entries, found }) : summaryLine(entries, found.length))
  return found.length === 0 ? EXIT.done : EXIT.damaged
}

/** Days put back from a backup, and the fact that says so. */
async function restore(typed: TypedRestore, { dataDir, databaseUrl }: Env): Promise<number> {
  const { backup, fromDay, toDay, imei, isJson } = typed
  try {
    if (databaseUrl !== undefined)
      throw new NotRestored(
        'The record is in a database: put days back as docs/operations.md says of several nodes',
      )
    refuseOthersFolder(dataDir)
    refuseNoRecord(dataDir, 'restore-days')
    const device = imei === undefined ? undefined : await numberOf(dataDir, imei)
    const folded = [...FOLDED_CHECKPOINTS, PUBLISHED_CHECKPOINT]
    const restored = restoreDays(dataDir, backup, { fromDay, toDay, device }, Date.now(), folded)
    await noteRestored(dataDir, typed, device, restored)
    console.log(isJson ? JSON.stringify(restored) : restoredLines(restored).join('\n'))
    return EXIT.done
  } catch (error) {
    if (!(error instanceof NotRestored)) throw error
    if (isJson) console.log(JSON.stringify({ refused: { status: 409, message: error.message, path: null } }))
    else console.error(error.message)
    return EXIT.refused
  }
}

/** The number of a device, by its IMEI. */
async function numberOf(dir: string, imei: string): Promise<number> {
  const store = openSqliteStore({ dir, clock: { now: () => Date.now() } })
  try {
    const readModels = startProjecting(store)
    const found = readModels.directory.numbers.get(imei)
    readModels.stop()
    if (found === undefined) throw new NotRestored(`There is no device ${imei}`)
    return found
  } finally {
    await store.close()
  }
}

async function noteRestored(
  dir: string,
  { backup, fromDay, toDay }: TypedRestore,
  device: number | undefined,
  { chunks, facts, batches }: RestoredDays,
): Promise<void> {
  const [from, to] = [fromDay, toDay].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)) as [
    string,
    string,
  ]
  const data = {
    operator: userInfo().username,
    backup: shortened(basename(backup), LONGEST_LINE),
    ...{ from, to, deviceNo: device ?? null },
  }
  const store = openSqliteStore({ dir, clock: { now: () => Date.now() } })
  try {
    await store.log.append('record', [
      {
        type: 'record.days-restored',
        at: Date.now(),
        companyId: null,
        data: { ...data, chunks, facts, batches },
      },
    ])
  } finally {
    await store.close()
  }
}

function restoredLines({ chunks, facts, batches, damagedFile }: RestoredDays): string[] {
  return [
    `Put back ${chunks} days of devices, ${facts} facts and ${batches} batches.`,
    ...(damagedFile === undefined ? [] : [wordsOfSalvage(damagedFile)]),
    'Now let verify look, and start the server.',
  ]
}

/** By the server that runs, else by opening what it would open. */
async function replyTo(request: AdminRequest, env: Env): Promise<AdminReply> {
  if (env.databaseUrl === undefined) {
    refuseOthersFolder(env.dataDir)
    refuseNoRecord(env.dataDir, request.operation)
    const reply = await askServer(env.dataDir, request)
    if (reply !== undefined) return reply
  }
  const { core, database, close } = await openRecord(env)
  try {
    const { access, execute, readModels, store } = core
    const administration = createAdministration({
      directory: readModels.directory,
      log: store.log,
      emailLinks: access.emailLinks,
      execute,
      clock: { now: () => Date.now() },
      sealKey: sealKeyPlace(env, database),
      publicUrl: publicUrlOf(env.publicUrl, `http://${env.host}:${env.port}`),
    })
    return await administration.run(request)
  } finally {
    await close()
  }
}

/** What root writes into the server's folder, the server could not open any more. */
function refuseOthersFolder(dataDir: string): void {
  if (dataDir === ':memory:') throw new UsageError('DATA_DIR is :memory:, which keeps nothing')
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid
  const self = process.getuid?.()
  if (owner !== undefined && self === 0 && owner !== 0)
    throw new UsageError(
      `${dataDir} belongs to user ${owner}: run this as that user, e.g. sudo -u '#${owner}' with the same variables`,
    )
}

/** Only the first administrator begins a record, before the server is started on it, and only where it is said which folder. */
function refuseNoRecord(dataDir: string, command: string): void {
  if (existsSync(join(dataDir, STORE_FILE))) return
  if (command === 'create-admin' && process.env.DATA_DIR) return
  throw new UsageError(
    `there is no record in ${resolve(dataDir)} (${STORE_FILE} is missing): set DATA_DIR or DATABASE_URL as the server has it`,
  )
}

function explained(error: unknown): string {
  if (error instanceof UsageError || error instanceof CannotStart) return error.message
  const { message, cause } = error as Error
  const why = cause instanceof Error ? ` (${cause.message})` : ''
  if (error instanceof postgres.PostgresError) return `the database refuses: ${message}`
  return `${message}${why}`
}

// what it makes is its user's alone, as what the server makes
process.umask(0o077)
process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(explained(error))
  return error instanceof UsageError || error instanceof EnvError ? EXIT.usage : EXIT.failed
})
