import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { is } from 'superstruct'
import type { AdminRequest, OperationAnswer, OperationName } from '#machines/contracts/administration.ts'
import { IMPORT_COLUMNS } from '#machines/contracts/entities/device-records.ts'
import { Imei } from '#machines/contracts/scalars.ts'
import { offsetOf, offsetWords } from '#machines/rules/clock-offset.ts'
import type { Verified } from '../store/verification.ts'

/** The arguments are not what the command takes. */
export class UsageError extends Error {}

/** How a command ends. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, damaged: 4 } as const

type Values = Record<string, string | boolean | undefined>
type Options = Record<string, { type: 'string' | 'boolean'; says: string }>

/** One command as it is typed. */
export type CommandLine<N extends OperationName = OperationName> = {
  /** what stands behind its name, e.g. `<email>` */
  takes: string
  says: string
  options: Options
  /** @throws UsageError */
  data(words: string[], values: Values): Extract<AdminRequest, { operation: N }>['data']
  /** for people; JSON is the answer itself */
  lines(answer: OperationAnswer<N>): string[]
  /** whether an answer says that nothing was done, against what was wanted */
  isRefusal?(answer: OperationAnswer<N>): boolean
}

type PrintedLink = OperationAnswer<'create-admin'>
const linkLines = ({ userName, email, link, expiresAt }: PrintedLink): string[] => [
  `Open this link once to choose the password of ${userName} (${email}). It is good until ${new Date(expiresAt).toISOString()}:`,
  link,
]

type Suspension = OperationAnswer<'suspend'>
const suspensionLines = ({ _id, name, suspended, isChanged }: Suspension): string[] => [
  `${name} (${_id}) ${isChanged ? 'is' : 'was already'} ${suspended ? 'suspended' : 'let in'}`,
]

const REASON: Options = { reason: { type: 'string', says: 'why, kept in the history of the company' } }

export const COMMAND_LINES: { [N in OperationName]: CommandLine<N> } = {
  'create-admin': {
    takes: '<email>',
    says: 'Makes an administrator, who sets up companies, and prints a link to choose a password. For one who has no password yet it prints another link.',
    options: {
      'first-name': { type: 'string', says: 'Administrator where left out' },
      'last-name': { type: 'string', says: '' },
    },
    data: (words, values) => ({
      email: only(words, 'an e-mail address'),
      firstName: textOf(values, 'first-name') ?? '',
      lastName: textOf(values, 'last-name') ?? '',
    }),
    lines: linkLines,
  },
  'reset-password': {
    takes: '<user>',
    says: 'Prints a link by which a user, named by e-mail address or user name, chooses a new password. The present one works until then.',
    options: {},
    data: (words) => ({ user: only(words, 'a user') }),
    lines: linkLines,
  },
  list: {
    takes: '',
    says: 'Lists administrators and companies.',
    options: {},
    data: (words) => none(words),
    lines: listLines,
  },
  'create-company': {
    takes: '<name>',
    says: 'Makes a company with its top group, and prints the key its readings are sent with. The key is shown this once.',
    options: { 'time-zone': { type: 'string', says: 'e.g. Asia/Karachi; UTC where left out' } },
    data: (words, values) => ({
      name: only(words, 'a company, in quotes where its name has blanks'),
      timeZone: textOf(values, 'time-zone') ?? 'UTC',
    }),
    lines: ({ _id, name, timeZone, deviceKey }) => [
      `${name} (${_id}) is there, its times are of ${timeZone}.`,
      'The key for its readings, x-device-key of POST /api/ingest; keep it, it is not shown again:',
      deviceKey,
    ],
  },
  'rotate-key': {
    takes: '<company>',
    says: 'Makes another key in place of one of a company and prints it; it is shown this once. The old one goes on for the overlap.',
    options: {
      key: { type: 'string', says: 'its name or id, where the company has several' },
      overlap: { type: 'string', says: 'hours the old key goes on: 1, 24 or 168; 24 where left out' },
    },
    data: (words, values) => ({
      company: only(words, 'a company'),
      key: textOf(values, 'key'),
      overlapHours: overlapOf(textOf(values, 'overlap') ?? '24'),
    }),
    lines: ({ name, keyName, deviceKey, oldUntil }) => [
      `${keyName} of ${name}: the old key goes on until ${new Date(oldUntil).toISOString()}.`,
      'The new one, x-device-key of POST /api/ingest; keep it, it is not shown again:',
      deviceKey,
    ],
  },
  'import-devices': {
    takes: '<file.csv>',
    says: `Takes the devices of a list into a company. Its first line names the columns: ${IMPORT_COLUMNS.join(', ')}. The type is vehicle or warehouse, the clock of a tracker UTC or like UTC+05:00. Where a line is wrong nothing is taken, unless the good ones are to be kept. The same file twice changes nothing.`,
    options: {
      company: { type: 'string', says: 'its id or name' },
      'keep-good': { type: 'boolean', says: 'takes the good lines where others are wrong' },
      api: { type: 'boolean', says: 'their readings come by POST /api/ingest, not from trackers' },
    },
    data(words, values) {
      const file = only(words, 'a file')
      const company = textOf(values, 'company')
      if (company === undefined) throw new UsageError('Say whose devices they are: --company <id or name>')
      const source = values.api === true ? 'api' : 'tracker'
      return { company, csv: fileText(file), keepGood: values['keep-good'] === true, source }
    },
    lines: importLines,
    isRefusal: ({ faults, registered }) => faults.length > 0 && registered === 0,
  },
  'set-clock': {
    takes: '<imei>',
    says: 'Says how far the clock of a tracker is ahead of UTC. It is for GT06 trackers that cannot be set to UTC, and counts for what they send from then on; times that are stored stay.',
    options: {
      ahead: { type: 'string', says: 'e.g. UTC+05:00, UTC-03:30, or UTC for one that is right' },
    },
    data: (words, values) => ({
      imei: imeiOf(only(words, 'a tracker by its IMEI')),
      clockOffset: offsetTyped(textOf(values, 'ahead')),
    }),
    lines: ({ imei, name, clockOffset, isChanged }) => [
      `The clock of ${name} (${imei}) ${isChanged ? 'is' : 'was already'} taken for ${offsetWords(clockOffset)}.`,
    ],
  },
  suspend: {
    takes: '<company>',
    says: 'Suspends a company, named by its id or name: everybody of it is signed out at once and its keys are refused; its trackers are still listened to.',
    options: REASON,
    data: (words, values) => suspensionOf(words, values),
    lines: suspensionLines,
  },
  'rotate-seal-key': {
    takes: '',
    says: 'Makes another key to sign the record with. The present key and the new one sign that it takes its place, so whoever knows the old one knows the new one too.',
    options: { lost: { type: 'boolean', says: 'the present key is gone: nobody vouches for the new one' } },
    data: (words, values) => ({ ...none(words), lost: values.lost === true }),
    lines: ({ keyId, previous, place }) => [
      `The record is signed with key ${keyId} from now on. It is in: ${place}.`,
      previous === null
        ? 'No other key vouches for it: tell whoever verifies reports, and give them the new public keys.'
        : `Key ${previous} vouches for it.`,
    ],
  },
  resume: {
    takes: '<company>',
    says: 'Lets the people of a suspended company in again.',
    options: REASON,
    data: (words, values) => suspensionOf(words, values),
    lines: suspensionLines,
  },
}

function imeiOf(typed: string): string {
  if (!is(typed, Imei)) throw new UsageError(`${typed} is no IMEI: 15 digits are expected`)
  return typed
}

function offsetTyped(typed: string | undefined): number {
  if (typed === undefined) throw new UsageError('Say how far its clock is ahead of UTC: --ahead UTC+05:00')
  const minutes = offsetOf(typed)
  if (minutes === undefined) throw new UsageError(`${typed} is no offset: write it as UTC+05:00`)
  return minutes
}

function overlapOf(typed: string): 1 | 24 | 168 {
  const hours = Number(typed)
  if (hours !== 1 && hours !== 24 && hours !== 168) throw new UsageError('--overlap takes 1, 24 or 168 hours')
  return hours
}

export type TypedVerify = { is: 'verify'; folder: string | undefined; isJson: boolean }
/** `heads`: kept elsewhere, to be held against the record too */
export type TypedVerifyLog = {
  is: 'verify-log'
  folder: string | undefined
  heads: { size: number; root: string }[]
  isJson: boolean
}
export type TypedRestore = {
  is: 'restore-days'
  backup: string
  /** UTC days counted from 1970, both included */
  fromDay: number
  toDay: number
  imei: string | undefined
  isJson: boolean
}
/** A command that was typed: what to do, and how to say what came of it. */
export type Typed =
  | { is: 'help'; text: string }
  | TypedVerify
  | TypedRestore
  | TypedVerifyLog
  | { is: 'request'; request: AdminRequest; isJson: boolean }

/** A command that opens the record by itself. */
type FolderCommand<T extends Typed> = Pick<CommandLine, 'takes' | 'says' | 'options'> & {
  /** @throws UsageError */
  typed(words: string[], values: Values, isJson: boolean): T
}

/** Commands that open the record by themselves, beside those that a running server does too. */
const FOLDER_COMMANDS: {
  verify: FolderCommand<TypedVerify>
  'restore-days': FolderCommand<TypedRestore>
  'verify-log': FolderCommand<TypedVerifyLog>
} = {
  verify: {
    takes: '[folder]',
    says: 'Tells whether this release would open a record: each fact is read by its contract, and each chunk of readings. It changes nothing. Takes the folder of a stopped server, a copy of one, or with DATABASE_URL the database; DATA_DIR where no folder is named.',
    options: {},
    typed: (words, _, isJson) => ({ is: 'verify', folder: folderOf('verify', words), isJson }),
  },
  'restore-days': {
    takes: '<backup folder>',
    says: 'Puts days of a record back from a backup, with its server stopped: readings of those days, joined with what is whole here, and facts that are damaged here. A backup of another record, or one whose checksums do not hold, is refused and nothing is changed.',
    options: {
      from: { type: 'string', says: 'the first day, 2026-06-14, in UTC' },
      to: { type: 'string', says: 'the last day; the first one where it is left out' },
      device: { type: 'string', says: 'the IMEI of one device; all of them where it is left out' },
    },
    typed: restoreOf,
  },
  'verify-log': {
    takes: '[folder]',
    says: 'Holds the whole record against its signed heads and names what does not fit: keys, heads, the tree, each fact and batch, and the chunks of readings. It changes nothing. Takes the folder of a stopped server, a copy of one, or with DATABASE_URL the database beside the nodes that run; DATA_DIR where no folder is named.',
    options: {
      head: {
        type: 'string',
        says: 'a head that was kept elsewhere, as a mail has it: <entries>:<root>',
      },
    },
    typed: (words, values, isJson) => ({
      is: 'verify-log',
      folder: folderOf('verify-log', words),
      heads: headsOf(textOf(values, 'head')),
      isJson,
    }),
  },
}
const isOnFolders = (name: string): name is keyof typeof FOLDER_COMMANDS =>
  Object.hasOwn(FOLDER_COMMANDS, name)

/** undefined: none is named */
function folderOf(name: string, words: string[]): string | undefined {
  if (words.length > 1) throw new UsageError(`${name} takes one folder`)
  return words[0]
}

function restoreOf(words: string[], values: Values, isJson: boolean): TypedRestore {
  const backup = only(words, 'the folder of a backup')
  const from = textOf(values, 'from')
  if (from === undefined) throw new UsageError('Say from which day: --from 2026-06-14')
  const [fromDay, toDay] = [dayOf(from), dayOf(textOf(values, 'to') ?? from)]
  if (toDay < fromDay) throw new UsageError('--to is before --from')
  return { is: 'restore-days', backup, fromDay, toDay, imei: textOf(values, 'device'), isJson }
}

function headsOf(typed: string | undefined): TypedVerifyLog['heads'] {
  if (typed === undefined) return []
  const [, size, root] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(typed) ?? []
  if (root === undefined)
    throw new UsageError(
      `${typed} is no head: write it as <entries>:<root>, the root in 64 hexadecimal letters`,
    )
  return [{ size: Number(size), root }]
}

function dayOf(typed: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(typed) ? Date.parse(`${typed}T00:00:00Z`) : Number.NaN
  // June 31 is parsed as July 1
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(typed))
    throw new UsageError(`${typed} is no day: write it as 2026-06-14`)
  return at / 86_400_000
}

/**
 * What was typed behind `npm run admin --`.
 * @throws UsageError
 */
export function readCommandLine(words: readonly string[]): Typed {
  const [name = '', ...rest] = words
  if (name === '' || name === '--help' || name === 'help') return { is: 'help', text: wholeHelp() }
  if (!isOnFolders(name) && !isOperation(name))
    throw new UsageError(`There is no command ${name}: --help names them`)
  const command = isOnFolders(name) ? FOLDER_COMMANDS[name] : COMMAND_LINES[name]
  const { values, positionals } = parsed(rest, command.options)
  if (values.help === true) return { is: 'help', text: helpOf(name, command) }
  const isJson = values.json === true
  if (isOnFolders(name)) return FOLDER_COMMANDS[name].typed(positionals, values, isJson)
  const data = COMMAND_LINES[name].data(positionals, values)
  return { is: 'request', request: { operation: name, data } as AdminRequest, isJson }
}

/** What came of a request, for people. */
export function answerLines<N extends OperationName>(name: N, answer: OperationAnswer<N>): string[] {
  return (COMMAND_LINES[name] as CommandLine<N>).lines(answer)
}

/** What was read of a record, for people. */
export function verifiedLines(found: Verified): string[] {
  const { facts, batches, chunks, readings, summaries, damaged, damage } = found
  return [
    `Read ${facts} facts, ${readings} readings in ${batches} batches and ${chunks} chunks, ${summaries} blocks of day summaries.`,
    damaged === 0 ? 'This release opens it.' : `This release cannot read ${damaged} of it:`,
    ...damage.map((each) => `  ${each}`),
    ...(damaged > damage.length ? ['  …'] : []),
  ]
}

/** What came of holding a record against its heads, for people. */
export const summaryLine = (entries: number, found: number): string =>
  found === 0
    ? `${entries} entries and the chunks of readings are what was signed.`
    : `${found === 1 ? '1 part of the record is' : `${found} parts of the record are`} not what was signed, of ${entries} entries and the chunks of readings.`

/** Whether an answer says that nothing was done, against what was wanted. */
export const isRefusal = <N extends OperationName>(name: N, answer: OperationAnswer<N>): boolean =>
  (COMMAND_LINES[name] as CommandLine<N>).isRefusal?.(answer) ?? false

const isOperation = (name: string): name is OperationName => Object.hasOwn(COMMAND_LINES, name)

function parsed(words: string[], options: Options) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        help: { type: 'boolean' },
        json: { type: 'boolean' },
        ...Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }])),
      },
    }) as { values: Values; positionals: string[] }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function wholeHelp(): string {
  const rows = Object.entries({ ...COMMAND_LINES, ...FOLDER_COMMANDS }).map(
    ([name, { takes, says }]) => [`${name} ${takes}`.trim(), says] as const,
  )
  const width = Math.max(...rows.map(([usage]) => usage.length))
  return [
    'npm run admin -- <command> …',
    '',
    ...rows.map(([usage, says]) => `  ${usage.padEnd(width)}  ${firstSentence(says)}`),
    '',
    'Each takes --json, to answer in JSON, and --help.',
    'DATA_DIR, DATABASE_URL, PUBLIC_URL and TOKEN_SECRET are to be what the server has. While a server runs in DATA_DIR it does',
    'what is asked, else the folder is opened; a database is opened beside the nodes that run.',
    '',
    EXITS,
  ].join('\n')
}

const EXITS =
  'Ends with 0 when it is done, 1 when the record cannot be reached, 2 when the command or the environment is wrong, 3 when it is refused, 4 when verify finds something that cannot be read, or verify-log something that does not fit.'

function helpOf(
  name: string,
  { takes, says, options }: Pick<CommandLine, 'takes' | 'says' | 'options'>,
): string {
  return [
    `npm run admin -- ${`${name} ${takes}`.trim()}`,
    '',
    says,
    ...Object.entries(options).map(([option, { type, says: meaning }]) =>
      `  --${option}${type === 'string' ? ' <text>' : ''}  ${meaning}`.trimEnd(),
    ),
    '  --json  answers in JSON',
    '',
    EXITS,
  ].join('\n')
}

const firstSentence = (says: string): string => `${says.split('. ')[0]?.replace(/\.$/, '')}`

function listLines({ administrators, companies, head }: OperationAnswer<'list'>): string[] {
  return [
    administrators.length === 0
      ? 'There is no administrator yet: npm run admin -- create-admin you@company.example'
      : 'Administrators:',
    ...administrators.map(
      ({ userName, email, hasPassword }) =>
        `  ${email} (${userName})${hasPassword ? '' : `, has no password yet: npm run admin -- reset-password ${email}`}`,
    ),
    companies.length === 0 ? 'There is no company yet.' : 'Companies:',
    ...companies.map(
      ({ _id, name, suspended, users, groups, devices }) =>
        `  ${_id}  ${name}${suspended ? ' (suspended)' : ''}: ${users} users, ${groups} groups, ${devices} devices`,
    ),
    `The record holds ${head} entries.`,
  ]
}

function importLines({
  registered,
  known,
  differing,
  faults,
  warnings,
}: OperationAnswer<'import-devices'>): string[] {
  const odd = registered > 0 ? warnings : []
  return [
    faults.length > 0 && registered === 0
      ? `No device was taken: ${faults.length} lines are wrong. Mend them, or take the others with --keep-good.`
      : `${registered} devices were taken.`,
    ...(known > 0
      ? [`${known} were there already${differing > 0 ? `, ${differing} of them with other details` : ''}.`]
      : []),
    ...faults.map(({ line, imei, reason }) => `  line ${line} ${imei}: ${reason}`),
    ...odd
      .slice(0, MOST_WARNINGS)
      .map(({ line, imei, reason }) => `  line ${line} ${imei}, taken: ${reason}`),
    ...(odd.length > MOST_WARNINGS
      ? [`  ${odd.length - MOST_WARNINGS} more lines were taken that look odd; --json names them all.`]
      : []),
  ]
}

/** Lines that were taken all the same: of a long list the first of them say enough. */
const MOST_WARNINGS = 20

/** @throws UsageError */
function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function suspensionOf(words: string[], values: Values) {
  const reason = textOf(values, 'reason')
  return { company: only(words, 'a company'), ...(reason !== undefined && { reason }) }
}

function only(words: string[], what: string): string {
  const [word, ...more] = words
  if (word === undefined || more.length > 0) throw new UsageError(`Name ${what}, and nothing else`)
  return word
}

function none(words: string[]): Record<string, never> {
  if (words.length > 0) throw new UsageError('It takes no arguments')
  return {}
}

function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}
