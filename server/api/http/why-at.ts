import type { NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import type { Device } from '#machines/projections/directory.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { type Cut, isKnownAt } from '../../read-models/cut.ts'
import { beginningOf } from '../../read-models/notification-of.ts'
import type { EventLog } from '../../store/store.ts'
import { historyAt } from './as-of.ts'
import { attentionAt } from './attention-at.ts'
import { factById, type WhyDeps, whyOf } from './notification-why.ts'
import { notFound } from './refusals.ts'

/** Why there is a violation, as of a time. @throws ApiError where it was not known then, or had not opened */
export async function whyAt(
  deps: WhyDeps,
  fact: ViolationFact,
  device: Device,
  topId: string,
  cut: Cut,
): Promise<NotificationWhy> {
  const { store, readModels } = deps
  const { seen, violations } = readModels.attention
  const isThere = cut.view === 'now' ? beginningOf(fact, violations).openedAt <= cut.at : isKnownAt(cut, fact)
  if (!isThere) throw notFound()
  const repeated = violations.acknowledged.get(violations.repeats.get(fact.data.violationId) ?? '')
  const other = repeated && factById(store.log, repeated.notificationId)
  const attention = await attentionAt(deps, other === undefined ? [fact] : [other, fact], cut)
  const { violation, ...why } = await whyOf(
    {
      ...deps,
      store: { ...store, log: logAt(store.log, cut) },
      readModels: { ...readModels, attention: { ...attention, seen } },
      keptHistory: historyAt(deps.keptHistory, cut),
      inForce: { directory: cut.directory, device: cut.directory.devices[device.no] ?? device },
    },
    fact,
    device,
    topId,
  )
  const isOver = violation.clearedAt !== null && Date.parse(violation.clearedAt) <= cut.at
  return {
    ...why,
    violation: isOver ? violation : { ...violation, clearedAt: null, worst: null, clearReason: null },
  }
}

/** What was not known yet is not in it. */
const logAt = (log: EventLog, cut: Cut): EventLog => ({
  ...log,
  readFacts: (after, options) => log.readFacts(after, options).filter((fact) => isKnownAt(cut, fact)),
})
