import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#machines/contracts/clock.ts'
import { type Play, type PlayParts, startPlay, WORLD_CHECKPOINT } from '../simulator/leader.ts'
import type { Env } from './config/config.ts'
import type { Backbone } from './core.ts'
import { JUDGE_CHECKPOINT, type Judge, startJudge } from './evaluation/evaluator.ts'
import { type Outgoing, openOutgoing } from './jobs/notifier/notifier.ts'
import { type DeskOptions, openDesk } from './jobs/reports/queue.ts'
import type { Shelf } from './jobs/reports/report-files.ts'
import { startScheduler } from './jobs/schedules/scheduler.ts'

/** What is done once in a house of several nodes, by the one that leads, beside serving. */
export type Leading = {
  judge: Judge
  outgoing: Outgoing
  /** undefined without a device world */
  play: Play | undefined
  /** ends all of it at once; resolves when what was under way is over */
  stop(): Promise<void>
}

export type LeadingParts = {
  env: Env
  publicUrl: string
  clock: Clock
  backbone: Backbone
  reports: Pick<DeskOptions, 'files' | 'progress'> & { shelf: Shelf }
  /** undefined without a device world */
  world: Omit<PlayParts, keyof Started> | undefined
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}
type Started = Pick<PlayParts, 'backbone' | 'judge' | 'scheduler' | 'outgoing' | 'onHeard' | 'signal' | 'log'>

/**
 * Judges, makes reports, runs schedules, sends, and plays the pretend world. Whoever led before may have left any of it half
 * done: each goes on from the record.
 * @param over ends it, also before it has quite begun; then it rejects
 */
export async function startLeading(parts: LeadingParts, over: AbortSignal): Promise<Leading> {
  const { clock, backbone, reports, log } = parts
  const { store, readModels, access, ingest } = backbone
  const warn = (message: string): void => log.warn(message)
  const started: (() => Promise<void>)[] = []
  let ending: Promise<unknown> | undefined
  const stop = async (): Promise<void> => {
    // what is begun while the rest already ends is ended too
    ending = Promise.all([ending, ...started.splice(0).map((end) => end())])
    await ending
  }
  const isOver = async (): Promise<void> => {
    if (!over.aborted) return
    await stop()
    over.throwIfAborted()
  }
  over.addEventListener('abort', () => void stop())

  try {
    // where the lead before was when it last said so, and all it has told since
    await store.checkpoints.caughtUp()
    await readModels.settled(await store.log.caughtUp())
    await isOver()
    // a world that goes on from where it was saved has not told yet what it has until now
    const hasWorld = parts.world !== undefined && store.checkpoints.load(WORLD_CHECKPOINT) !== undefined
    /** until when all the world sent is stored; a fast clock is ahead of that */
    let heardUntil = hasWorld ? 0 : Number.POSITIVE_INFINITY
    const judge = await startJudge({
      store,
      clock: { now: () => Math.min(clock.now(), heardUntil) },
      isQuiet: ingest.isQuiet,
    })
    started.push(judge.stop, backbone.join(judge))
    // without a first one the store would not know that somebody still needs what it tidies away
    if (store.checkpoints.load(JUDGE_CHECKPOINT) === undefined) judge.checkpoint()
    await isOver()

    const shared = { readModels, execute: backbone.execute, clock, warn }
    const desk = openDesk({ ...shared, ...reports, store })
    started.push(desk.stop)
    const { emailLinks: links, downloadLinks: reportLinks } = access
    const reportFile = reports.shelf.file
    const outgoing = openOutgoing({ ...parts, store, readModels, links, reportLinks, reportFile, warn })
    started.push(outgoing.stop)
    const scheduler = startScheduler(shared)
    started.push(scheduler.stop)

    let play: Play | undefined
    if (parts.world) {
      const onHeard = (until: number): void => {
        heardUntil = until
      }
      play = await startPlay({
        ...parts.world,
        backbone,
        judge,
        scheduler,
        outgoing,
        onHeard,
        signal: over,
        log,
      })
      started.push(play.stop)
    }
    await isOver()
    // nobody was there to be told of what opened while the world came to its start
    outgoing.startAlerts()
    // what was before the start can be asked for from here on
    desk.begin()
    return { judge, outgoing, play, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
