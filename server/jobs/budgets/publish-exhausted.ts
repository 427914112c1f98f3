import { decisionsOf } from '#machines/projections/loads.ts'
import { exhaustionToPublish } from '#machines/rules/budget-status.ts'
import type { Execute } from '../../commands/execute.ts'
import { noteExhausted } from '../../commands/loads/work-on-load.ts'
import { loadStream } from '../../commands/profiles/set-profile.ts'
import type { Budgets, LoadNews } from '../../evaluation/budgets/budgets.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { createAttempts } from '../attempts.ts'

export type ExhaustedPublisher = {
  /** resolves when all that is known by now is published */
  settled(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  budgets: Budgets
  readModels: Pick<ReadModels, 'directory'>
  execute: Execute
  /** for operators */
  warn(message: string): void
  /** real ms between two looks */
  lookMs?: number
}

/**
 * Makes facts of what readings say of loads: exhausted, since another time, never, or once more since it was released. What was published before is in the record, and is
 * not published again.
 */
export function startPublishingExhausted({
  budgets,
  readModels: { directory },
  execute,
  warn,
  lookMs = 250,
}: Options): ExhaustedPublisher {
  const attempts = createAttempts({ what: 'whether a load is exhausted', warn })
  let isStopped = false
  let isFirst = true
  /** in the order in which it is to be published */
  const pending = new Set<LoadNews>()
  let publishing: Promise<void> | undefined
  const timer = setInterval(look, lookMs).unref()

  function look(): void {
    if (isStopped || publishing !== undefined) return
    for (const news of budgets.takeNews(isFirst)) pending.add(news)
    isFirst = false
    if (!pending.values().some(({ loadId }) => attempts.mayTry(loadId))) return
    publishing = publish()
      .catch((error: unknown) => warn(`exhausted budgets are not published yet, retrying: ${String(error)}`))
      .finally(() => {
        publishing = undefined
      })
  }

  async function publish(): Promise<void> {
    for (const news of pending) {
      if (isStopped) return
      const { loadId } = news
      if (attempts.mayTry(loadId) && (await attempts.attempt(loadId, () => publishOf(news))))
        pending.delete(news)
    }
  }

  async function publishOf({
    loadId,
    exhaustions,
    isAtRisk,
    knownSince,
    isSettled,
  }: LoadNews): Promise<void> {
    const load = directory.loads.byId.get(loadId)
    if (load === undefined) return
    const exhausted = exhaustionToPublish(exhaustions, decisionsOf(load))
    if ((load.exhausted?.at ?? null) === (exhausted?.at ?? null)) return
    // whoever published it may have reckoned what came late already
    if (load.exhausted !== null && !isSettled) return
    const data = { loadId, exhausted: exhausted ?? null, isAtRisk, receivedAt: knownSince }
    await execute(loadStream(load.companyId), { type: 'load.note-exhausted', by: null, data }, noteExhausted)
  }

  return {
    async settled() {
      for (look(); publishing !== undefined; look()) await publishing
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await publishing
    },
  }
}
