import type { ConsistencyProof, InclusionProof, Seal, SealHead } from '#machines/contracts/entities/seals.ts'
import { firstIdOf, type ReportRecord, type Reports, versionOf } from '#machines/projections/reports.ts'
import { consistencyRanges, hexOf, inclusionRanges, type LeafRange } from '#machines/rules/merkle-tree.ts'
import { factsBetween } from '../../store/log-follower.ts'
import { HASH_BYTES, type ReadTile, readOnce, rootOfRange, TILE } from '../../store/seals/tiles.ts'
import type { Store } from '../../store/store.ts'
import { begunAnewAfter, keysOf } from './keys.ts'

/** What any node can show of the record, from what the leader signed. Reject with StoreUnavailable. */
export type Proofs = {
  /** the newest head, or the one of exactly `size` entries; undefined: there is none */
  head(size?: number): Promise<SealHead | undefined>
  /** undefined: the newest head is of fewer entries, or there is none */
  consistency(from: number): Promise<ConsistencyProof | undefined>
  /** the last entry of before the tree was begun anew, heads up to which are of another; undefined: it never was */
  begunAnewAfter(): Promise<number | undefined>
  /** undefined: the newest head does not have this entry yet */
  inclusion(seq: number): Promise<InclusionProof | undefined>
  /** the seal of a finished report; undefined: the signature after it is not there yet */
  ofReport(report: ReportRecord): Promise<Seal | undefined>
}

type Parts = { store: Pick<Store, 'log' | 'seals'>; reports: Reports }

export function createProofs({ store, reports }: Parts): Proofs {
  const { log, seals } = store

  async function head(size?: number): Promise<SealHead | undefined> {
    const [found] = await seals.heads(size === undefined ? {} : { size })
    return size === undefined || found?.size === size ? found : undefined
  }

  /** Where the fact that finished a report stands; undefined: it is in none of these entries. */
  function completion({ reportId, queued }: ReportRecord, upTo: number): number | undefined {
    for (const { seq, data } of factsBetween(log, ['report.completed'], { after: queued, upTo }))
      if (data.reportId === reportId) return seq
    return undefined
  }

  /** A finished report in the record of this head, with the way to its root. */
  async function placed(report: ReportRecord, { size }: SealHead, tile: ReadTile) {
    const seq = completion(report, size)
    const fact = seq === undefined ? undefined : await seals.factText(seq)
    if (seq === undefined || fact === undefined) return undefined
    return { fact, index: seq - 1, path: await hashes(tile, inclusionRanges(seq - 1, size)) }
  }

  /** The newest finished version of the same report, where there is a later one. */
  function newerOf(report: ReportRecord): ReportRecord | undefined {
    const first = firstIdOf(report)
    let newest: ReportRecord | undefined
    for (const other of reports.values())
      if (
        firstIdOf(other) === first &&
        other.completedAt !== null &&
        versionOf(other) > versionOf(newest ?? report)
      )
        newest = other
    return newest
  }

  return {
    head,
    async consistency(from) {
      const to = await head()
      if (to === undefined || from < 1 || from > to.size) return undefined
      const tile = readOnce(seals.tile)
      return {
        size: from,
        root: hexOf(await rootOfRange(tile, { from: 0, to: from })),
        to,
        path: await hashes(tile, consistencyRanges(from, to.size)),
      }
    },
    async begunAnewAfter() {
      const { past } = await seals.size()
      return begunAnewAfter(log, past)
    },
    async inclusion(seq) {
      const newest = await head()
      if (newest === undefined || seq < 1 || seq > newest.size) return undefined
      const tile = readOnce(seals.tile)
      const leaf = await leafAt(tile, seq - 1)
      return { seq, leaf, path: await hashes(tile, inclusionRanges(seq - 1, newest.size)), head: newest }
    },
    async ofReport(report) {
      const newest = await head()
      if (newest === undefined) return undefined
      const tile = readOnce(seals.tile)
      const own = await placed(report, newest, tile)
      if (own === undefined) return undefined
      const newer = newerOf(report)
      const supersededBy = newer && (await placed(newer, newest, tile))
      return {
        is: 'frostline-seal',
        v: 1,
        ...own,
        head: newest,
        ...(supersededBy && { supersededBy }),
        keys: keysOf(log),
      }
    },
  }
}

const hashes = (tile: ReadTile, ranges: readonly LeafRange[]): Promise<string[]> =>
  Promise.all(ranges.map(async (range) => hexOf(await rootOfRange(tile, range))))

async function leafAt(tile: ReadTile, index: number): Promise<string> {
  const bytes = (await tile(0, Math.floor(index / TILE))) ?? new Uint8Array(0)
  const start = (index % TILE) * HASH_BYTES
  return hexOf(bytes.subarray(start, start + HASH_BYTES))
}
