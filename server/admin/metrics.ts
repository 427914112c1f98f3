import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Delivery } from '../api/realtime/realtime.ts'
import { passwordsHashed } from '../auth/passwords.ts'
import type { Ground } from '../infrastructure.ts'
import type { Ingest } from '../ingest/pipeline.ts'
import type { Gateway } from '../ingest/teltonika/gateway.ts'
import type { Leading } from '../leader-jobs.ts'
import { gaugesOf } from '../metrics/gauges.ts'
import { COPY_FILE } from '../store/postgres/copy.ts'
import { STORE_FILE } from '../store/sqlite/database.ts'
import type { Backups } from './backups.ts'
import { registerNodeFigures } from './node-metrics.ts'
import type { Readiness } from './readiness.ts'

const NOTHING_SENT: ReturnType<Leading['outgoing']['stats']> = {
  mail: { sent: 0, failed: 0, waiting: 0 },
  sms: { sent: 0, failed: 0, waiting: 0 },
  alerts: { raised: { email: 0, sms: 0 }, waiting: 0 },
}

type Parts = {
  /** of the store; `:memory:` has no files */
  dataDir: string
  /** undefined where they are put nowhere */
  backups: Pick<Backups, 'stats'> | undefined
  head: () => number
  ingest: Pick<Ingest, 'stats'>
  gateway: Pick<Gateway, 'stats'>
  delivery: Pick<Delivery, 'links'>
  readiness: Pick<Readiness, 'canWrite'>
  /** what this node does where it leads */
  leading: () => Pick<Leading, 'judge' | 'outgoing' | 'play'> | undefined
  ground: Pick<Ground, 'cluster' | 'database' | 'isBusUp'>
  /** undefined without a device world */
  world: { messagesSent(): number } | undefined
}

/** What `/metrics` tells of the way a reading goes: the doors, the store, who follows it, the sockets. */
export function registerFigures(registry: Registry, parts: Parts): void {
  const { ingest, gateway, delivery, leading, world } = parts
  const sent = () => leading()?.outgoing.stats() ?? NOTHING_SENT
  const registers = [registry]
  const gauge = gaugesOf(registry)
  /** a total that somebody else counts */
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })

  gauge('ingest_waiting_readings', 'Readings that wait for the store', () => ingest.stats().waiting)
  total('ingest_accepted_readings_total', 'Readings stored', () => ingest.stats().accepted)
  total('ingest_duplicate_readings_total', 'Readings known already', () => ingest.stats().duplicates)
  new Counter({
    name: 'ingest_refused_total',
    help: 'Readings and frames refused for good, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of ingest.stats().refused) this.inc({ reason }, count)
    },
  })

  gauge('teltonika_connections', 'Trackers connected', () => gateway.stats().connections)
  total('teltonika_frames_total', 'Frames acknowledged', () => gateway.stats().frames)
  total('teltonika_records_total', 'Records in them', () => gateway.stats().records)
  total('teltonika_faults_total', 'Frames and handshakes refused', () => gateway.stats().faults)

  new Gauge({
    name: 'socket_links',
    help: 'Sockets let in, by kind',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, count] of Object.entries(delivery.links())) this.set({ kind }, count)
    },
  })

  total('passwords_hashed_total', 'Passwords hashed or compared: what guessing costs', passwordsHashed)
  /** messages of one kind, by what became of them */
  const messages = (
    name: string,
    what: string,
    read: () => { sent: number; failed: number; waiting: number },
  ) => {
    new Counter({
      name: `${name}_total`,
      help: `${what} that left, or were given up, since the start`,
      labelNames: ['state'],
      registers,
      collect() {
        const { sent, failed } = read()
        this.reset()
        this.inc({ state: 'sent' }, sent)
        this.inc({ state: 'failed' }, failed)
      },
    })
    gauge(`${name}_waiting`, `${what} that have not left yet`, () => read().waiting)
  }
  messages('mails', 'Letters', () => sent().mail)
  messages('sms', 'Text messages', () => sent().sms)
  new Counter({
    name: 'alerts_total',
    help: 'Alerts raised since the start: one for each addressee and channel, of one violation or more',
    labelNames: ['channel'],
    registers,
    collect() {
      this.reset()
      for (const [channel, count] of Object.entries(sent().alerts.raised)) this.inc({ channel }, count)
    },
  })
  gauge(
    'alerts_waiting_violations',
    'Violations gathered for digests, once for each addressee and channel',
    () => sent().alerts.waiting,
  )

  gauge('judge_lag', 'Records the judge is behind the log; 0 where another node judges', () => {
    const { judge } = leading() ?? {}
    return judge === undefined ? 0 : parts.head() - judge.seq
  })
  gauge('store_writable', 'Whether the store takes writes (1) or not (0)', () =>
    parts.readiness.canWrite() ? 1 : 0,
  )
  if (parts.dataDir !== ':memory:')
    new Gauge({
      name: 'store_bytes',
      help: 'Size of the files of the store, or of the copy of one that is in a database',
      labelNames: ['file'],
      registers,
      collect() {
        for (const file of [STORE_FILE, COPY_FILE].flatMap((name) => [name, `${name}-wal`])) {
          const { size } = statSync(join(parts.dataDir, file), { throwIfNoEntry: false }) ?? {}
          if (size !== undefined) this.set({ file }, size)
        }
      },
    })
  const { backups } = parts
  if (backups !== undefined) {
    gauge('backup_last_timestamp_seconds', 'When the newest whole copy was made; 0: there is none', () =>
      Math.floor(backups.stats().lastAt / 1000),
    )
    total('backups_failed_total', 'Copies that were not made since the start', () => backups.stats().failed)
  }
  registerNodeFigures(registry, parts.ground)
  if (world === undefined) return
  total('world_messages_total', 'Messages the device world has sent; 0 where another node plays it', () =>
    leading()?.play ? world.messagesSent() : 0,
  )
  gauge(
    'world_running',
    'Whether the device world goes on here (1), or has stopped or goes on elsewhere (0)',
    () => (leading()?.play?.isRunning() ? 1 : 0),
  )
}
