import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callerOf } from '../../server/testing/caller.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { diceOf, type Fault } from './fault.ts'
import { type Reading, readOn, readSlowly, TAKEN_MS } from './readers.ts'
import { lossesIn, prepareRecord } from './record.ts'
import { baseOf, emptyLedger, signIn, writeWithEight } from './writers.ts'

const TIMES = 20
const MOST_ENDING_MS = 15_000
const READERS = 8
const ENV = { ACCESS_TTL: '86400' }

export const sigterm: Fault = {
  name: 'sigterm',
  what: `SIGTERM ${TIMES} times while 8 write, ${READERS} read and one reads slowly`,
  mustHold: 'exit 0 within 15 s, no answer cut short, 0 acknowledged lost',
  quick: 0.05,
  async run({ times, seed }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-sigterm-'))
    const dice = diceOf(seed)
    const rounds = times(TIMES)
    const ledger = emptyLedger()
    const lost: string[] = []
    let slowest = 0
    let answers = 0
    let base: number | undefined
    let token: string | undefined
    try {
      await prepareRecord(dataDir)
      for (let round = 1; round <= rounds; round++) {
        const app = await startApp({ dataDir, devices: 200, env: ENV })
        base ??= baseOf((await callerOf(app.url).ask('time')).now)
        token ??= await signIn(app.url)
        const until = ledger.count + 50 + Math.floor(dice() * 200)
        const reading: Reading = {
          address: app.url,
          token,
          seen: { answers: 0, wrong: [] },
          requestedTo: undefined,
        }
        let ending: Promise<number> | undefined
        const isEnough = (): boolean => {
          if (ledger.count >= until) ending ??= end(app, reading)
          return false
        }
        const onCut = (request: string, waited: number): void => {
          if (waited > TAKEN_MS)
            lost.push(`end ${round}: ${request} was not answered for ${Math.round(waited)} ms`)
        }
        const writing = writeWithEight({ address: app.url, token, ledger, base, isEnough, onCut })
        await Promise.all([writing, readOn(reading, READERS, base)])
        const took = await (ending ?? end(app, reading))
        slowest = Math.max(slowest, took)
        answers += reading.seen.answers
        if (took > MOST_ENDING_MS) lost.push(`end ${round} took ${say(took)} ms`)
        lost.push(...reading.seen.wrong.map((wrong) => `end ${round}: ${wrong}`))
      }
      lost.push(...ledger.wrong, ...(await lossesIn(dataDir, ledger)))
      return {
        tried: `${rounds} ends, ${say(ledger.count)} acknowledgements, ${say(answers)} answers read whole; slowest end ${say(slowest)} ms`,
        lost,
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** ms it took to be gone; throws where it ended with an error or had to be killed. */
async function end(app: RunningApp, reading: Reading): Promise<number> {
  const { read } = await readSlowly(reading)
  reading.requestedTo = performance.now()
  await app.stop()
  const took = performance.now() - reading.requestedTo
  await read
  return took
}
