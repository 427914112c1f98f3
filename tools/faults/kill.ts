import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { startApp } from '../build/running-app.ts'
import { diceOf, type Fault } from './fault.ts'
import { PRODUCTION } from './production.ts'
import { lossesIn, prepareRecord } from './record.ts'
import { baseOf, emptyLedger, signIn, writeWithEight } from './writers.ts'

const KILLS = 50
const MOST_READY_MS = 3000

export const kill: Fault = {
  name: 'kill',
  what: `kill -9 ${KILLS} times while 8 writers write`,
  mustHold: '0 acknowledged lost, 0 twice, seq gapless, ready in ≤ 3 s, read models equal a replay',
  quick: 0.06,
  async run({ times, seed, isTimed }) {
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-kill-'))
    const dice = diceOf(seed)
    const kills = times(KILLS)
    const ledger = emptyLedger()
    const base = baseOf(Date.now())
    const lost: string[] = []
    let slowest = 0
    let done = 0
    let token: string | undefined
    try {
      await prepareRecord(dataDir)
      await preparePeople({ dataDir })
      for (let run = 1; run <= kills && lost.length === 0; run++) {
        const app = await startApp({ dataDir, env: PRODUCTION })
        slowest = Math.max(slowest, app.readyAfter)
        token ??= await signIn(app.url)
        const until = ledger.count + 1 + Math.floor(dice() * 200)
        let killing: Promise<void> | undefined
        const isEnough = (): boolean => {
          // in the midst of whatever the others are at
          if (ledger.count >= until) killing ??= app.kill()
          return false
        }
        await writeWithEight({ address: app.url, token, ledger, base, isEnough })
        await (killing ?? app.kill())
        done++
        lost.push(...(await lossesIn(dataDir, ledger)).map((loss) => `after kill ${run}: ${loss}`))
      }
      lost.push(...ledger.wrong)
      if (isTimed && slowest > MOST_READY_MS) lost.push(`a start took ${say(slowest)} ms`)
      return {
        tried: `${done} kills, ${say(ledger.count)} acknowledgements, ${say(ledger.named.size)} of them commands; slowest start ${say(slowest)} ms`,
        lost,
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
