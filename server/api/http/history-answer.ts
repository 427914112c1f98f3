import type { DeviceHistory, KnownViolation, LateSpan } from '#machines/contracts/entities/devices.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import type { Device } from '#machines/projections/directory.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { lateSpansOf, receivedLateAt } from '#machines/rules/late-spans.ts'
import type { Cut } from '../../read-models/cut.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { beginningOf, clearedAtOf } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Store } from '../../store/store.ts'
import { attentionAt } from './attention-at.ts'
import type { KeptHistory } from './kept-history.ts'
import { thinHistory } from './thin-history.ts'
import { pointAt } from './thing-answer.ts'
import { thresholdsOf } from './thresholds-of.ts'

type Deps = {
  store: Pick<Store, 'damage'>
  keptHistory: KeptHistory
  readModels: Pick<ReadModels, 'directory' | 'latest'>
}

/** One a second of a day. Beyond it, which no tracker sends, an answer is thinned whether it was asked for so or not. */
const MOST_POINTS = 86_400

/** What a device measured in a span, both ends included, thinned to about `maxPoints` where given; `latest`: its newest reading of all. */
export async function historyAnswer(
  { store, keptHistory, readModels: { directory, latest } }: Deps,
  device: Device,
  { from, to }: DateRange,
  maxPoints: number | undefined,
): Promise<DeviceHistory> {
  const columns = await keptHistory(device, from, to + 1)
  const thresholds = thresholdsOf(directory, device)
  const rows = thinHistory(columns, Math.min(maxPoints ?? MOST_POINTS, MOST_POINTS), thresholds)
  const isHeard = (latest.readings.at[device.no] ?? 0) > 0
  return {
    points: Array.from(rows, (i) => ({ ...pointAt(columns, i), ...receivedLate(columns, i) })),
    latest: isHeard ? pointAt(latest.readings, device.no) : null,
    thresholds: { ...thresholds, ...boundsOf(directory, device.companyId) },
    ...damagedWithin(store, device.no, from, to),
    ...late(columns),
  }
}

type Known = {
  store: Pick<Store, 'log'>
  notifications: NotificationIndex
  readModels: Pick<ReadModels, 'attention' | 'latest'>
}

/** When a reading was received, where that was late. */
function receivedLate(columns: ReadingColumns, row: number): { receivedAt?: string } {
  const at = receivedLateAt(columns, row)
  return at === undefined ? {} : { receivedAt: iso(at) }
}

/** What came late, of all readings, shown or not; left out where nothing did. */
function late(columns: ReadingColumns): { late?: LateSpan[] } {
  const spans = lateSpansOf(columns)
  if (spans.length === 0) return {}
  return {
    late: spans.map(({ from, to, receivedFrom, receivedTo, readings, upTo }) => ({
      from: iso(from),
      to: iso(to),
      receivedFrom: iso(receivedFrom),
      receivedTo: iso(receivedTo),
      readings,
      upTo,
    })),
  }
}

/** The violations of a device that reach into [from, to], ascending by when they began, as of a time; left out where there are none. */
export async function violationsWithin(
  { store, notifications, readModels }: Known,
  no: number,
  from: number,
  to: number,
  cut?: Cut,
): Promise<{ violations?: KnownViolation[] }> {
  const facts = await notifications.violationsOf(no, from, to, cut)
  const attention =
    cut === undefined ? readModels.attention : await attentionAt({ store, readModels }, facts, cut)
  const { violations } = attention
  const last = cut?.at ?? Number.POSITIVE_INFINITY
  const known = facts
    .map((fact) => {
      const clearedAt = clearedAtOf(fact, violations) ?? null
      return {
        type: fact.data.type,
        ...beginningOf(fact, violations),
        clearedAt: clearedAt !== null && clearedAt <= last ? clearedAt : null,
      }
    })
    .filter(({ since, openedAt, clearedAt }) => since <= to && openedAt <= last && (clearedAt ?? to) >= from)
    .sort((a, b) => a.since - b.since)
  if (known.length === 0) return {}
  return {
    violations: known.map(({ type, since, clearedAt, isSinceBefore }) => ({
      type,
      since: iso(since),
      clearedAt: clearedAt === null ? null : iso(clearedAt),
      ...(isSinceBefore && { isSinceBefore }),
    })),
  }
}

/** Spans of a device within [from, to] without readings because they are damaged; left out where there are none. */
export function damagedWithin(
  { damage }: Pick<Store, 'damage'>,
  no: number,
  from: number,
  to: number,
): { damaged?: { from: string; to: string }[] } {
  const spans = damage.spansOf(no, from, to + 1)
  if (spans.length === 0) return {}
  return { damaged: spans.map((span) => ({ from: iso(span.from), to: iso(span.to) })) }
}

const iso = (at: number): string => new Date(at).toISOString()
