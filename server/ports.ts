/**
 * What a simulator may know of the server, and what it hangs into it. The simulator imports this file and no other of the
 * server; production loads none.
 */

import type { FastifyInstance } from 'fastify'
import type { Answer } from '#machines/contracts/calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import { jsonSchema } from './api/http/json-schema.ts'
import { ApiError } from './api/http/refusals.ts'
import type { Network as PortalNetwork, Lane as SocketLane } from './api/network.ts'
import type { Pace } from './api/realtime/live-hub.ts'
import type { Cluster as NodeCluster } from './cluster/cluster.ts'
import { changeSuspension } from './commands/access/companies.ts'
import { expireLink, linkValidity } from './commands/access/email-links.ts'
import { requireReset } from './commands/access/passwords.ts'
import { runOutSessions, signOutUser } from './commands/access/sessions.ts'
import { openLoad } from './commands/loads/open-load.ts'
import { loadStream, setProfile } from './commands/profiles/set-profile.ts'
import type {
  DeviceRegistration as OneDevice,
  Registration as WholeRegistration,
} from './commands/registration/register.ts'
import { noProxy, type IsProxy as ProxyTest, isAtThisMachine as standsHere } from './config/proxies.ts'
import * as variables from './config/variables.ts'
import type { Core as ServerCore } from './core.ts'
import type { Evaluator } from './evaluation/evaluator.ts'
import { type EachDay as EachPastDay, warmUp } from './evaluation/warm-up.ts'
import type { Infrastructure as ServerInfrastructure } from './infrastructure.ts'
import type { Releasing } from './ingest/release-held.ts'
import type { KeepingFrames } from './jobs/frames/keep-frames.ts'
import type { Notifier } from './jobs/notifier/notifier.ts'
import type { Scheduler } from './jobs/schedules/scheduler.ts'
import { createPast, type Past as ServerPast } from './read-models/fleet-at.ts'
import { createNotificationIndex } from './read-models/notification-index.ts'
import * as pastEvaluation from './read-models/past-evaluation.ts'
import type { ReadModels as ServerReadModels } from './read-models/read-models.ts'
import { DAY, encodeChunk } from './store/chunks/chunk.ts'
import { inOrder } from './store/hot-tail.ts'
import { joined, partBetween } from './store/reading-parts.ts'
import { inSlices } from './store/slices.ts'
import * as store from './store/store.ts'

export type Cluster = NodeCluster
export type Core = ServerCore
export type DayReadings = store.DayReadings
export type DeviceDay = store.DeviceDay
export type EachDay = EachPastDay
export type EventLog = store.EventLog
export type Infrastructure = ServerInfrastructure
export type IsProxy = ProxyTest
export type Lane = SocketLane
export type Network = PortalNetwork
export type ReadModels = ServerReadModels
export type Store = store.Store
export type TelemetryStore = store.TelemetryStore
/** How one variable of the environment is read. */
export type Kind<T> = variables.Kind<T>
export type Registration = WholeRegistration
export type DeviceRegistration = OneDevice

/** Where trackers connect, by how they speak. */
export type TrackerPorts = { teltonika: number; gt06: number }

/** One simulator, for as long as the process lives. */
export type Simulator = {
  /**
   * Opens the world that all nodes know of by now. Called before the first app is built, and again when the record became
   * another; then time begins anew.
   */
  prepare(infrastructure: Infrastructure): Promise<void>
  /** what the next app is built with. `replaceApp`: to be called when the record is to begin anew */
  session(replaceApp: ReplaceApp): SimulatorSession
  /** lines for whoever started the server: what runs, and whom to sign in as */
  greeting(ports: TrackerPorts): string[]
}

/** Puts another app in place of the present one. The steps are taken in order; nobody is answered from `begin` on. */
export type ReplaceApp = (steps: {
  /** what can fail without harm; the present app still answers */
  prepare?(): Promise<void>
  /** the present app is closed: forgets its record */
  begin(): Promise<void>
  /** the next app is up */
  done?(): Promise<void> | void
  /** it could not be built: what was there before is to begin anew */
  takeBack(): Promise<void>
}) => Promise<void>

/** What a simulator gives to one app. */
export type SimulatorSession = {
  clock: Clock
  /** who there must be before the first reading */
  registration: Registration
  /** accounts to sign in with that everybody is shown */
  demoAccounts: Answer<'demoAccounts'>
  /** the network portals call over */
  network: Network
  pace: () => Pace
  /** the store, with what was before the record began put in front of it */
  wrapStore(store: Store): Store
  /** puts routes and metrics onto an app that is not ready yet. Called once the core has caught up */
  join(app: FastifyInstance, server: ServerOfSession): Promise<SimulatorPart>
}

/** What a simulator gets of the app it is in. */
export type ServerOfSession = {
  core: Core
  cluster: Cluster
  /** where the server listens, e.g. `http://127.0.0.1:4000` */
  address: string
  /** what the server is called where it is reached from outside */
  publicUrl: string
  /** whether somebody comes by a proxy of ours */
  isProxy: IsProxy
}

/** The simulator's part in one app. */
export type SimulatorPart = {
  /** what keeps this node from showing the simulated world; undefined: nothing */
  notReadyBecause(): string | undefined
  /** this node begins to lead */
  lead(): {
    /** what the evaluator goes by: no later than all that was sent is stored */
    evaluatorClock: Clock
    /** readings before this time, epoch ms, are of before the record */
    recordFrom: number
    /** plays the world; rejects where that fails or `over` says so, with nothing of it left */
    start(jobs: JobsOfLeader, over: AbortSignal): Promise<SimulatorLead>
  }
  /** with the app */
  stop(): Promise<void>
}

/** What a simulator gets of the jobs of the node that leads. */
export type JobsOfLeader = {
  evaluator: Pick<Evaluator, 'tick' | 'lookBack'>
  /** of readings held as they came ahead of their time */
  releasing: Pick<Releasing, 'look'>
  scheduler: Pick<Scheduler, 'settled'>
  notifier: Pick<Notifier, 'outbox'>
  /** of the fleet at whole minutes: a clock that is set forward passes many between two of its own looks */
  frames: Pick<KeepingFrames, 'look'>
}

export type SimulatorLead = { stop(): Promise<void> }

/** Reads variables of the environment. */
export const { readVariables, text, whole } = variables
/** Why a server does not start, in words for whoever starts it. */
export const cannotStart = (why: string, cause: unknown): Error => new variables.CannotStart(why, { cause })
/** How the store keeps readings: for who puts days into it. */
export const READINGS = { DAY, encodeChunk, inOrder, inSlices, joined, partBetween } as const
/** Whether the store cannot be written to now. */
export const isStoreUnavailable = (error: unknown): boolean => error instanceof store.StoreUnavailable
/** That it cannot. */
export const storeUnavailable = (why: string): Error => new store.StoreUnavailable(why)
/** What was shown before, and what is known of it now. */
export const pastOf = ({ store, readModels }: Pick<Core, 'store' | 'readModels'>): ServerPast =>
  createPast({ store, readModels, notifications: createNotificationIndex(store.log, readModels) })
/** Deciders of the commands a director gives beside those of the portal. */
export const DECIDERS = {
  changeSuspension,
  expireLink,
  openLoad,
  requireReset,
  runOutSessions,
  setProfile,
  signOutUser,
} as const
/** Where it is decided about profiles and loads of a company. */
export const streamOfLoads: typeof loadStream = loadStream
/** Milliseconds for which an e-mail link is good, -1: not any more. */
export const validityOfLink: typeof linkValidity = linkValidity
/** The shared value that says how far that is. */
export const PAST_EVALUATION: string = pastEvaluation.PAST_EVALUATION
export type PastEvaluation = pastEvaluation.PastEvaluation
/** Evaluates readings of before the record began. */
export const evaluatePast: typeof warmUp = warmUp
/** Nobody stands between the server and its visitors. */
export const NO_PROXY: IsProxy = noProxy
/** Whether whoever asks sits at the server's own machine. */
export const isAtThisMachine: typeof standsHere = standsHere
/** The JSON Schema of a contract. */
export const schemaOf: typeof jsonSchema = jsonSchema

/** An answer that refuses a request. */
export const refused = (code: number, message: string, headers: Record<string, string> = {}): Error =>
  new ApiError(code, message, {}, headers)
