/**
 * The text messages of `/live`, JSON, beside its binary frames (live-frame.ts).
 *
 * The visitor speaks first: `hello`, within five seconds. The server answers `welcome`, then, where `hello` said `after`,
 * one frame marked as resumed with every row changed since, or `snapshot` when it does not know what changed. Frames follow.
 * `resume` asks the same again on an open link. A position in the log is complete once a frame or an `age` has named it.
 */
import { array, boolean, enums, type Infer, literal, object, optional, size, string } from 'superstruct'
import { chosenBy } from './choice.ts'
import { Count, EpochMs, Finite, Id, Seq } from './scalars.ts'

export const LiveHello = object({
  type: literal('hello'),
  token: size(string(), 1, 4096),
  /** of the visitor (protocol.ts); left out by those of before it was said */
  protocol: optional(Count),
  /** the last `seq` this visitor has everything of; left out by one that is about to fetch the fleet */
  after: optional(Seq),
})
export type LiveHello = Infer<typeof LiveHello>

export const LiveResume = object({ type: literal('resume'), after: Seq })
export type LiveResume = Infer<typeof LiveResume>

/**
 * `groups`: groups, which devices and how many users are in them; `settings`: what a user is notified about, a company's
 * settings; `reports`: which there are and how far they have come; `companies`: which there are, for super admins, and the time zone of
 * their own, for everybody; `keys`: a company's.
 */
export const CHANGED_SUBJECTS = [
  'groups',
  'users',
  'settings',
  'reports',
  'schedules',
  'companies',
  'keys',
] as const
export const ChangedSubject = enums(CHANGED_SUBJECTS)
export type ChangedSubject = Infer<typeof ChangedSubject>

const ANSWERS = {
  /** let in; `seq`: where the server is, `now`: the server's clock, `protocol`: the server's, for who said theirs */
  welcome: object({ type: literal('welcome'), seq: Seq, now: EpochMs, protocol: optional(Count) }),
  /** what changed since is not known: fetch the fleet anew */
  snapshot: object({ type: literal('snapshot') }),
  /** which devices or groups the visitor sees has changed: fetch the fleet anew */
  scope: object({ type: literal('scope'), seq: Seq }),
  /**
   * Groups, users or settings that the visitor sees are others now: whoever shows them asks again. `ids`: of which; empty
   * where they are many. A hint, never sent twice: after a link was cut, anything may have changed.
   */
  changed: object({ type: literal('changed'), subject: ChangedSubject, ids: array(Id), seq: Seq }),
  /** about once a second; stands for an empty frame from `prevSeq` to `seq`. `speed`: of the server's clock, 1 is real time */
  age: object({
    type: literal('age'),
    now: EpochMs,
    prevSeq: Seq,
    seq: Seq,
    speed: Finite,
    paused: boolean(),
  }),
} as const
type Answers = { [T in keyof typeof ANSWERS]: Infer<(typeof ANSWERS)[T]> }

export type LiveMessage = Answers[keyof Answers]
export const LiveMessage = chosenBy<LiveMessage>('type', ANSWERS, ANSWERS.welcome)

/** Why a server closes a link. `refused`, `crowded` and `suspended` will not get better by trying again with the same token soon. */
export const LIVE_CLOSE = {
  /** first message was none, or not in time */
  badHello: 4400,
  /** token unknown, run out, or its session ended */
  refused: 4401,
  /** the user has as many links open on this node as one may: close some */
  crowded: 4402,
  suspended: 4403,
  /** the visitor is older than the server (protocol.ts): load the portal anew */
  outdated: 4426,
  /** the visitor's own group changed, or the server begins anew: come again */
  moved: 4409,
  /** could not keep up: come again, resume */
  slow: 4429,
} as const
