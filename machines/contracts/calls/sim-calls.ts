/**
 * The calls that play on the simulated world: what the director's panel, scripts and tests use. They stand under `/sim` and
 * are no part of the product's API: only a server with a device world has them, and only for callers on its own machine or
 * with its `SIM_TOKEN`, never for pages of another origin.
 */
import {
  any,
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  type as open,
  optional,
  pattern,
  refine,
  size,
  string,
  union,
} from 'superstruct'
import type { AnyStruct } from '../choice.ts'
import { DirectorActionKind } from '../director-actions.ts'
import { Count, EpochMs, Finite, Id, Imei, IsoInstant, Line, ViolationType } from '../scalars.ts'
import { AheadMinutes, FaultKind, LinkFaultKind, Share } from '../scenario-script.ts'
import { calls, OpaqueToken } from './call.ts'

const Positive = (most: number) => refine(Finite, `more than 0, at most ${most}`, (v) => v > 0 && v <= most)
const DAY_SECONDS = 86_400
const Duration = Positive(31 * DAY_SECONDS)

/** A scenario by the name of its file, in `fixtures/scenarios` or saved by the server, e.g. `dairy-dawn`; never a path. */
export const ScenarioName = pattern(size(string(), 1, 64), /^[a-z0-9][a-z0-9-]*$/)

/** The world is under way: from one instant to another, and how far it is; epoch ms. */
export const SimJourney = open({ from: EpochMs, to: EpochMs, at: EpochMs })
export type SimJourney = Infer<typeof SimJourney>

const STATUS = {
  /** the scenario's title, and the name of its file */
  scenario: string(),
  scenarioName: string(),
  /** its file came with Frostline: every server can open it */
  isShipped: boolean(),
  story: string(),
  seed: Count,
  /** the scenario's start, and what time it is in the world; epoch ms */
  start: EpochMs,
  now: EpochMs,
  /** world seconds in a real one: as asked for, and as the last seconds were (null while it stands or it is not known yet) */
  speed: Finite,
  reached: nullable(Finite),
  paused: boolean(),
  devices: Count,
  messagesSent: Count,
  /** of all messages so far, in device order */
  hash: string(),
  /** of what they led to, and of how many facts that is */
  logHash: string(),
  facts: Count,
  /** ids of the companies that are suspended now, by whomever */
  suspended: array(Id),
  journey: nullable(SimJourney),
} as const
export const SimStatus = open(STATUS)
export type SimStatus = Infer<typeof SimStatus>

/** A violation that opened, or a device that was lost: `offline`, `disconnected`. `at`: when it happened. */
export const SimIncident = open({
  type: union([ViolationType, enums(['offline', 'disconnected'])]),
  imei: Imei,
  deviceName: string(),
  at: EpochMs,
})
export type SimIncident = Infer<typeof SimIncident>

const ClockBody = refine(
  object({
    speed: optional(Positive(10_000)),
    paused: optional(boolean()),
    /** answered when the world got there, or was stopped on its way, and everything is stored */
    advanceSeconds: optional(Duration),
    /** until the next violation opens or a device is lost, at most twelve hours */
    toNextIncident: optional(literal(true)),
  }),
  'one of speed, paused, advanceSeconds, toNextIncident',
  (body) =>
    Object.values(body).some((value) => value !== undefined) &&
    (body.advanceSeconds === undefined || body.toNextIncident === undefined),
)

/** A fault as the calls show it; in force while `from` ≤ t < `until`, epoch ms of the world. */
/** `aheadMinutes`: how far a clock is ahead, where the script says so. */
export const SimFault = open({
  id: Id,
  imei: Imei,
  fault: FaultKind,
  from: EpochMs,
  until: EpochMs,
  aheadMinutes: optional(AheadMinutes),
})
export type SimFault = Infer<typeof SimFault>

const FaultBody = refine(
  object({
    /** one device, or */
    imei: optional(Imei),
    /** a share of all devices, or of those in and below a group; always the same ones of a world */
    share: optional(Share),
    groupId: optional(Id),
    fault: FaultKind,
    /** world seconds */
    forSeconds: Duration,
  }),
  'imei, or share with or without groupId',
  ({ imei, share, groupId }) =>
    imei === undefined ? share !== undefined && share > 0 : share === undefined && groupId === undefined,
)

/**
 * The network is bad for that long, in real seconds and epoch ms: it is no part of the world, and does not stand with it. One
 * of the script does, and ends at `worldUntil`.
 */
export const SimLink = open({
  id: Id,
  fault: LinkFaultKind,
  from: EpochMs,
  until: EpochMs,
  /** from the answer to `until`: clocks of other machines are not the server's */
  leftMs: Finite,
  /** epoch ms of the world */
  worldUntil: optional(EpochMs),
  milliseconds: optional(Finite),
  share: optional(Share),
})
export type SimLink = Infer<typeof SimLink>

const LinkBody = object({
  fault: LinkFaultKind,
  forSeconds: Positive(DAY_SECONDS),
  /** of `delay`: how much later everything comes, 1000 where left out */
  milliseconds: optional(Positive(10_000)),
  /** of `server-errors`: how many of the calls fail, half where left out */
  share: optional(Share),
})

/** Something that was done to the world. `at`: when, epoch ms of the world; `what`: a sentence. */
export const SimAction = open({
  id: Id,
  at: EpochMs,
  what: string(),
  kind: DirectorActionKind,
  canUndo: boolean(),
  undoneAt: nullable(EpochMs),
})
export type SimAction = Infer<typeof SimAction>

export const SimScenario = open({
  /** of the file, and of the scenario */
  name: ScenarioName,
  title: Line,
  story: string(),
  /** as many as it has by itself */
  devices: Count,
  start: EpochMs,
})
export type SimScenario = Infer<typeof SimScenario>

/** An instant, or seconds after the scenario's start. */
const Moment = union([IsoInstant, refine(Finite, 'at least 0', (v) => v >= 0)])

/** `at`: how far the world goes on at once; see `journey` in the status. What is left out is the scenario's own. */
export const OpenBody = object({
  scenario: ScenarioName,
  seed: optional(Count),
  devices: optional(refine(Count, 'from 1 to 1000000', (v) => v >= 1 && v <= 1_000_000)),
  at: optional(Moment),
})
export type OpenBody = Infer<typeof OpenBody>

const UserBody = refine(
  object({
    requireReset: optional(boolean()),
    /** signed out from elsewhere, or: the sessions have run out */
    logout: optional(boolean()),
    expire: optional(boolean()),
  }),
  'requireReset, logout or expire, true',
  (body) => Object.values(body).includes(true),
)

const OutboxMessage = open({
  channel: enums(['email', 'sms']),
  to: string(),
  subject: optional(string()),
  text: string(),
  html: optional(string()),
  links: array(string()),
  at: EpochMs,
})

const Nothing = any() as AnyStruct
const byId = object({ id: Id })

export const SIM_CALLS = calls({
  simStatus: {
    method: 'GET',
    under: '/sim',
    path: '/status',
    summary: 'Which world it is, what time it is in it, and how far it is on its way.',
    access: 'director',
    answer: SimStatus,
  },
  setSimClock: {
    method: 'POST',
    under: '/sim',
    path: '/clock',
    summary: 'Sets the speed, stops, goes on, or lives through some time at once.',
    access: 'director',
    body: ClockBody,
    /** `incident`: where `toNextIncident` was asked, null where none came, left out where none had when it was stopped */
    answer: open({ ...STATUS, incident: optional(nullable(SimIncident)) }),
  },
  stopSimJourney: {
    method: 'DELETE',
    under: '/sim',
    path: '/clock/journey',
    summary: 'Stops the world where it is on its way; who sent it there is answered.',
    access: 'director',
    answer: SimStatus,
  },
  simFaults: {
    method: 'GET',
    under: '/sim',
    path: '/faults',
    summary:
      'Faults of devices: in force, past and, of the script, to come; with `inForce=true` those in force.',
    access: 'director',
    query: object({ inForce: optional(literal('true')) }),
    answer: array(SimFault),
  },
  injectSimFault: {
    method: 'POST',
    under: '/sim',
    path: '/faults',
    summary: 'Breaks one device, or a share of them, from now on for a while.',
    access: 'director',
    body: FaultBody,
    status: 201,
    /** `id`: of the fault, or of those of a share together; it is also the action's. `devices`: how many it broke */
    answer: open({ id: Id, devices: Count }),
  },
  simFault: {
    method: 'GET',
    under: '/sim',
    path: '/faults/{id}',
    summary: 'One fault.',
    access: 'director',
    params: byId,
    answer: SimFault,
  },
  liftSimFault: {
    method: 'DELETE',
    under: '/sim',
    path: '/faults/{id}',
    summary: 'Ends a fault now, or those of a share together.',
    access: 'director',
    params: byId,
    status: 204,
    answer: Nothing,
  },
  simLinks: {
    method: 'GET',
    under: '/sim',
    path: '/links',
    summary: 'What is wrong with the network now.',
    access: 'director',
    answer: array(SimLink),
  },
  breakSimLinks: {
    method: 'POST',
    under: '/sim',
    path: '/links',
    summary: 'Makes the network between portals and server bad for a while.',
    access: 'director',
    body: LinkBody,
    status: 201,
    answer: SimLink,
  },
  mendSimLinks: {
    method: 'DELETE',
    under: '/sim',
    path: '/links/{id}',
    summary: 'Makes the network good again.',
    access: 'director',
    params: byId,
    status: 204,
    answer: Nothing,
  },
  suspendSimCompany: {
    method: 'POST',
    under: '/sim',
    path: '/companies/{companyId}',
    summary: 'Suspends a company, or lets it in again.',
    access: 'director',
    params: object({ companyId: Id }),
    body: object({ suspended: boolean() }),
    answer: open({ companyId: Id, suspended: boolean() }),
  },
  changeSimUser: {
    method: 'POST',
    under: '/sim',
    path: '/users/{userName}',
    summary: 'Signs somebody out, lets their sessions run out, or has them set a new password.',
    access: 'director',
    params: object({ userName: Line }),
    body: UserBody,
    answer: open({
      userName: string(),
      requireReset: optional(boolean()),
      logout: optional(boolean()),
      expire: optional(boolean()),
    }),
  },
  simOutbox: {
    method: 'GET',
    under: '/sim',
    path: '/outbox',
    summary: 'Mails and text messages that were kept instead of sent, newest first.',
    access: 'director',
    query: object({ to: optional(string()) }),
    answer: array(OutboxMessage),
  },
  expireSimLink: {
    method: 'POST',
    under: '/sim',
    path: '/tokens/{token}/expire',
    summary: 'The link of a mail runs out now.',
    access: 'director',
    params: object({ token: OpaqueToken }),
    answer: open({ expired: literal(true) }),
  },
  simActions: {
    method: 'GET',
    under: '/sim',
    path: '/actions',
    summary: 'All that was done to this world, newest first.',
    access: 'director',
    answer: array(SimAction),
  },
  undoSimAction: {
    method: 'POST',
    under: '/sim',
    path: '/actions/{id}/undo',
    summary: 'Takes something back. 409 where that cannot be, or not any more.',
    access: 'director',
    params: byId,
    answer: SimAction,
  },
  simScript: {
    method: 'GET',
    under: '/sim',
    path: '/script',
    summary: 'The scenario with all that was done as a file: run anew, the same happens.',
    access: 'director',
    /** a scenario file, checked by whoever reads it */
    answer: any() as AnyStruct,
  },
  simScenarios: {
    method: 'GET',
    under: '/sim',
    path: '/scenarios',
    summary: 'Scenarios there are files of.',
    access: 'director',
    answer: array(SimScenario),
  },
  saveSimScenario: {
    method: 'POST',
    under: '/sim',
    path: '/scenarios',
    status: 201,
    summary:
      'Keeps the scenario with all that was done among those that can be opened. null: this server keeps none, as its record is in memory or in a database.',
    access: 'director',
    answer: nullable(SimScenario),
  },
  openSimScenario: {
    method: 'POST',
    under: '/sim',
    path: '/open',
    summary:
      'Another world from its start, then on its way to a moment. Answered when the server is up with it.',
    access: 'director',
    body: OpenBody,
    answer: SimStatus,
  },
  resetSim: {
    method: 'POST',
    under: '/sim',
    path: '/reset',
    summary: "Back to the scenario's start.",
    access: 'director',
    answer: SimStatus,
  },
})
