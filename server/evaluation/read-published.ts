import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  foldPublished,
  forgetOld,
  keptAt,
  PUBLISHED_FACTS,
  type PublishedOfDevices,
} from '#machines/projections/episodes.ts'
import { factsBetween, loadCheckpoint, saveCheckpoint } from '../store/log-follower.ts'
import type { Evaluation } from './evaluation.ts'

const SLICE_MS = 6
const KIND = { name: 'published', shape: 1 }
/** Folded from facts alone. */
export const PUBLISHED_CHECKPOINT = KIND.name

/** What was published up to a position of the log, and can still matter. */
type Known = { published: PublishedOfDevices; folded: number }

/**
 * Reads from the log what was published of all devices; others get their turn meanwhile. What is older than any reading that is kept is
 * saved as what is left of it (violations that lasted on, and what each device was), and read once. Nothing is known where the evaluator stops.
 */
export async function readPublished(evaluation: Evaluation): Promise<void> {
  const { options, stopping } = evaluation
  if (evaluation.published !== undefined) return
  const { published, folded } = await readOld(evaluation)
  let last = folded
  for await (const fact of publishedAfter(evaluation, folded)) {
    foldPublished(published, fact)
    last = fact.seq
  }
  if (stopping.signal.aborted) return
  // no turn of the event loop from here on: what comes after it is folded as it comes
  for (const fact of factsBetween(options.store.log, PUBLISHED_FACTS, { after: last }))
    foldPublished(published, fact)
  evaluation.published = published
}

/** So often what is old is saved while the server runs, ms: the first late reading after the next start reads no more than what is kept and this. */
const SAVED_EVERY_MS = 7 * 86_400_000

/** Saves what is left of what is older than any reading that is kept, now and then. */
export async function saveOldPublished(evaluation: Evaluation): Promise<void> {
  const now = evaluation.options.clock.now()
  if (now - evaluation.oldSavedAt < SAVED_EVERY_MS) return
  evaluation.oldSavedAt = now
  await readOld(evaluation)
}

/** What is left of what is older than any reading that is kept; saved where there is more of it than before. */
async function readOld(evaluation: Evaluation): Promise<Known> {
  const { options, stopping } = evaluation
  const { clock, store } = options
  const saved = loadCheckpoint<Known>(store.checkpoints, KIND) ?? { published: new Map(), folded: 0 }
  const { published } = saved
  const oldest = keptAt(clock.now())
  let { folded } = saved
  for await (const fact of publishedAfter(evaluation, folded)) {
    if (fact.recordedAt >= oldest) break
    foldPublished(published, fact)
    folded = fact.seq
  }
  forgetOld(published, oldest)
  if (folded > saved.folded && !stopping.signal.aborted)
    saveCheckpoint(store.checkpoints, KIND, { published, folded })
  return { published, folded }
}

/** What was published after a position, in slices of some ms; ends where the evaluator stops. */
async function* publishedAfter({ options: { store }, stopping }: Evaluation, after: number) {
  let began = performance.now()
  for (const fact of factsBetween(store.log, PUBLISHED_FACTS, { after })) {
    yield fact
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    if (stopping.signal.aborted) return
    began = performance.now()
  }
}
