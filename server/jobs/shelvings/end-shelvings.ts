import type { Clock } from '#machines/contracts/clock.ts'
import { shelvedNoMore } from '#machines/projections/incidents.ts'
import type { Execute } from '../../commands/execute.ts'
import { endShelving, shelvingStream } from '../../commands/notifications/shelve.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { createAttempts } from '../attempts.ts'

export type EndingShelvings = {
  /** resolves when all that is over by now is ended */
  settled(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  readModels: ReadModels
  execute: Execute
  clock: Clock
  /** for operators */
  warn(message: string): void
  /** real ms between two looks at the clock; it may be a fast one */
  lookMs?: number
}

/**
 * Ends each shelving when its time is over, also of those whose time ended while the server was away: the fact that says so is
 * what has people notified again. What late readings show to last after it had ended is published in the same way.
 */
export function startEndingShelvings({
  readModels,
  execute,
  clock,
  warn,
  lookMs = 250,
}: Options): EndingShelvings {
  const { incidents } = readModels.attention
  const attempts = createAttempts({ what: 'that a shelving is over', warn })
  const nameOf = ({ imei, type }: { imei: string; type: string }): string => `${imei} ${type}`
  const due = () => shelvedNoMore(incidents, clock.now()).filter((kind) => attempts.mayTry(nameOf(kind)))
  let isStopped = false
  let ending: Promise<void> | undefined
  const timer = setInterval(look, lookMs).unref()

  function look(): void {
    if (isStopped || ending !== undefined || due().length === 0) return
    ending = endDue()
      .catch((error: unknown) =>
        warn(`the ends of shelvings are not published yet, retrying: ${String(error)}`),
      )
      .finally(() => {
        ending = undefined
      })
  }

  async function endDue(): Promise<void> {
    for (const { imei, type } of due()) {
      if (isStopped) return
      await attempts.attempt(nameOf({ imei, type }), () =>
        execute(
          shelvingStream(imei),
          { type: 'violation.end-shelving', by: null, data: { imei, type } },
          (directory, command) => endShelving(directory, command, incidents),
        ),
      )
    }
  }

  return {
    async settled() {
      for (look(); ending !== undefined; look()) await ending
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await ending
    },
  }
}
