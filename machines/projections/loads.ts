import type { LoadAction, LoadState } from '../contracts/entities/loads.ts'
import type { SignOff } from '../contracts/entities/sign-off.ts'
import type { Fact, FactData } from '../contracts/facts.ts'
import type { BudgetStatus } from '../rules/budget-status.ts'

/** What people and readings made of a load, as facts say; whether it is at risk is not among them: that is of the moment. */
export type LoadStage = 'within' | 'exhausted' | 'inReview' | 'released' | 'rejected' | 'closed'

/** Something that happened to a load. `at`: epoch ms. `userName` null: the readings did it. */
export type LoadHappening = Omit<LoadAction, 'at' | 'knownSince'> & { at: number; knownSince?: number }

/** A load of a device, whatever its tracker. Times in epoch ms; `changedAt`: position of the last fact about it. */
export type LoadRecord = {
  loadId: string
  companyId: string
  deviceNo: number
  profileId: string
  version: number
  reference: string
  openedAt: number
  openedBy: string
  closedAt: number | null
  stage: LoadStage
  exhausted: { at: number; rule: number; used: number; allowed: number } | null
  decision: { userName: string; at: number; reason: string; signOff?: SignOff } | null
  actions: LoadHappening[]
  changed: number
}

/**
 * `open`: by device number the load on it; `ofDevice`: all of a device, oldest first; `newest`: by device
 * number the position of the newest fact about any of its loads.
 */
export type Loads = {
  byId: Map<string, LoadRecord>
  open: Map<number, string>
  ofDevice: Map<number, string[]>
  newest: Map<number, number>
}

export const emptyLoads = (): Loads => ({
  byId: new Map(),
  open: new Map(),
  ofDevice: new Map(),
  newest: new Map(),
})

/** The facts about loads. */
export const LOAD_FACTS = [
  'load.opened',
  'load.exhausted',
  'load.revised',
  'load.review-begun',
  'load.released',
  'load.rejected',
  'load.closed',
] as const
export type LoadFact = Extract<Fact, { type: (typeof LOAD_FACTS)[number] }>

/** @param deviceNo undefined: the device is not known here, so the load is not either */
export function foldLoadOpened(
  { byId, open, ofDevice, newest }: Loads,
  { loadId, profileId, version, reference, userName }: FactData<'load.opened'>,
  deviceNo: number | undefined,
  { at, companyId, seq }: Pick<Fact, 'at' | 'companyId' | 'seq'>,
): void {
  if (deviceNo === undefined || companyId === null) return
  byId.set(loadId, {
    ...{ loadId, companyId, deviceNo, profileId, version, reference, openedAt: at, openedBy: userName },
    ...{ closedAt: null, stage: 'within', exhausted: null, decision: null, changed: seq },
    actions: [{ at, action: 'opened', userName, text: '' }],
  })
  open.set(deviceNo, loadId)
  newest.set(deviceNo, seq)
  const all = ofDevice.get(deviceNo)
  if (all === undefined) ofDevice.set(deviceNo, [loadId])
  else all.push(loadId)
}

/** Any fact about a load that there is. */
export function foldLoad(loads: Loads, fact: LoadFact): void {
  const load = loads.byId.get(fact.data.loadId)
  if (load === undefined || fact.type === 'load.opened') return
  const { at } = fact
  load.changed = fact.seq
  loads.newest.set(load.deviceNo, fact.seq)
  const note = (action: LoadAction['action'], userName: string | null, text = '') =>
    load.actions.push({ at, action, userName, text })
  switch (fact.type) {
    case 'load.exhausted': {
      const { rule, used, allowed, receivedAt } = fact.data
      load.exhausted = { at, rule, used, allowed }
      if (load.stage !== 'inReview') load.stage = 'exhausted'
      load.actions.push({
        ...{ at, action: 'exhausted', userName: null, text: '' },
        ...(receivedAt !== undefined && { knownSince: receivedAt }),
      })
      break
    }
    case 'load.revised': {
      const { after } = fact.data
      load.exhausted = after && {
        at: after.exhaustedAt,
        rule: after.rule,
        used: after.used,
        allowed: after.allowed,
      }
      if (load.stage === 'exhausted' && after === null)
        load.stage = load.closedAt === null ? 'within' : 'closed'
      note('revised', null, after === null ? 'Late readings say that it never was exhausted' : '')
      break
    }
    case 'load.review-begun':
      load.stage = 'inReview'
      note('review-begun', fact.data.userName)
      break
    case 'load.released':
    case 'load.rejected': {
      const { userName, reason, signOff } = fact.data
      const action = fact.type === 'load.released' ? 'released' : 'rejected'
      load.stage = action
      load.decision = { userName, at, reason, ...(signOff && { signOff }) }
      note(action, userName, reason)
      break
    }
    case 'load.closed':
      load.closedAt = at
      if (load.stage === 'within') load.stage = 'closed'
      if (loads.open.get(load.deviceNo) === load.loadId) loads.open.delete(load.deviceNo)
      note('closed', fact.data.userName)
  }
}

/** When people decided about it, in order, epoch ms. */
export const decisionsOf = ({ actions }: Pick<LoadRecord, 'actions'>): number[] =>
  actions.flatMap(({ action, at }) => (action === 'released' || action === 'rejected' ? at : []))

/** The load on a device now. */
export function loadOn({ byId, open }: Loads, deviceNo: number): LoadRecord | undefined {
  const loadId = open.get(deviceNo)
  return loadId === undefined ? undefined : byId.get(loadId)
}

/** Whether a load that is over was on a device at a time, epoch ms. */
export const isOverAt = ({ byId, ofDevice }: Loads, deviceNo: number, time: number): boolean =>
  (ofDevice.get(deviceNo) ?? []).some((loadId) => {
    const load = byId.get(loadId)
    return load !== undefined && load.closedAt !== null && load.openedAt <= time && time < load.closedAt
  })

/** What a load is now, as far as readings say it; `status` undefined: they are not reckoned yet. */
export function loadStateOf(
  { stage }: Pick<LoadRecord, 'stage'>,
  status: BudgetStatus | undefined,
): LoadState {
  if (stage === 'inReview') return 'in-review'
  return stage === 'within' ? (status?.state ?? 'within') : stage
}
