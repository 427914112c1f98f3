/** Keys in the event log begin with what they are of and a time, so that those of before a time are beside each other. */
const COMMAND = 'command '
const OWN = 'own '

/** What the server appends by itself is known by its key for so long after what it follows from, ms: longer than a message waits to be sent. */
export const OWN_KEPT_MS = 7 * 86_400_000

/** Of what a request appends. @param at when it was first asked for, epoch ms */
export const commandKey = (at: number, id: string, place: number): string =>
  `${COMMAND}${timed(at)} ${id}/${place}`

/**
 * Of what the server appends by itself. It is known for a while, and must not come up again after that.
 * @param at when that was recorded which it follows from, epoch ms: the same whoever appends it, and however often
 */
export const ownKey = (at: number, name: string): string => `${OWN}${timed(at)} ${name}`

/** From which key on, and up to before which, keys are forgotten with commands of before a time, epoch ms. */
export const forgottenKeys = (before: number): { from: string; to: string }[] => [
  { from: COMMAND, to: `${COMMAND}${timed(before)}` },
  { from: OWN, to: `${OWN}${timed(before - OWN_KEPT_MS)}` },
]

/** Keys of what the server appends by itself, oldest first. */
export const OWN_KEYS = { from: OWN, to: `${OWN.slice(0, -1)}!` }

/**
 * What releases before called what they appended by themselves, up to the first `-`: keys without a time, which were kept for ever. This
 * release looks for none of them, an older one only while it leads. Those older than all that this one knows of its own are forgotten,
 * so many at once: there may be millions.
 */
export const EARLIER_NAMES = ['judge', 'late', 'alert', 'mail', 'sms']
export const EARLIER_AT_ONCE = 10_000

const timed = (at: number): string => String(Math.max(0, Math.floor(at))).padStart(15, '0')
