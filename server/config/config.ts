import { is } from 'superstruct'
import { Email } from '#machines/contracts/scalars.ts'
import { parseDatabaseUrl } from './database-address.ts'
import { proxiesIn } from './proxies.ts'
import { type Kind, readVariables, text, whole } from './variables.ts'

/** What the environment says, parsed once at start. Times in seconds. */
export type Env = {
  host: string
  port: number
  /** directory of the embedded store; `:memory:` keeps nothing */
  dataDir: string
  /** where copies of the embedded store are put when they are asked for; undefined: nowhere */
  backupDir: string | undefined
  databaseUrl: string | undefined
  /** servers of one NATS; none: nodes hear of each other through the database */
  natsServers: readonly string[]
  /** what other nodes call this one; undefined: machine and port */
  nodeName: string | undefined
  /** how other nodes reach this one; undefined: where it listens */
  nodeUrl: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** where text messages are posted to; undefined: the outbox */
  smsUrl: string | undefined
  /** what links in mails start with, without a slash at the end; undefined: the listening address */
  publicUrl: string | undefined
  /** addresses and networks of the proxies before the server; none: nobody is believed about where they come from */
  trustedProxies: string[]
  teltonikaPort: number
  gt06Port: number
  /** whether the simulator is loaded */
  simulator: boolean
  /** undefined: made at first start and kept in `dataDir` */
  tokenSecret: string | undefined
  /** what whoever reads `/metrics` shows; undefined: nobody may but where only this machine is listened to */
  metricsToken: string | undefined
  /** where the key lies that signs the record; undefined: in `dataDir`, with a database in that */
  sealKeyFile: string | undefined
  /** who is mailed the first head of each day, to keep it elsewhere */
  sealHeadTo: readonly string[]
  accessTtl: number
  /** seconds a session lasts at most, however often it is refreshed */
  sessionTtl: number
  /** sockets of each kind a user may have open on this node */
  socketsPerUser: number
  activationTtl: number
  resetTtl: number
}

/**
 * Reads all variables of the server; an empty one counts as not set.
 * @throws EnvError that names every bad variable
 */
export const readEnv = (source: Readonly<Record<string, string | undefined>>): Env =>
  readVariables(source, (read) => ({
    host: read('HOST', host, '127.0.0.1'),
    port: read('PORT', port, 4000),
    dataDir: read('DATA_DIR', text(1, 1024), './data'),
    backupDir: read('BACKUP_DIR', text(1, 1024), undefined),
    databaseUrl: read('DATABASE_URL', database, undefined),
    natsServers: read('NATS_URL', natsServers, []),
    nodeName: read('NODE_NAME', name, undefined),
    nodeUrl: read('NODE_URL', origin, undefined),
    smtpUrl: read('SMTP_URL', url('smtp:', 'smtps:'), undefined),
    mailFrom: read('MAIL_FROM', mailbox, 'Frostline <no-reply@frostline.example>'),
    smsUrl: read('SMS_URL', url('http:', 'https:'), undefined),
    publicUrl: read('PUBLIC_URL', origin, undefined),
    trustedProxies: read('TRUSTED_PROXIES', networks, []),
    teltonikaPort: read('TELTONIKA_PORT', port, 5027),
    gt06Port: read('GT06_PORT', port, 5023),
    simulator: read('SIMULATOR', onOff, true),
    tokenSecret: read('TOKEN_SECRET', text(MIN_SECRET, 1024), undefined),
    metricsToken: read('METRICS_TOKEN', text(16, 1024), undefined),
    sealKeyFile: read('SEAL_KEY_FILE', text(1, 1024), undefined),
    sealHeadTo: read('SEAL_HEAD_TO', addresses, []),
    accessTtl: read('ACCESS_TTL', seconds, 3600),
    sessionTtl: read('SESSION_TTL', seconds, 2_592_000),
    socketsPerUser: read('SOCKETS_PER_USER', whole(1, 100_000), 100),
    activationTtl: read('ACTIVATION_TTL', seconds, 86_400),
    resetTtl: read('RESET_TTL', seconds, 3600),
  }))

/** Whether the simulator is to be loaded, known before the variables are read; what cannot be read counts as yes. */
export const isSimulatorOn = ({ SIMULATOR = '' }: Readonly<Record<string, string | undefined>>): boolean =>
  onOff.read(SIMULATOR.trim()) !== false

/** HS256 wants a key of at least its own length: 256 bits (RFC 7518, 3.2). */
const MIN_SECRET = 32

const port = { ...whole(0, 65_535), takes: 'a port, 0 (any free one) to 65535' }
const seconds = { ...whole(1, 31_536_000), takes: 'seconds, 1 to 31536000' }

const onOff: Kind<boolean> = {
  takes: 'on or off',
  read: (value) => ({ on: true, off: false })[value.toLowerCase()],
}

const name: Kind<string> = {
  takes: 'a name of letters, digits and . _ : -, at most 64',
  read: (value) => (/^[\w.:-]{1,64}$/.test(value) ? value : undefined),
}

const host: Kind<string> = {
  takes: 'a host name or address',
  read: (value) => (/^[\w.:-]{1,253}$/.test(value) ? value : undefined),
}

const networks: Kind<string[]> = {
  takes: 'addresses or networks of proxies, e.g. 127.0.0.1,10.0.0.0/8',
  read: proxiesIn,
}

const mailbox: Kind<string> = {
  takes: 'an address, or Name <address>',
  read: (value) => (/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value) ? value : undefined),
}

const MOST_ADDRESSES = 20

const addresses: Kind<readonly string[]> = {
  takes: `e-mail addresses separated by commas, at most ${MOST_ADDRESSES}`,
  read(value) {
    const all = value.split(',').map((each) => each.trim())
    const areGood = all.length <= MOST_ADDRESSES && all.every((each) => is(each, Email))
    return areGood ? [...new Set(all)] : undefined
  },
}

const url = (...protocols: string[]): Kind<string> => ({
  takes: `an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  read: (value) => (protocols.includes(parsed(value)?.protocol ?? '') ? value : undefined),
})

/** Of one server or several, which `URL` cannot read. */
const database: Kind<string> = {
  takes: 'an address like postgres://user:password@host/name, of one host or several',
  read: (value) => (parseDatabaseUrl(value) === undefined ? undefined : value),
}

const natsServers: Kind<readonly string[]> = {
  takes: 'addresses that start with nats:// or tls://, separated by commas',
  read(value) {
    const servers = value.split(',').map((each) => each.trim())
    const isServer = (each: string) =>
      ['nats:', 'tls:'].includes(parsed(each)?.protocol ?? '') && parsed(each)?.hostname !== ''
    return servers.every(isServer) ? servers : undefined
  },
}

const origin: Kind<string> = {
  takes: 'an address like https://cold.example, without a path',
  read: (value) => {
    const { protocol, href, origin } = parsed(value) ?? {}
    const isWeb = protocol === 'http:' || protocol === 'https:'
    // the portal asks for its files at the top
    return isWeb && href === `${origin}/` ? origin : undefined
  },
}

function parsed(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined
}
