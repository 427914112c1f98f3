import type { Clock } from '#machines/contracts/clock.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Env } from '../config/config.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import type { EventLog, Store } from '../store/store.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { type Attempts, createAttempts, NOBODY, type Others } from './attempts.ts'
import { createDownloadLinks, type DownloadLinks } from './download-links.ts'
import { createEmailLinks, type EmailLinks } from './email-links.ts'
import { createKeyOf, type KeyOf } from './key-of.ts'
import { createKeyUses, type KeyUses } from './key-uses.ts'
import { createKnownDevices, type KnownDevices } from './known-devices.ts'
import { createMailLinks, type MailLinks } from './mail-links.ts'
import { createSuccessor, type Successor } from './refresh-tokens.ts'
import { createShareLinks, type ShareLinks } from './share-links.ts'
import { createVisitorOf, type Visitor, type VisitorOf } from './visitor.ts'

export type Access = {
  tokens: AccessTokens
  visitorOf: VisitorOf
  /** for sockets: full tokens alone */
  verifyToken(token: string): Promise<Visitor | undefined>
  /** wrong passwords and codes */
  attempts: Attempts
  /** mails requested without signing in */
  mailsRequested: Attempts
  emailLinks: EmailLinks
  downloadLinks: DownloadLinks
  mailLinks: MailLinks
  shareLinks: ShareLinks
  knownDevices: KnownDevices
  successor: Successor
  /** of other systems */
  keyOf: KeyOf
  keyUses: KeyUses
  /** follows other nodes no more */
  stop(): void
}

type Deps = {
  env: Pick<Env, 'activationTtl' | 'resetTtl'> & Partial<Pick<Env, 'publicUrl'>>
  /** signs tokens and links, the same on all nodes */
  secret: string
  log: EventLog
  checkpoints: Store['checkpoints']
  readModels: ReadModels
  clock: Clock
  /** ms that only ever grow, whatever the server's clock does: limits on guessing live in real time */
  uptime?: (() => number) | undefined
  /** where other nodes hear what is tried here; there are none where left out */
  cluster?: Pick<Cluster, 'publish' | 'onMessage'>
}

/** What nodes publish to each other. */
const ATTEMPTS = 'attempts'
const MAILS_REQUESTED = 'mails-asked'
const KEYS_TRIED = 'keys-tried'
const KEYS_USED = 'keys-used'

/** Who comes in and how: one for the whole server, shared by REST and sockets. */
export function createAccess({
  env,
  secret,
  log,
  checkpoints,
  readModels,
  clock,
  uptime = () => performance.now(),
  cluster,
}: Deps): Access {
  const tokens = createAccessTokens(secret, clock)
  const visitorOf = createVisitorOf({ tokens, log, readModels, clock })
  const othersOn = (subject: string): Others =>
    cluster === undefined
      ? NOBODY
      : {
          publish: (message) => cluster.publish(subject, message),
          onMessage: (listener) => cluster.onMessage(subject, listener),
        }
  const counted = (subject: string): Attempts => createAttempts(uptime, othersOn(subject))
  const attempts = counted(ATTEMPTS)
  const mailsRequested = counted(MAILS_REQUESTED)
  const keysTried = counted(KEYS_TRIED)
  const keyUses = createKeyUses(checkpoints, othersOn(KEYS_USED))
  return {
    tokens,
    visitorOf,
    async verifyToken(token) {
      const visitor = await visitorOf(token)
      return visitor?.scope === 'full' ? visitor : undefined
    },
    attempts,
    mailsRequested,
    emailLinks: createEmailLinks({ secret, clock, env }),
    downloadLinks: createDownloadLinks(secret, clock),
    mailLinks: createMailLinks(secret),
    shareLinks: createShareLinks({ secret, directory: readModels.directory, clock }),
    knownDevices: createKnownDevices(secret, env.publicUrl?.startsWith('https:') ?? false),
    successor: createSuccessor(secret),
    keyOf: createKeyOf({ directory: readModels.directory, clock, tried: keysTried, uses: keyUses }),
    keyUses,
    stop() {
      attempts.stop()
      mailsRequested.stop()
      keysTried.stop()
      keyUses.stop()
    },
  }
}
