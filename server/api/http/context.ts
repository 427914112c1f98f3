import type { FastifyInstance } from 'fastify'
import type { Answer } from '#machines/contracts/calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Access } from '../../auth/access.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Execute } from '../../commands/execute.ts'
import type { Env } from '../../config/config.ts'
import type { Budgets } from '../../evaluation/budgets/budgets.ts'
import type { LastWords } from '../../ingest/last-words.ts'
import type { UnknownDevices } from '../../ingest/unknown-devices.ts'
import type { ReportProgress } from '../../jobs/reports/progress.ts'
import type { ReportFileFinder } from '../../jobs/reports/report-files.ts'
import type { Proofs } from '../../jobs/seals/proofs.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Store } from '../../store/store.ts'
import type { Network } from '../network.ts'
import type { AnswerCall } from './routes.ts'
import type { VisibleScope } from './visible-scope.ts'

/** What REST stands on. */
export type HttpDeps = {
  env: Pick<
    Env,
    | 'host'
    | 'metricsToken'
    | 'trustedProxies'
    | 'accessTtl'
    | 'sessionTtl'
    | 'resetTtl'
    | 'simulator'
    | 'publicUrl'
  >
  store: Pick<Store, 'log' | 'telemetry' | 'answers' | 'damage' | 'aside'>
  readModels: ReadModels
  notifications: NotificationIndex
  /** what was shown before */
  past: Past
  access: Access
  execute: Execute
  reports: { progress: ReportProgress['of']; file: ReportFileFinder['file'] }
  /** what shows that the record is what it was */
  seals: Proofs
  clock: Clock
  /** what all nodes share of lists of devices that are imported */
  cluster: Pick<Cluster, 'node' | 'values' | 'files'>
  /** accounts to sign in with that are shown to everybody; none in production */
  demoAccounts: Answer<'demoAccounts'>
  /** zone of times where there is no company yet, e.g. Asia/Karachi */
  timeZone: string
  /** what keeps the server from taking and showing readings now; undefined: nothing */
  notReadyBecause(): string | undefined
  /** devices that knocked and are not registered */
  unknownDevices: UnknownDevices
  /** what of a device was refused lately */
  lastWords: LastWords
  /** how much loads have used of their budgets */
  budgets: Budgets
  /** the network portals call over; a good one where left out */
  network?: Network
  /** directory of the built portal; may come to be later */
  distDir: string
}

/** What a file of routes gets. */
export type HttpContext = HttpDeps & {
  app: FastifyInstance
  answerCall: AnswerCall
  visible: VisibleScope
}
