import type { Clock } from '#machines/contracts/clock.ts'
import { type BudgetColumns, LOAD_STATES } from '#machines/contracts/entities/loads.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import { loadOn, loadStateOf } from '#machines/projections/loads.ts'
import type { Budgets } from '../../evaluation/budgets/budgets.ts'

/** What is shown of the load on a device, and with which revision it became so. `loadId` null: it carries none any more. */
type Shown = {
  revision: number
  loadId: string | null
  state: number
  percent: number
  most: number
  exhaustsAt: number
}

const MINUTE = 60_000
/** Revisions of one run of the server are not those of another: the first says when it began, and there are never so many a ms. */
const REVISIONS_A_MS = 100

/**
 * The budgets of all devices as their columns are shown, brought up to date when somebody asks: what changed since a revision is then a
 * look through one list.
 */
export function createBudgetColumns(
  directory: Directory,
  budgets: Pick<Budgets, 'of'>,
  clock: Clock,
): (groupId: string, since: number | undefined) => BudgetColumns {
  const shown = new Map<number, Shown>()
  let revision = Math.floor(clock.now()) * REVISIONS_A_MS
  let structure = directory.version
  /** the first revision of the present structure: after one before it everything is sent anew */
  let first = revision

  function refresh(): void {
    const { open } = directory.loads
    const next = revision + 1
    for (const [deviceNo, one] of shown)
      if (one.loadId !== null && !open.has(deviceNo))
        shown.set(deviceNo, { revision: next, loadId: null, state: -1, percent: -1, most: -1, exhaustsAt: 0 })
    for (const [deviceNo, loadId] of open) {
      const load = loadOn(directory.loads, deviceNo)
      if (load === undefined) continue
      const { status } = budgets.of(loadId)
      const state = LOAD_STATES.indexOf(loadStateOf(load, status))
      const percent = percentOf(status?.percent)
      const most = percentOf(status?.most)
      const at = status?.exhaustsAt ?? Number.POSITIVE_INFINITY
      const exhaustsAt = Number.isFinite(at) ? Math.round(at / MINUTE) * MINUTE : 0
      const before = shown.get(deviceNo)
      const isSame =
        before?.loadId === loadId &&
        before.state === state &&
        before.percent === percent &&
        before.most === most &&
        before.exhaustsAt === exhaustsAt
      if (!isSame) shown.set(deviceNo, { revision: next, loadId, state, percent, most, exhaustsAt })
    }
    for (const one of shown.values()) if (one.revision === next) revision = next
    if (directory.version === structure) return
    structure = directory.version
    revision = next
    first = next
  }

  return (groupId, since) => {
    refresh()
    const isWhole = since === undefined || since < first || since > revision
    const columns: BudgetColumns = {
      ...{ revision, isWhole, told: 0, device: [], state: [], percent: [], most: [], exhaustsAt: [] },
    }
    const isSeen = seenIn(directory, groupId)
    // also of loads that are over, which people go on to review
    for (const [deviceNo, changed] of directory.loads.newest)
      if (changed > columns.told && isSeen(deviceNo)) columns.told = changed
    for (const [deviceNo, one] of shown) {
      if (!isSeen(deviceNo)) continue
      if (isWhole ? one.loadId === null : one.revision <= since) continue
      columns.device.push(deviceNo)
      columns.state.push(one.state)
      columns.percent.push(one.percent)
      columns.most.push(one.most)
      columns.exhaustsAt.push(one.exhaustsAt)
    }
    return columns
  }
}

const percentOf = (percent = Number.NaN): number => (Number.isNaN(percent) ? -1 : Math.floor(percent))

/** Whether a device is in or below a group; each group is looked up once. */
export function seenIn(directory: Directory, topId: string): (deviceNo: number) => boolean {
  const known = new Map<string | null, boolean>()
  return (deviceNo) => {
    const groupId = directory.devices[deviceNo]?.groupId ?? null
    const before = known.get(groupId)
    if (before !== undefined) return before
    const isIn = isWithin(directory, groupId, topId)
    known.set(groupId, isIn)
    return isIn
  }
}
