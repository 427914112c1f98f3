import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { type Disk, makeImage, mountImage } from './disks.ts'
import { diceOf, type Fault } from './fault.ts'
import { run } from './needs.ts'
import { PRODUCTION } from './production.ts'
import { lossesIn, prepareRecord } from './record.ts'
import { baseOf, emptyLedger, signIn, writeWithEight } from './writers.ts'

const CUTS = 20
const MEGABYTES = 128
/** Copies made of an image before two in a row are the same: the kernel goes on writing while the server stands still. */
const MOST_COPIES = 50

export const powerCut: Fault = {
  name: 'power-cut',
  what: `power cut ${CUTS} times while 8 writers write: what no fsync brought to the disk is gone`,
  mustHold: '0 acknowledged lost, integrity check clean, every checksum holds',
  quick: 0.1,
  async run({ times, seed }) {
    const folder = mkdtempSync(join(tmpdir(), 'frostline-power-'))
    const images = [join(folder, 'a.img'), join(folder, 'b.img')] as const
    const dice = diceOf(seed)
    const cuts = times(CUTS)
    const ledger = emptyLedger()
    const base = baseOf(Date.now())
    const lost: string[] = []
    let done = 0
    let token: string | undefined
    let disk: Disk | undefined
    let app: RunningApp | undefined
    try {
      makeImage(images[0], MEGABYTES)
      disk = mountImage(images[0])
      await prepareRecord(join(disk.dir, 'data'))
      await preparePeople({ dataDir: join(disk.dir, 'data') })
      for (let cut = 1; cut <= cuts && lost.length === 0; cut++) {
        const running = await startApp({ dataDir: join(disk.dir, 'data'), env: PRODUCTION })
        app = running
        token ??= await signIn(running.url)
        const until = ledger.count + 1 + Math.floor(dice() * 300)
        let isStopped = false
        const stopped = Promise.withResolvers<void>()
        const isEnough = (): boolean => {
          if (ledger.count >= until && !isStopped) {
            isStopped = true
            process.kill(running.pid, 'SIGSTOP')
            stopped.resolve()
          }
          return false
        }
        const writing = writeWithEight({ address: running.url, token, ledger, base, isEnough })
        await Promise.race([stopped.promise, writing])
        if (!isStopped) throw new Error('the writers gave up before the power was cut')
        await copyStill(images[(cut - 1) % 2] as string, images[cut % 2] as string)
        await running.kill()
        done++
        await writing
        disk.unmount()
        disk = mountImage(images[cut % 2] as string)
        const losses = await lossesIn(join(disk.dir, 'data'), ledger)
        lost.push(...losses.map((loss) => `after cut ${cut}: ${loss}`))
      }
      app = await startApp({ dataDir: join(disk.dir, 'data'), env: PRODUCTION })
      await app.stop()
      lost.push(...ledger.wrong)
      return {
        tried: `${done} cuts, ${say(ledger.count)} acknowledgements, ${say(ledger.named.size)} of them commands`,
        lost,
      }
    } finally {
      await app?.kill()
      disk?.unmount()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/**
 * Copies what is on the disk at one instant: two copies in a row that are the same are both of the instant between them.
 * What the file system only has in memory is not on the disk, and so not in the copy.
 */
async function copyStill(image: string, copy: string): Promise<void> {
  const before = `${copy}.before`
  for (let i = 0; i < MOST_COPIES; i++) {
    copyFileSync(image, before)
    copyFileSync(image, copy)
    if (isSame(before, copy)) {
      rmSync(before)
      return
    }
    await pause(20)
  }
  throw new Error('the disk never stood still')
}

function isSame(one: string, other: string): boolean {
  try {
    run('cmp', '-s', one, other)
    return true
  } catch {
    return false
  }
}
