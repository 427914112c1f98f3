import { array, type Infer, is, number, string, type } from 'superstruct'
import type { Clock } from '#machines/contracts/clock.ts'
import { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import type { SharedValues } from '../../cluster/cluster.ts'
import { createTurns } from '../../cluster/turns.ts'
import { importFileName, type ReportFiles } from '../../store/report-files.ts'
import { createBeats } from '../beats.ts'

/**
 * A list of devices that was sent, as all nodes know it. `userId`: who sent it; `node`: where it was worked on last; `keptUntil`: epoch
 * ms, after which it is forgotten.
 */
const SentList = type({ job: DeviceImport, userId: string(), node: string(), keptUntil: number() })
export type SentList = Infer<typeof SentList>
const SentLists = array(SentList)

/** The last lists of each company, as a value that all nodes share. */
export type CompanyLists = {
  /** the one touched last is the last; what another node was at when it ended says that it stopped */
  of(companyId: string): SentList[]
  /** puts one among them, in place of what it was, in the order of the calls; the oldest make room. Rejects with StoreUnavailable */
  put(companyId: string, list: SentList): Promise<void>
  /** asks the node that works on one to stop. Rejects with StoreUnavailable */
  askToStop(companyId: string, id: string): Promise<void>
  /** answers how to stop listening */
  listen(heard: { lists(companyId: string): void; stop(id: string): void }): () => void
}

type Deps = {
  values: SharedValues
  files: Pick<ReportFiles, 'remove'>
  node: string
  clock: Clock
  /** whether this node works on one */
  worksOn(id: string): boolean
  report(error: unknown): void
}

/** so that nobody can push out what others are about to take */
const MOST_OF_COMPANY = 5
export const STOPPED = 'The server ended while it was at this list. Try again: what is added already stays.'

const LISTS = 'imports.'
const STOP = 'imports-stop.'

/** Whether a node works at it, as it said last: it may have ended since. */
export const isUnderWay = ({ state }: Pick<DeviceImport, 'state'>): boolean =>
  state === 'reading' || state === 'adding'

/** As one says that can be tried again. */
export const stoppedBecause = (reason: string) => ({ state: 'failed', reason, canRetry: true }) as const

export function createCompanyLists({ values, files, node, clock, worksOn, report }: Deps): CompanyLists {
  const beats = createBeats()
  const inTurn = createTurns()

  const isOver = (companyId: string, { job, node: worker }: SentList): boolean =>
    isUnderWay(job) && (worker === node ? !worksOn(job._id) : beats.isSilent(companyId))
  const isKept = ({ job, keptUntil }: SentList): boolean => isUnderWay(job) || keptUntil > clock.now()

  function of(companyId: string): SentList[] {
    const value = values.get(`${LISTS}${companyId}`)
    const lists = is(value, SentLists) ? value : []
    return lists
      .map((list) =>
        isOver(companyId, list) ? { ...list, job: { ...list.job, ...stoppedBecause(STOPPED) } } : list,
      )
      .filter(isKept)
  }

  async function put(companyId: string, list: SentList): Promise<void> {
    const { _id } = list.job
    const all = [...of(companyId).filter(({ job }) => job._id !== _id), { ...list, job: { ...list.job } }]
    const kept = all.slice(-MOST_OF_COMPANY)
    await values.set(`${LISTS}${companyId}`, kept)
    for (const { job, keptUntil } of all.slice(0, -kept.length))
      files.remove(importFileName(job._id, keptUntil)).catch(report)
  }

  return {
    of,
    put: (companyId, list) => inTurn(companyId, () => put(companyId, list)),
    askToStop: (companyId, id) => values.set(`${STOP}${companyId}`, id),
    listen: (heard) =>
      values.onChange((name, value) => {
        if (name.startsWith(LISTS)) {
          const companyId = name.slice(LISTS.length)
          beats.heard(companyId)
          heard.lists(companyId)
        } else if (name.startsWith(STOP) && typeof value === 'string') heard.stop(value)
      }),
  }
}
