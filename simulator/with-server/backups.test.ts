import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConsistencyProof, SealHead } from '#machines/contracts/entities/seals.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { bytesOfHex, verifyConsistency } from '#machines/rules/merkle-tree.ts'
import { createBackups } from '../../server/admin/backups.ts'
import { sealKeyPlace } from '../../server/auth/seal-key.ts'
import { NODE_CRYPTO } from '../../server/jobs/seals/keys.ts'
import { createProofs } from '../../server/jobs/seals/proofs.ts'
import { startSealing } from '../../server/jobs/seals/sealing.ts'
import { verifyLog } from '../../server/jobs/seals/verify-log.ts'
import { createReportFiles, fileNameOf } from '../../server/store/report-files.ts'
import { STORE_FILE } from '../../server/store/sqlite/database.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import { type Store, StoreUnavailable } from '../../server/store/store.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { group } from '../../server/testing/facts.ts'
import { type ServerProcess, spawnServer, startServerProcess } from '../../server/testing/server-process.ts'
import { startDemo } from '../testing/start-demo.ts'

const IMEI = '352093024171000'
const START = Date.parse('2026-06-15T04:00:00Z')
const clock = { now: () => START }

let folder: string
let dataDir: string
let backupDir: string
let running: ServerProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frostline-backups-'))
  dataDir = join(folder, 'data')
  backupDir = join(folder, 'backups')
})
afterEach(async () => {
  running?.process.kill('SIGKILL')
  await running?.ended
  running = undefined
  await rm(folder, { recursive: true, force: true })
})

/** A store of several megabytes: copying it takes a moment. */
async function openFilled(): Promise<Store> {
  const store = openSqliteStore({ dir: dataDir, clock })
  for (let batch = 0; batch < 40; batch++) {
    const readings = createReadings(2000)
    for (let i = 0; i < 2000; i++)
      pushReading(readings, { device: i, at: START + batch * 1000, lat: 31 + i / 1e4, lng: 74 + batch / 1e4 })
    await store.telemetry.append(readings, START)
  }
  return store
}

/** The store's own must stay the only one, which a lock of the system sees to. */
async function otherProcessReads(file: string): Promise<boolean> {
  const script = 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("SELECT 1 FROM facts")'
  return promisify(execFile)(process.execPath, ['-e', script, file]).then(
    () => true,
    (error: { stderr: string }) => {
      if (!error.stderr.includes('database is locked')) throw error
      return false
    },
  )
}

test('a copy made while it is written to holds all that was acknowledged before, and no half of anything', async () => {
  const store = await openFilled()
  const backups = createBackups({ store, dataDir, backupDir, now: () => START })
  const before = store.log.head()
  let isCopying = true
  const copying = backups.make().finally(() => {
    isCopying = false
  })
  const again = backups.make()
  for (let i = 0; isCopying; i++)
    await store.log.append(`group-g${i}`, [group(`g${i}`, 'indus', null), group(`h${i}`, 'indus', null)])
  const copied = await copying
  expect(await again).toBe(copied)
  const after = store.log.head()
  expect(await otherProcessReads(join(dataDir, STORE_FILE))).toBe(false)
  await store.close()

  expect(await readdir(backupDir)).toEqual(['2026-06-15T04-00-00.000Z'])
  expect((await stat(copied)).mode & 0o077).toBe(0)
  const file = new DatabaseSync(join(copied, STORE_FILE))
  expect(file.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  file.close()
  const restored = openSqliteStore({ dir: copied, clock })
  const head = restored.log.head()
  expect(head).toBeGreaterThanOrEqual(before)
  expect(head).toBeLessThanOrEqual(after)
  const numbers = restored.log.read(0, head + 1).map(({ seq }) => seq)
  expect(numbers).toEqual(Array.from({ length: head }, (_, i) => i + 1))
  // each append was of two
  expect((head - before) % 2).toBe(0)
  expect((await restored.telemetry.history(1999, START, START + 60_000)).length).toBe(40)
  await restored.close()
})

test('the files of reports are in the copy, without one that is half written', async () => {
  const store = openSqliteStore({ dir: dataDir, clock })
  const files = createReportFiles(dataDir)
  await files.put(fileNameOf('r1', 0), Buffer.from('a report'))
  await writeFile(join(dataDir, 'reports', `${fileNameOf('r2', 0)}.part`), 'half')
  const copied = createReportFiles(await createBackups({ store, dataDir, backupDir }).make())
  await store.close()
  expect(await copied.names()).toEqual([fileNameOf('r1', 0)])
  expect(Buffer.from((await copied.get(fileNameOf('r1', 0))) ?? []).toString()).toBe('a report')
})

test('what a copy that was cut off left behind goes with the next one, and nothing else does', async () => {
  const store = openSqliteStore({ dir: dataDir, clock })
  const others = ['2026-06-14T04-00-00.000Z', 'by-hand.part']
  for (const name of [...others, '2026-06-15T03-00-00.000Z.part'])
    await mkdir(join(backupDir, name), { recursive: true })
  await createBackups({ store, dataDir, backupDir, now: () => START }).make()
  await store.close()
  expect((await readdir(backupDir)).toSorted()).toEqual([
    '2026-06-14T04-00-00.000Z',
    '2026-06-15T04-00-00.000Z',
    'by-hand.part',
  ])
})

test('what cannot be copied leaves nothing behind, is told and counted, and the store goes on', async () => {
  const store = await openFilled()
  const times = [START, START + 1]
  const backups = createBackups({ store, dataDir, backupDir, now: () => times.shift() ?? 0 })
  await backups.make()
  const nowhere = createBackups({ store, dataDir, backupDir: join(folder, 'file'), now: () => START })
  await writeFile(join(folder, 'file'), '')
  await expect(nowhere.make()).rejects.toThrow('ENOTDIR')
  expect(nowhere.stats()).toEqual({ made: 0, failed: 1, lastAt: 0 })
  await store.log.append('group-g', [group('g', 'indus', null)])

  const late = backups.make()
  const closed = store.close()
  await expect(late).rejects.toThrow(StoreUnavailable)
  await closed
  expect(backups.stats()).toEqual({ made: 1, failed: 1, lastAt: START })
  // and the newest of those made before is known
  expect(createBackups({ store, dataDir, backupDir }).stats().lastAt).toBe(START)
  expect(await readdir(backupDir)).toHaveLength(1)
})

test('the tree goes on from a copy, with the same key, and fits what was signed before; what came after the copy is known to be gone', async () => {
  const warnings: string[] = []
  /** Signs the record of a folder as whoever leads it does. */
  async function opened(dir: string) {
    const store = openSqliteStore({ dir, clock })
    await store.seals.holdBatches()
    const sealing = startSealing({
      ...{ store, clock, term: () => 1, warn: (message: string) => warnings.push(message) },
      readModels: { onAdvance: () => () => {} },
      place: sealKeyPlace({ sealKeyFile: undefined, dataDir: dir }, undefined),
    })
    const proofs = createProofs({ store, reports: new Map() })
    let n = store.log.head()
    return {
      store,
      proofs,
      async signed(): Promise<SealHead> {
        for (let i = 0; i < 300; i++) await store.log.append('groups', [group(`g${n++}`, 'indus', null)])
        await sealing.settled()
        const head = await sealing.signNow()
        if (head === undefined) throw new Error('nothing was signed')
        return head
      },
      async findings(...given: SealHead[]) {
        const found: string[] = []
        for await (const step of verifyLog(store, given))
          found.push(...step.found.map(({ part, key, reason }) => `${part} ${key}: ${reason}`))
        return found
      },
      async close() {
        await sealing.stop()
        await store.close()
      },
    }
  }
  const isSameLog = async (before: SealHead, proof: ConsistencyProof | undefined): Promise<boolean> =>
    proof !== undefined &&
    proof.root === before.root &&
    verifyConsistency(
      NODE_CRYPTO.sha256,
      { size: before.size, root: bytesOfHex(before.root) },
      { size: proof.to.size, root: bytesOfHex(proof.to.root) },
      proof.path.map(bytesOfHex),
    )

  const first = await opened(dataDir)
  const mailed = await first.signed()
  const copied = await createBackups({ store: first.store, dataDir, backupDir, now: () => START }).make()
  const late = await first.signed()
  await first.close()

  const restored = await opened(copied)
  expect(await restored.findings(mailed)).toEqual([])
  const [end] = await restored.findings(late)
  expect(end).toMatch(new RegExp(`^head ${late.size}: .*the end of the record is gone$`))
  expect(await restored.proofs.consistency(late.size)).toBeUndefined()
  // it grows beyond what was lost: other entries than those that were signed then
  const next = [await restored.signed(), await restored.signed()] as const
  expect(next.map(({ keyId }) => keyId)).toEqual([mailed.keyId, mailed.keyId])
  expect(next[1].size).toBeGreaterThan(late.size)
  expect(await restored.findings(mailed, ...next)).toEqual([])
  expect(await isSameLog(mailed, await restored.proofs.consistency(mailed.size))).toBe(true)
  expect(await isSameLog(late, await restored.proofs.consistency(late.size))).toBe(false)
  expect(await restored.findings(late)).toEqual([
    expect.stringMatching(`^head ${late.size}: .*does not lead`),
  ])
  expect(warnings).toEqual([])
  await restored.close()
})

test('a backup that is asked for while the server starts is made when it is up', async () => {
  const { process: server, ended } = spawnServer({ DATA_DIR: dataDir, BACKUP_DIR: backupDir, DEVICES: '5' })
  let output = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  while (!existsSync(join(dataDir, STORE_FILE))) await pause(5)
  server.kill('SIGUSR2')
  while (!output.includes('Backed up to ') && server.exitCode === null && server.signalCode === null)
    await pause(20)
  server.kill('SIGKILL')
  expect(output, (await ended).errors).toMatch(/up at .*Backed up to /s)
})

test('a server started on a copy answers what the one that was copied answered, and its sessions hold', async () => {
  const server = await startServerProcess({ DATA_DIR: dataDir, BACKUP_DIR: backupDir, DEVICES: '5' })
  running = server
  const first = callerOf(server.address)
  const { now } = await first.sim.pause()
  const token = await first.signIn('operator@indus.example')
  const readings = [1, 2, 3].map((minutes) => ({
    imei: IMEI,
    at: now - minutes * 60_000,
    lat: 31.5,
    lng: 74.3,
    temperature: 4.5 + minutes,
    humidity: 60,
  }))
  const headers = { 'x-device-key': 'indus-device-key' }
  expect((await first.send('POST', '/api/ingest', { headers, body: { readings } })).status).toBe(200)
  /** What is the same wherever and whenever it is asked. */
  async function answersOf({ ask }: Pick<ReturnType<typeof callerOf>, 'ask'>) {
    const data = { startDate: now - 3_600_000, endDate: now }
    return [
      await ask('me', { token }),
      (await ask('observationsLatest', { token, params: { groupId: 'indus' } })).data,
      await ask('observations', { token, params: { imei: IMEI }, query: { data } }),
    ]
  }
  const wanted = await answersOf(first)

  server.process.kill('SIGUSR2')
  while (!server.lines.some((line) => line.startsWith('Backed up to '))) await pause(20)
  const metrics = (await first.send('GET', '/metrics')).text
  expect(metrics).toMatch(/^backup_last_timestamp_seconds \d{10}$/m)
  server.process.kill('SIGKILL')
  await server.ended

  const [name = ''] = await readdir(backupDir)
  const restored = join(folder, 'restored')
  await cp(join(backupDir, name), restored, { recursive: true })
  const second = await startDemo({ DATA_DIR: restored, DEVICES: '5', SIM_SPEED: '0.001' })
  const found = await answersOf(second).finally(() => second.server.close())
  expect(found).toEqual(wanted)
})
