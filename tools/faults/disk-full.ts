import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../../server/testing/caller.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { smallDisk } from './disks.ts'
import { diceOf, type Fault } from './fault.ts'
import { lossesIn, prepareRecord } from './record.ts'
import { baseOf, emptyLedger, keepWriting, type Ledger, signIn } from './writers.ts'

const TIMES = 5
const MEGABYTES = 96
const FULL_MS = 5000
const PATIENCE_MS = 30_000
const DAY = 86_400_000
const ENV = { ACCESS_TTL: '86400' }

type Trial = { app: RunningApp; token: string; ledger: Ledger; dice: () => number; lost: string[] }

export const diskFull: Fault = {
  name: 'disk-full',
  what: `disk full for ${FULL_MS / 1000} s and freed ${TIMES} times while 8 writers write`,
  mustHold:
    'writes refused with 503 and Retry-After, reads answer, nothing acknowledged is lost, recovers by itself',
  quick: 0.2,
  async run({ times, seed }) {
    const disk = smallDisk(MEGABYTES)
    const ballast = join(disk.dir, 'ballast')
    const rounds = times(TIMES)
    const ledger = emptyLedger()
    const lost: string[] = []
    const seen = { refused: 0, reads: 0, slowest: 0 }
    let app: RunningApp | undefined
    try {
      await prepareRecord(disk.dir)
      app = await startApp({ dataDir: disk.dir, devices: 40, env: ENV })
      const token = await signIn(app.url)
      const base = baseOf((await callerOf(app.url).ask('time')).now)
      const trial = { app, token, ledger, dice: diceOf(seed), lost }
      const writing = keepWriting({
        address: app.url,
        token,
        ledger,
        base,
        onRefused(status, headers) {
          if (status === 503) seen.refused++
          if (status === 503 && headers.get('retry-after') === null) lost.push('a 503 without Retry-After')
        },
      })
      for (let round = 1; round <= rounds; round++) {
        await moreAcknowledged(trial, 100, 'before the disk is full')
        const refusedBefore = seen.refused
        fill(ballast)
        const full = performance.now()
        while (performance.now() - full < FULL_MS || seen.refused === refusedBefore) {
          seen.reads += await read(trial)
          if (performance.now() - full > PATIENCE_MS)
            throw new Error('the disk is full and nobody was refused')
        }
        rmSync(ballast)
        const freed = performance.now()
        await moreAcknowledged(trial, 100, 'after the disk was freed')
        await ready(trial)
        seen.slowest = Math.max(seen.slowest, performance.now() - freed)
      }
      await writing.stop()
      await app.stop()
      lost.push(...ledger.wrong, ...(await lossesIn(disk.dir, ledger)))
      return {
        tried: `${rounds} times full, ${say(ledger.count)} acknowledgements, ${say(seen.refused)} refusals, ${say(seen.reads)} reads meanwhile; writing and ready again after at most ${say(seen.slowest)} ms`,
        lost,
      }
    } finally {
      await app?.kill()
      disk.unmount()
    }
  },
}

/** Takes all there is left. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 1 << 20; size > 0; size = size === 1 ? 0 : size >> 1)
      for (;;) {
        try {
          writeSync(file, new Uint8Array(size))
        } catch {
          break
        }
      }
  } finally {
    closeSync(file)
  }
}

/** Asks what screens ask for, days nobody has looked at yet among them; answers how many. */
async function read({ app, token, dice, lost }: Trial): Promise<number> {
  const { send, ask } = callerOf(app.url)
  const { now } = await ask('time')
  const { data } = await ask('observationsLatest', { params: { groupId: 'indus' }, token })
  const { imei } = data[Math.floor(dice() * data.length)] ?? { imei: '' }
  const startDate = now - Math.floor(1 + dice() * 25) * DAY
  const day = encodeURIComponent(JSON.stringify({ startDate, endDate: startDate + DAY }))
  const paths = [
    '/groups/company/indus',
    '/groups/indus/users',
    `/things/${imei}/observations?data=${day}`,
    '/auth/me',
  ]
  for (const path of paths) {
    const { status, text } = await send('GET', `/api${path}`, { token })
    if (status !== 200)
      lost.push(`GET ${path} was answered ${status} ${text.slice(0, 200)} while the disk was full`)
  }
  return paths.length + 2
}

async function moreAcknowledged({ ledger }: Trial, more: number, when: string): Promise<void> {
  const until = ledger.count + more
  const began = performance.now()
  while (ledger.count < until) {
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`${when} nothing is acknowledged for ${PATIENCE_MS / 1000} s`)
    await pause(20)
  }
}

async function ready({ app }: Trial): Promise<void> {
  const began = performance.now()
  for (;;) {
    const { status, text } = await callerOf(app.url).send('GET', '/readyz')
    if (status === 200) return
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`not ready again after ${PATIENCE_MS / 1000} s: ${text}`)
    await pause(50)
  }
}
