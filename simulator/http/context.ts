import type { FastifyInstance } from 'fastify'
import type { Answer } from '#machines/contracts/calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Access } from '../access/access.ts'
import type { Links } from '../directing/links.ts'
import type { Env } from '../env.ts'
import type { Store } from '../log/log.ts'
import type { NotificationIndex } from '../projecting/notification-index.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import type { ReportProgress } from '../reports/progress.ts'
import type { Shelf } from '../reports/shelf.ts'
import type { AnswerCall } from './routes.ts'
import type { Sight } from './sight.ts'

/** What REST stands on. */
export type HttpDeps = {
  env: Pick<Env, 'accessTtl' | 'resetTtl' | 'simulator' | 'publicUrl'>
  store: Pick<Store, 'log' | 'telemetry'>
  readModels: ReadModels
  notifications: NotificationIndex
  access: Access
  reports: { progress: ReportProgress['of']; file: Shelf['file'] }
  clock: Clock
  /** accounts of the scenario; told only while the simulator is on */
  demoAccounts: Answer<'demoAccounts'>
  /** zone of times where there is no company yet, e.g. Asia/Karachi */
  timeZone: string
  /** what keeps the house from taking and showing readings now; undefined: nothing */
  notReadyBecause(): string | undefined
  /** the network portals call over; a good one where left out */
  links?: Links
  /** directory of the built portal; may come to be later */
  distDir: string
}

/** What a file of routes gets. */
export type HttpContext = HttpDeps & {
  app: FastifyInstance
  answerCall: AnswerCall
  sight: Sight
}
