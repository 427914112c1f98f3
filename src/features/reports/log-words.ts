import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'

/** A line of the log as it is shown. */
export type LogState =
  /**
   * `came`: how many readings came later, in words, and the version that would hold them; `damaged`: what could not be read
   * of it
   */
  | {
      word: 'Completed'
      gone: string | undefined
      later: { came: string; nextVersion: number } | undefined
      damaged: string | undefined
    }
  /** `waits`: in words, undefined where it is being made; `progress`: 0 to 1, where somebody says */
  | { word: 'Pending'; waits: string | undefined; progress: number | undefined }
  | { word: 'Failed'; reason: string }
  | { word: 'Cancelled'; by: string | undefined }

/** A server that tells no status tells by `isCompleted` alone. */
export function stateOf(entry: ReportLogEntry): LogState {
  const { status, isCompleted, url, progress, ahead, reason } = entry
  if (status === 'failed')
    return { word: 'Failed', reason: reason ?? 'Why is not known. Retry, or ask for another range.' }
  if (status === 'cancelled') return { word: 'Cancelled', by: entry.cancelledBy }
  if (isCompleted)
    return {
      word: 'Completed',
      gone: url === null ? (reason ?? 'There is no file any more.') : undefined,
      later: laterOf(entry),
      damaged: damagedWords(entry),
    }
  return {
    word: 'Pending',
    waits: status === 'requested' ? waitsFor(ahead) : undefined,
    progress: status === 'pending' ? progress : undefined,
  }
}

function laterOf({ outdated }: ReportLogEntry): { came: string; nextVersion: number } | undefined {
  if (outdated === undefined) return undefined
  const { readings, nextVersion } = outdated
  const came = `${counted(readings, 'reading')} came later.`
  return { came, nextVersion }
}

function damagedWords({ damagedDevices: devices = 0 }: ReportLogEntry): string | undefined {
  if (devices === 0) return undefined
  const whose = devices === 1 ? '1 device' : `${formatCount(devices)} devices`
  return `The record of ${whose} is damaged in this time. The report holds what could be read; the administrator of your server can restore it from a backup.`
}

/** `Version 1 of 2`; undefined where there is one alone. */
export const versionWords = ({ version, versions }: ReportLogEntry): string | undefined =>
  version === undefined || versions === undefined
    ? undefined
    : `Version ${formatCount(version)} of ${formatCount(versions)}`

function waitsFor(ahead: number | undefined): string {
  if (ahead === undefined) return 'waits for its turn'
  if (ahead === 0) return 'waits for its turn, which is next'
  return `waits for its turn, ${counted(ahead, 'report')} before it`
}

/**
 * What a report is of. `short`: `LES-1`, `Lahore and 11 more`; `whole`: each that is named, `Groups: Lahore, Multan; Devices:
 * LES-1 and 9 more`. Undefined where nobody says.
 */
export function selectionWords({ selection }: ReportLogEntry): { short: string; whole: string } | undefined {
  if (selection === undefined) return undefined
  const { groups, groupCount, devices, deviceCount } = selection
  const kinds = [
    { kind: 'Groups', names: groups, count: groupCount },
    { kind: 'Devices', names: devices, count: deviceCount },
  ].filter(({ count }) => count > 0)
  return {
    short: andMore([...groups, ...devices].slice(0, 1), groupCount + deviceCount),
    whole: kinds.map(({ kind, names, count }) => `${kind}: ${andMore(names, count)}`).join('; '),
  }
}

/** Names, and how many there are besides. Those of what is gone by now nobody knows. */
function andMore(names: readonly string[], count: number): string {
  const rest = count - names.length
  if (names.length === 0) return `${formatCount(rest)} chosen`
  return `${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`
}

/** `12 reports, 2 pending, 1 failed`; `Newest 50 reports` where there are more than are listed. */
export function summaryOf(entries: readonly ReportLogEntry[], hasMore: boolean): string {
  const count = { Completed: 0, Pending: 0, Failed: 0, Cancelled: 0 }
  for (const entry of entries) count[stateOf(entry).word]++
  const parts = [`${hasMore ? 'Newest ' : ''}${counted(entries.length, 'report')}`]
  if (count.Pending > 0) parts.push(`${formatCount(count.Pending)} pending`)
  if (count.Failed > 0) parts.push(`${formatCount(count.Failed)} failed`)
  return parts.join(', ')
}

export type LogFile = {
  url: string
  sealedUrl?: string | undefined
  fileName: string
  ending: string
  size: number | undefined
}

/** The files of a line, each with its ending in capitals (XLSX, PDF); a server that tells of one alone tells its link. */
export function filesOf({ files, url, fileName, size, reportType }: ReportLogEntry): LogFile[] {
  const listed = files ?? (url === null ? [] : [{ url, fileName: fileName ?? reportType, size }])
  return listed.map((file) => ({ ...file, ending: endingOf(file.fileName), size: file.size ?? undefined }))
}

const endingOf = (fileName: string): string => /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1]?.toUpperCase() ?? ''
