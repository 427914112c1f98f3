import { randomUUID } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Fact, FactOf, FactType, NewFact } from '#machines/contracts/facts.ts'
import type { AlertChannel } from '#machines/contracts/messages.ts'
import { type Device, deviceByImei, deviceOfFact, deviceThen } from '#machines/projections/directory.ts'
import type { ReadModels } from '../../../read-models/read-models.ts'
import { ownKey } from '../../../store/append-keys.ts'
import { factsBetween, loadCheckpoint, saveCheckpoint, untilStored } from '../../../store/log-follower.ts'
import type { Store } from '../../../store/store.ts'
import { type Attempts, createAttempts } from '../../attempts.ts'
import { type Pauses, realPauses } from '../sending/pauses.ts'
import { type Addressee, concernedBy, isConcerned } from './concerned.ts'
import {
  type Digest,
  type Digests,
  type Due,
  dueAt,
  emptyDigests,
  foldRaised,
  foldRevised,
  forgetQuiet,
  type Gathered,
  gather,
  isNotifiedAgain,
  kindOf,
  type Notified,
  nameOf,
  nextAt,
} from './digests.ts'

export type AlertsOptions = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: ReadModels
  /** the server's: quiet times go by it */
  clock: Clock
  /** whether a violation is the same again as one that somebody takes care of: nobody is alerted of that */
  isRepeat(violation: FactOf<'violation.opened'>): boolean
  /** whether its kind was shelved when it was opened or found: it is alerted when that ends, if it lasts */
  wasShelved(violation: FactOf<'violation.opened'> | FactOf<'violation.found-late'>): boolean
  /** whether somebody shelved that kind of violation of a device until after `at`, epoch ms: it leaves the digests */
  isShelved(kind: Gathered, at: number): boolean
  /** for operators */
  warn(message: string): void
  /** real ms between two looks at the clock (250), and between two checkpoints (60,000) */
  lookMs?: number
  saveMs?: number
  /** ms that only ever grow: by them a digest of which an alert was refused is left alone for a minute */
  uptime?: () => number
  pauses?: Pick<Pauses, 'sleep'>
}

export type Alerts = {
  /** resolves when every alert that is due now is raised */
  settled(): Promise<void>
  /** alerts raised since the start, by channel; `waiting`: violations in digests, once for each addressee */
  stats(): { raised: Record<AlertChannel, number>; waiting: number }
  /** finishes what is under way, and saves where it is */
  stop(): Promise<void>
}

const STREAM = 'alerts'
const CHECKPOINT = { name: 'alerts', shape: 2 }
/** The same, with the gathered violations in a map by `seq`. */
const CHECKPOINT_WITH_MAPS = { ...CHECKPOINT, shape: 1 }
const TYPES = [
  'violation.opened',
  'violation.found-late',
  'violation.unshelved',
  'violation.revised',
  'load.exhausted',
  'load.revised',
  'alert.raised',
] as const satisfies FactType[]
/** These may change whom a violation concerns: a checkpoint follows each, so that after a crash earlier violations concern whom they did. */
const CHANGES_WHO = new Set<FactType>([
  'company.suspended',
  'company.resumed',
  'group.updated',
  'group.deleted',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password-set',
  'user.alerts-set',
  'device.updated',
])

type Alerting = {
  readonly options: AlertsOptions
  readonly pauses: Pick<Pauses, 'sleep'>
  readonly digests: Digests
  readonly attempts: Attempts
  /** of which an alert was refused, until one is stored: when they are tried again the clock of quiet times does not say */
  readonly refused: Set<string>
  readonly raised: Record<AlertChannel, number>
  readonly stopping: AbortController
  /** facts up to here are folded in */
  folded: number
  /** when the next alert is due; undefined: to be looked up */
  nextAt: number | undefined
  /** resolves when all alerts that were due are raised */
  raising: Promise<void> | undefined
}

/**
 * Follows the log and decides who is alerted of which violations and exhausted budgets, and when: a fact for each addressee, from which letters
 * and text messages are made. Digests outlive the process: they are saved, and what came after that is in the log. A
 * server that never raised alerts begins with what opens from now on.
 */
export function startAlerts(options: AlertsOptions): Alerts {
  const { store, readModels, lookMs = 250, saveMs = 60_000, pauses = realPauses } = options
  const { digests, folded } = restore(store) ?? { digests: emptyDigests(), folded: readModels.seq }
  const alerting: Alerting = {
    options,
    pauses,
    digests,
    attempts: createAttempts({
      what: 'that somebody is alerted',
      warn: options.warn,
      ...(options.uptime && { uptime: options.uptime }),
    }),
    refused: new Set(),
    raised: { email: 0, sms: 0 },
    stopping: new AbortController(),
    folded,
    nextAt: undefined,
    raising: undefined,
  }
  for (const fact of factsBetween(store.log, TYPES, { after: folded, upTo: readModels.seq }))
    take(alerting, fact)
  alerting.folded = Math.max(folded, readModels.seq)
  save(alerting)
  const unfollow = readModels.onAdvance(({ facts, to }) => {
    for (const fact of facts) take(alerting, fact)
    alerting.folded = to
    if (facts.some(({ type }) => CHANGES_WHO.has(type))) save(alerting)
    look(alerting)
  })
  // the clock may run, or be moved on, while nothing comes
  const looking = setInterval(() => look(alerting), lookMs).unref()
  const saving = setInterval(() => save(alerting), saveMs).unref()
  look(alerting)

  return {
    async settled() {
      await readModels.settled(store.log.head())
      for (look(alerting); alerting.raising !== undefined; look(alerting)) await alerting.raising
    },
    stats() {
      let waiting = 0
      for (const { gathered } of digests.values()) waiting += gathered.length
      return { raised: { ...alerting.raised }, waiting }
    },
    async stop() {
      clearInterval(looking)
      clearInterval(saving)
      alerting.stopping.abort()
      await alerting.raising
      unfollow()
      save(alerting)
    },
  }
}

function take(alerting: Alerting, fact: Fact): void {
  const { digests, options } = alerting
  if (fact.type === 'alert.raised') foldRaised(digests, fact)
  else if (fact.type === 'violation.revised' || fact.type === 'load.revised') foldRevised(digests, fact)
  else if (isToNotify(fact, options)) {
    const { directory } = options.readModels
    const device = deviceOfFact(directory, fact)
    gather(digests, concernedBy(directory, { device, type: kindOf(fact).type }), fact)
  } else return
  alerting.nextAt = undefined
}

function isToNotify(fact: Fact, { isRepeat, wasShelved }: AlertsOptions): fact is Notified {
  if (fact.type === 'violation.opened') return !isRepeat(fact) && !wasShelved(fact)
  if (fact.type === 'violation.found-late') return !wasShelved(fact)
  // what lasts when it is shelved no more is alerted once again
  return fact.type === 'load.exhausted' || isNotifiedAgain(fact)
}

/** What is shelved is so by the IMEI that a device has now. */
function isShelved(
  { readModels: { directory }, isShelved }: AlertsOptions,
  device: Device | undefined,
  violation: Gathered,
  now: number,
): boolean {
  const isInUse = device !== undefined && deviceByImei(directory, device.imei) === device
  return isInUse && isShelved({ ...violation, imei: device.imei }, now)
}

/** The device of what waits: that of its company which had the IMEI when it was published. */
function deviceOf({ readModels: { directory } }: AlertsOptions, to: Addressee, waiting: Gathered) {
  const load = directory.loads.byId.get(waiting.loadId ?? '')
  if (load !== undefined) return directory.devices[load.deviceNo]
  const companyId = directory.users.get(to.userId)?.companyId ?? null
  return deviceThen(directory, waiting.imei, { seq: waiting.seq, companyId })
}

/** Something is wrong with one of its alerts on this side: the others are raised meanwhile. */
const leftAlone =
  ({ attempts, refused }: Alerting) =>
  (digest: Digest): boolean =>
    refused.size > 0 && !attempts.mayTry(nameOf(digest))

/** Raises what is due by now, unless that is under way. */
function look(alerting: Alerting): void {
  const { digests, refused, options, stopping } = alerting
  if (refused.size > 0) alerting.nextAt = undefined
  alerting.nextAt ??= nextAt(digests, leftAlone(alerting))
  if (alerting.nextAt > options.clock.now() || stopping.signal.aborted) return
  // a fault of the alerts must be seen, and must not end the server
  alerting.raising ??= raiseDue(alerting)
    .catch((error: unknown) => {
      options.warn(`nobody is alerted until the next start: ${String(error)}`)
      stopping.abort()
    })
    .finally(() => {
      alerting.raising = undefined
    })
}

async function raiseDue(alerting: Alerting): Promise<void> {
  const { digests, options, stopping } = alerting
  const { readModels, clock } = options
  while (!stopping.signal.aborted) {
    const now = clock.now()
    const isWanted = (to: Addressee, violation: Gathered): boolean => {
      const device = deviceOf(options, to, violation)
      return (
        isConcerned(readModels.directory, to, { device, type: violation.type }) &&
        !isShelved(options, device, violation, now)
      )
    }
    const due = dueAt(digests, now, isWanted, leftAlone(alerting))
    alerting.nextAt = undefined
    if (due.length === 0) return
    // each by itself: the store commits in groups
    const seqs = await Promise.all(due.map((each) => raise(alerting, each, now)))
    await readModels.settled(Math.max(...seqs))
  }
}

/** Stores an alert. @returns its position in the log; 0 where the server stops before it is stored, or it is refused */
async function raise(alerting: Alerting, due: Due, at: number): Promise<number> {
  const { options, pauses, stopping, raised, attempts, refused } = alerting
  const { store, readModels } = options
  const { userId, channel, about, quietSeconds } = due
  const data = { alertId: randomUUID(), userId, channel, about, quietSeconds }
  const companyId = readModels.directory.users.get(userId)?.companyId ?? null
  const fact: NewFact = { type: 'alert.raised', at, companyId, data }
  // each is alerted of a violation once by each channel, so its first violation names an alert
  const first = due.digest.gathered.find(({ seq }) => seq === about[0])
  const idempotencyKey = ownKey(first?.recordedAt ?? at, `alert-${userId}-${channel}-${about[0]}`)
  const append = () => store.log.append(STREAM, [fact], { idempotencyKey })
  const name = nameOf(due.digest)
  let stored: Awaited<ReturnType<typeof append>> | undefined
  const isDone = await attempts.attempt(name, async () => {
    stored = await untilStored(append, stopping.signal, pauses)
  })
  if (isDone) refused.delete(name)
  else refused.add(name)
  if (stored?.repeated === false) raised[channel]++
  return stored?.facts.at(-1)?.seq ?? 0
}

/** Stored under the name that the first release gave to digests. */
function save({ digests, folded, options }: Alerting): void {
  forgetQuiet(digests, options.clock.now())
  saveCheckpoint(options.store.checkpoints, CHECKPOINT, { folded, lines: digests })
}

function restore({
  checkpoints,
}: Pick<Store, 'checkpoints'>): { digests: Digests; folded: number } | undefined {
  type Saved = { folded: number; lines: Digests }
  const saved =
    loadCheckpoint<Saved>(checkpoints, CHECKPOINT) ?? loadCheckpoint<Saved>(checkpoints, CHECKPOINT_WITH_MAPS)
  if (saved === undefined) return undefined
  for (const digest of saved.lines.values()) digest.gathered = [...digest.gathered.values()]
  return { digests: saved.lines, folded: saved.folded }
}
