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
 * saved as what is left of it (violations that lasted on, and what each device was), and read once.
 */
export async function readPublished(evaluation: Evaluation): Promise<void> {
  if (evaluation.published !== undefined) return
  const { clock, store } = evaluation.options
  const saved = loadCheckpoint<Known>(store.checkpoints, KIND) ?? { published: new Map(), folded: 0 }
  const { published } = saved
  const oldest = keptAt(clock.now())
  let isOld = true
  let last = saved.folded
  let began = performance.now()
  for (const fact of factsBetween(store.log, PUBLISHED_FACTS, { after: last })) {
    if (isOld && fact.recordedAt >= oldest) {
      isOld = false
      forgetOld(published, oldest)
      if (last > saved.folded) saveCheckpoint(store.checkpoints, KIND, { published, folded: last })
    }
    foldPublished(published, fact)
    last = fact.seq
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
  // no turn of the event loop since the last look: what comes from here on is folded as it comes
  for (const fact of factsBetween(store.log, PUBLISHED_FACTS, { after: last })) foldPublished(published, fact)
  evaluation.published = published
}
