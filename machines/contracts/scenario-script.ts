/** The script of a scenario: what goes wrong when, what else happens, and what must have come of it. Minutes are after the start. */
import {
  array,
  boolean,
  enums,
  type Infer,
  integer,
  literal,
  min,
  object,
  optional,
  refine,
  type Struct,
  size,
  tuple,
} from 'superstruct'
import { AsOfView } from './calls/as-of.ts'
import { choice } from './choice.ts'
import { LoadReference, LoadState } from './entities/loads.ts'
import { NotificationType } from './entities/notifications.ts'
import { ProfileForm } from './entities/profiles.ts'
import { between, Count, Finite, Id, Imei, Line, saying, ThingStatus, ViolationType } from './scalars.ts'

/** The ten ways in which a device can be made to go wrong. */
export const FAULTS = [
  'compressor-off',
  'door-open',
  'sensor-unplugged',
  'device-unplugged',
  'gps-lost',
  'offline',
  'flapping',
  'clock-skew',
  'duplicate',
  'stuck-sensor',
] as const
export const FaultKind = enums(FAULTS)
export type FaultKind = Infer<typeof FaultKind>

/** The ways in which the link between portals and the server can be made to go wrong. */
export const LINK_FAULTS = ['cut', 'delay', 'reorder', 'server-errors'] as const
export const LinkFaultKind = enums(LINK_FAULTS)
export type LinkFaultKind = Infer<typeof LinkFaultKind>

export const Positive = saying(
  refine(Finite, 'positive', (v) => v > 0),
  { exclusiveMinimum: 0 },
)
export const Share = between(0, 1)
const SomeShare = saying(
  refine(Share, 'more than 0', (v) => v > 0),
  { exclusiveMinimum: 0, maximum: 1 },
)
/** at most a year on either side of the start */
const Minute = between(-527_040, 527_040)
const WholeMinute = saying(size(integer(), -527_040, 527_040), { minimum: -527_040, maximum: 527_040 })
/** Which device of its fleet, from 1. */
const Ordinal = saying(min(integer(), 1), { minimum: 1 })
/** From when to when, both included. */
const Window = refine(tuple([Minute, Minute]), 'ascending', ([from, to]) => from <= to)

/** A clock that is further ahead of the server's than this has its readings held until their time has come; minutes. */
const AHEAD_UNNOTICED = 5

const isThere = (...values: unknown[]): boolean => values.every((value) => value !== undefined)
const isAbsent = (...values: unknown[]): boolean => values.every((value) => value === undefined)

/** One device (`fleet` and `device`, or `imei`), a share of a fleet, or of all; which devices a share is follows from the seed. */
const Affected = {
  fleet: optional(Id),
  device: optional(Ordinal),
  imei: optional(Imei),
  share: optional(SomeShare),
}
type Affects = { [field in keyof typeof Affected]?: unknown }
const affecting = <T extends Affects, S>(struct: Struct<T, S>): Struct<T, S> =>
  refine(
    struct,
    'of fleet and device, fleet and share, imei, or share',
    ({ fleet, device, imei, share }) =>
      (isThere(imei) && isAbsent(fleet, device, share)) ||
      (isThere(share) && isAbsent(imei, device)) ||
      (isThere(fleet, device) && isAbsent(imei, share)),
  )

/** By how much a clock is ahead that is wrong and is corrected later, minutes. */
export const AheadMinutes = saying(
  refine(between(AHEAD_UNNOTICED, 1440), 'more than 5', (v) => v > AHEAD_UNNOTICED),
  { exclusiveMinimum: AHEAD_UNNOTICED, maximum: 1440 },
)

/**
 * A fault of the devices it is about. `startsOverMinutes`, `endsOverMinutes`: not all at once, each begins or ends up to so much
 * later. `aheadMinutes`: of a wrong clock, how far it is ahead until the fault ends; left out, each is wrong in its own way.
 */
export const ScriptedFault = refine(
  affecting(
    object({
      fault: FaultKind,
      ...Affected,
      afterMinutes: Minute,
      forMinutes: Positive,
      startsOverMinutes: optional(Positive),
      endsOverMinutes: optional(Positive),
      aheadMinutes: optional(AheadMinutes),
    }),
  ),
  'with aheadMinutes of clock-skew alone',
  ({ fault, aheadMinutes }) => aheadMinutes === undefined || fault === 'clock-skew',
)
export type ScriptedFault = Infer<typeof ScriptedFault>

/**
 * In which order a tracker that was cut off sends what it kept: `newest` first, or what has a high `priority` first (what it
 * measures now, and what it measured with the door open or without power), then the rest from the oldest.
 */
export const BacklogSort = enums(['newest', 'priority'])
export type BacklogSort = Infer<typeof BacklogSort>

/** Trackers that do not send their backlog from the oldest reading on. The first entry that is about a device counts. */
export const Backlog = affecting(object({ sort: BacklogSort, ...Affected }))
export type Backlog = Infer<typeof Backlog>

/** Hotter (or, below 0, colder) outside by so many K than the season has it, at these places or everywhere; it comes and goes within an hour or two. */
export const WeatherSpell = refine(
  object({
    fromMinutes: Minute,
    toMinutes: Minute,
    degrees: between(-40, 40),
    places: optional(size(array(Id), 1, 1000)),
  }),
  'ending after it begins',
  ({ fromMinutes, toMinutes }) => fromMinutes < toMinutes,
)
export type WeatherSpell = Infer<typeof WeatherSpell>

const CompanyEvent = { afterMinutes: Minute, companyId: Id }
const UserEvent = { afterMinutes: Minute, userName: Line }

/**
 * What happens that is no fault of a device. `milliseconds`: how long a delay is; `share`: of the calls that fail with `server-errors`. `profile.set`, `load.open`: somebody makes a profile of
 * their company's, and says that goods are on a device from then on.
 */
export const ScenarioEvent = choice('do', {
  'company.suspend': object({ do: literal('company.suspend'), ...CompanyEvent }),
  'company.resume': object({ do: literal('company.resume'), ...CompanyEvent }),
  'user.sign-out': object({ do: literal('user.sign-out'), ...UserEvent }),
  'user.require-reset': object({ do: literal('user.require-reset'), ...UserEvent }),
  'profile.set': object({ do: literal('profile.set'), ...UserEvent, profileId: Id, profile: ProfileForm }),
  'load.open': object({
    do: literal('load.open'),
    ...UserEvent,
    fleet: Id,
    device: Ordinal,
    reference: LoadReference,
    profileId: Id,
  }),
  'link.fault': object({
    do: literal('link.fault'),
    afterMinutes: Minute,
    fault: LinkFaultKind,
    forMinutes: Positive,
    milliseconds: optional(Positive),
    share: optional(Share),
  }),
})
export type ScenarioEvent = Infer<typeof ScenarioEvent>

/** The devices an outcome is about: all that fit everything given; a group with the groups below it. */
export const Meant = object({
  fleet: optional(Id),
  device: optional(Ordinal),
  imei: optional(Imei),
  groupId: optional(Id),
  companyId: optional(Id),
})
export type Meant = Infer<typeof Meant>

/** `note`: why it matters, in the trade's words. `of`: all devices where it is left out. */
const About = { note: optional(Line), of: optional(Meant) }
const Limits = { atLeast: optional(Count), atMost: optional(Count) }
const Span = { fromMinutes: Minute, toMinutes: Minute }

type Bounds = { atLeast?: number | undefined; atMost?: number | undefined }
const bounded = <T extends Bounds, S>(struct: Struct<T, S>): Struct<T, S> =>
  refine(struct, 'with atLeast or atMost, in order', ({ atLeast, atMost }) =>
    atLeast === undefined ? atMost !== undefined : atMost === undefined || atLeast <= atMost,
  )
type Spanned = { fromMinutes: number; toMinutes: number }
const spanned = <T extends Spanned, S>(struct: Struct<T, S>): Struct<T, S> =>
  refine(struct, 'ending after it begins', ({ fromMinutes, toMinutes }) => fromMinutes < toMinutes)

/**
 * What must have happened. `violation`: each device meant has one that opens, and clears, within these windows, and, with
 * `knownBetween`, is published within that one: long after it opened where it is found late. `violations`: how many open in a span. `status`: how many devices are seen so at a minute. `readings`: what was measured in
 * a span is there by a minute, without a hole, so many of it late (stored two minutes or more after it was measured).
 * `temperature`: all readings of a span lie in a range, °C. `notifications`: each device meant is in so many in a span.
 * `asOf`: how many devices look so, of those meant, where one looks back at a minute once another has come, in one of its views.
 * `load`: each device meant carries a load at a minute that is so, with so many per cent of its budget used, exhausted within a window.
 */
export const Outcome = choice('expect', {
  violation: object({
    expect: literal('violation'),
    ...About,
    type: ViolationType,
    opensBetween: Window,
    clearsBetween: optional(Window),
    knownBetween: optional(Window),
  }),
  violations: bounded(
    spanned(
      object({
        expect: literal('violations'),
        ...About,
        type: optional(ViolationType),
        ...Span,
        ...Limits,
      }),
    ),
  ),
  status: bounded(
    object({ expect: literal('status'), ...About, status: ThingStatus, atMinutes: Minute, ...Limits }),
  ),
  readings: refine(
    spanned(
      object({
        expect: literal('readings'),
        ...About,
        ...Span,
        byMinutes: Minute,
        complete: optional(boolean()),
        lateAtLeast: optional(Count),
      }),
    ),
    'with complete or lateAtLeast, by a minute of the span or after it',
    ({ complete, lateAtLeast, byMinutes, toMinutes }) =>
      (complete !== undefined || lateAtLeast !== undefined) && byMinutes >= toMinutes,
  ),
  temperature: spanned(
    object({
      expect: literal('temperature'),
      ...About,
      ...Span,
      between: refine(tuple([Finite, Finite]), 'ascending', ([low, high]) => low < high),
    }),
  ),
  asOf: refine(
    bounded(
      object({
        expect: literal('asOf'),
        ...About,
        view: AsOfView,
        atMinutes: WholeMinute,
        byMinutes: WholeMinute,
        status: optional(ThingStatus),
        type: optional(ViolationType),
        ...Limits,
      }),
    ),
    'of a status, a type or both, by that minute or after it',
    ({ status, type, atMinutes, byMinutes }) =>
      (status !== undefined || type !== undefined) && byMinutes >= atMinutes,
  ),
  load: refine(
    object({
      expect: literal('load'),
      ...About,
      atMinutes: Minute,
      state: optional(LoadState),
      usedBetween: optional(
        refine(tuple([between(0, 100_000), between(0, 100_000)]), 'ascending', ([low, high]) => low <= high),
      ),
      exhaustedBetween: optional(Window),
    }),
    'with a state, usedBetween or exhaustedBetween, by that minute',
    ({ state, usedBetween, exhaustedBetween, atMinutes }) =>
      (state !== undefined || usedBetween !== undefined || exhaustedBetween !== undefined) &&
      (exhaustedBetween?.[1] ?? atMinutes) <= atMinutes,
  ),
  notifications: spanned(
    object({
      expect: literal('notifications'),
      ...About,
      type: NotificationType,
      ...Span,
      times: Count,
    }),
  ),
})
export type Outcome = Infer<typeof Outcome>
