import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Delivery } from '../api/realtime/realtime.ts'
import { passwordsHashed } from '../auth/passwords.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import type { Ingest } from '../ingest/pipeline.ts'
import type { Gateway } from '../ingest/trackers/gateway.ts'
import type { Notifier } from '../jobs/notifier/notifier.ts'
import type { Sealing } from '../jobs/seals/sealing.ts'
import type { SealWalk } from '../jobs/seals/walk.ts'
import { gaugesOf } from '../metrics/gauges.ts'
import { DAMAGED_TABLES, type DamageRegister } from '../store/damage.ts'
import { COPY_FILE } from '../store/postgres/copy.ts'
import type { CheckStats } from '../store/record-checking.ts'
import { STORE_FILE } from '../store/sqlite/database.ts'
import type { TelemetryStore } from '../store/store.ts'
import type { Backups } from './backups.ts'
import { type NodeParts, registerNodeMetrics } from './node-metrics.ts'
import type { Readiness } from './readiness.ts'

type Sent = ReturnType<Notifier['stats']>
const NOTHING_SENT: Sent = {
  mail: { sent: 0, failed: 0, waiting: 0 },
  sms: { sent: 0, failed: 0, waiting: 0 },
  withheld: { confirm: 0, unsubscribed: 0, budget: 0 },
  alerts: { raised: { email: 0, sms: 0 }, waiting: 0 },
}

type Parts = {
  /** of the store; `:memory:` has no files */
  dataDir: string
  /** undefined where they are put nowhere */
  backups: Pick<Backups, 'stats'> | undefined
  head: () => number
  damage: Pick<DamageRegister, 'list'>
  checked: () => CheckStats
  telemetry: Pick<TelemetryStore, 'uncompacted'>
  ingest: Pick<Ingest, 'stats'>
  gateways: Readonly<Record<Gateway['protocol'], Pick<Gateway, 'stats'>>>
  delivery: Pick<Delivery, 'connections'>
  readiness: Pick<Readiness, 'canWrite'>
  /** what this node does where it leads */
  leading: () =>
    | {
        evaluator: Pick<Evaluator, 'seq' | 'failing'>
        notifier: Pick<Notifier, 'stats'>
        sealing: Pick<Sealing, 'stuckBecause'>
        sealWalk: Pick<SealWalk, 'stats'>
      }
    | undefined
  infrastructure: NodeParts
}

/** What `/metrics` shows of the way a reading goes: the doors, the store, who follows it, the sockets. */
export function registerMetrics(registry: Registry, parts: Parts): void {
  const metrics = { registry, gauge: gaugesOf(registry), total: totalsOf(registry) }
  ingestMetrics(metrics, parts)
  gatewayMetrics(metrics, parts)
  socketMetrics(metrics, parts)
  notifierMetrics(metrics, parts)
  storeMetrics(metrics, parts)
  sealMetrics(metrics, parts)
  backupMetrics(metrics, parts)
  registerNodeMetrics(registry, parts.infrastructure)
}

type Metrics = {
  registry: Registry
  gauge: ReturnType<typeof gaugesOf>
  total: ReturnType<typeof totalsOf>
}

/** Adds totals that somebody else counts. */
const totalsOf = (registry: Registry) => (name: string, help: string, read: () => number) =>
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })

function ingestMetrics({ registry, gauge, total }: Metrics, { ingest }: Parts): void {
  gauge('ingest_waiting_readings', 'Readings that wait for the store', () => ingest.stats().waiting)
  total('ingest_accepted_readings_total', 'Readings stored', () => ingest.stats().accepted)
  total('ingest_duplicate_readings_total', 'Readings known already', () => ingest.stats().duplicates)
  new Counter({
    name: 'ingest_refused_total',
    help: 'Readings and frames refused for good, by reason',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [reason, count] of ingest.stats().refused) this.inc({ reason }, count)
    },
  })
}

function gatewayMetrics({ gauge, total }: Metrics, { gateways }: Parts): void {
  for (const [name, gateway] of Object.entries(gateways)) {
    gauge(`${name}_connections`, 'Trackers connected', () => gateway.stats().connections)
    total(`${name}_frames_total`, 'Frames acknowledged', () => gateway.stats().frames)
    total(`${name}_records_total`, 'Records in them', () => gateway.stats().records)
    total(`${name}_faults_total`, 'Frames and handshakes refused', () => gateway.stats().faults)
    total(
      `${name}_crowded_out_total`,
      'Connections closed before they said who they are, as too many others came',
      () => gateway.stats().crowdedOut,
    )
    gauge(
      `${name}_low_sensor_batteries`,
      'Wireless sensors of connected trackers that say their battery is low',
      () => gateway.stats().lowBatteries,
    )
  }
}

function socketMetrics({ registry, total }: Metrics, { delivery }: Parts): void {
  new Gauge({
    name: 'socket_links',
    help: 'Sockets let in, by kind',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, count] of Object.entries(delivery.connections())) this.set({ kind }, count)
    },
  })
  total('passwords_hashed_total', 'Passwords hashed or compared: what guessing costs', passwordsHashed)
}

/** Of a node that does not lead: nothing is known to be wrong. */
function sealMetrics({ gauge }: Metrics, { leading }: Parts): void {
  gauge('log_seal_ok', 'Whether the record is signed and fits what was signed', () => {
    const led = leading()
    return led && (led.sealing.stuckBecause() !== undefined || led.sealWalk.stats().found > 0) ? 0 : 1
  })
  gauge(
    'log_seal_checked_timestamp_seconds',
    'When the whole record was last held against its signed heads; 0: not since the start',
    () => (leading()?.sealWalk.stats().checkedAt ?? 0) / 1000,
  )
}

function notifierMetrics({ registry, gauge }: Metrics, { leading }: Parts): void {
  const sent = () => leading()?.notifier.stats() ?? NOTHING_SENT
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
      registers: [registry],
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
    name: 'scheduled_mails_withheld_total',
    help: 'Letters of schedules that were not sent since the start: to be confirmed, unsubscribed, over the budget of the day',
    labelNames: ['because'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [because, count] of Object.entries(sent().withheld)) this.inc({ because }, count)
    },
  })
  new Counter({
    name: 'alerts_total',
    help: 'Alerts raised since the start: one for each addressee and channel, of one violation or more',
    labelNames: ['channel'],
    registers: [registry],
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
}

function storeMetrics({ registry, gauge }: Metrics, parts: Parts): void {
  gauge('judge_lag', 'Records the evaluator is behind the log; 0 where another node evaluates', () => {
    const { evaluator } = parts.leading() ?? {}
    return evaluator === undefined ? 0 : parts.head() - evaluator.seq
  })
  gauge(
    'judge_failing_devices',
    'Devices that cannot be evaluated, of which nothing is published; 0 where another node evaluates',
    () => parts.leading()?.evaluator.failing ?? 0,
  )
  new Gauge({
    name: 'record_damaged_parts',
    help: 'Parts of the record that are not what was written, by table',
    labelNames: ['table'],
    registers: [registry],
    collect() {
      for (const table of DAMAGED_TABLES) this.set({ table }, 0)
      for (const { table } of parts.damage.list()) this.inc({ table })
    },
  })
  gauge(
    'record_checked_timestamp_seconds',
    'When the record was last read to its end by this node; 0: not yet',
    () => Math.floor(parts.checked().roundAt / 1000),
  )
  gauge(
    'store_uncompacted_readings',
    'Readings in memory that are not compacted yet: each hour, or when there are 4.5 million of them, they are',
    () => parts.telemetry.uncompacted(),
  )
  gauge('store_writable', 'Whether the store takes writes (1) or not (0)', () =>
    parts.readiness.canWrite() ? 1 : 0,
  )
  if (parts.dataDir !== ':memory:')
    new Gauge({
      name: 'store_bytes',
      help: 'Size of the files of the store, or of the copy of one that is in a database',
      labelNames: ['file'],
      registers: [registry],
      collect() {
        for (const file of [STORE_FILE, COPY_FILE].flatMap((name) => [name, `${name}-wal`])) {
          const { size } = statSync(join(parts.dataDir, file), { throwIfNoEntry: false }) ?? {}
          if (size !== undefined) this.set({ file }, size)
        }
      },
    })
}

function backupMetrics({ gauge, total }: Metrics, { backups }: Parts): void {
  if (backups !== undefined) {
    gauge('backup_last_timestamp_seconds', 'When the newest whole copy was made; 0: there is none', () =>
      Math.floor(backups.stats().lastAt / 1000),
    )
    total('backups_failed_total', 'Copies that were not made since the start', () => backups.stats().failed)
  }
}
