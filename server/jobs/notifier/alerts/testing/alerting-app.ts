import type { FactData, FactOf, FactType, NewFact } from '#machines/contracts/facts.ts'
import { shelvingOf, wasShelved } from '#machines/projections/incidents.ts'
import { twoCompanies } from '../../../../commands/testing/company-facts.ts'
import { startProjecting } from '../../../../read-models/read-models.ts'
import { openSqliteStore } from '../../../../store/sqlite/open.ts'
import type { EventLog, Store } from '../../../../store/store.ts'
import type { Pauses } from '../../sending/pauses.ts'
import { startAlerts } from '../alerts.ts'

export const START = Date.parse('2026-06-15T04:00:00Z')
const MINUTE = 60_000

/** Ayesha (u1), Danish (u2) and Karim (u3) have chosen a password; Noor (u4) has not. */
const people: NewFact[] = [
  ...twoCompanies,
  ...['u1', 'u2', 'u3'].map(
    (userId): NewFact => ({
      type: 'user.password-set',
      at: 0,
      companyId: userId === 'u3' ? 'karakoram' : 'indus',
      data: { userId, hash: '$argon2id$' },
    }),
  ),
]

type Options = { log?: (log: EventLog) => EventLog; pauses?: Pick<Pauses, 'sleep'> }

/** A store with the people of the tests' company, and alerts that follow it, by a clock that the test turns. */
export async function openAlertingApp(options: Options = {}) {
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock })
  const readModels = startProjecting(store)
  const warnings: string[] = []
  await append(...people)
  /** of alerts that were killed, nothing more is kept */
  let isKilled = { yes: false }
  let alerts = start()
  let violations = 0

  function start() {
    const killed = { yes: false }
    isKilled = killed
    const checkpoints: Store['checkpoints'] = {
      ...store.checkpoints,
      save: (...args) => killed.yes || store.checkpoints.save(...args),
    }
    return startAlerts({
      store: { log: options.log?.(store.log) ?? store.log, checkpoints },
      readModels,
      clock,
      wasShelved: ({ data }) => wasShelved(readModels.attention.incidents, data.violationId),
      isShelved: ({ imei, type }, at) =>
        type !== 'BUDGET_EXHAUSTED' &&
        shelvingOf(readModels.attention.incidents, { imei, type }, at) !== undefined,
      isRepeat: ({ data }) => readModels.attention.violations.repeats.has(data.violationId),
      warn: (message) => warnings.push(message),
      // the test says when it looks at the clock, and when it saves
      lookMs: 1e9,
      saveMs: 1e9,
      uptime: () => clock.at,
      ...(options.pauses && { pauses: options.pauses }),
    })
  }
  async function append(...facts: NewFact[]): Promise<void> {
    const { facts: stored } = await store.log.append('registry', facts)
    await readModels.settled(stored.at(-1)?.seq ?? 0)
  }

  return {
    clock,
    store,
    readModels,
    warnings,
    append,
    get alerts() {
      return alerts
    },
    violation: (no: number, fields: Partial<FactData<'violation.opened'>> = {}) =>
      violationOf(`v-${++violations}`, no, clock.at, fields),
    foundLate: (no: number, fields: Partial<FactData<'violation.found-late'>> = {}): NewFact => {
      const { readings, ...opening } = violationOf(`v-${++violations}`, no, clock.at - 60 * MINUTE, {}).data
      const at = clock.at - 60 * MINUTE
      return {
        type: 'violation.found-late',
        at,
        companyId: 'indus',
        data: {
          ...opening,
          worst: 9.9,
          clearedAt: at + 5 * MINUTE,
          receivedFrom: clock.at,
          receivedTo: clock.at,
          readingsLate: 7,
          ...fields,
        },
      }
    },
    /** a load on a device, and that its budget is exhausted */
    exhausted(no: number): [NewFact, NewFact] {
      const opening = {
        loadId: `l-${++violations}`,
        imei: `35000000000000${no}`,
      }
      const about = { at: clock.at, companyId: 'indus' }
      return [
        {
          ...about,
          type: 'load.opened',
          data: {
            ...opening,
            profileId: 'medicines-2-8',
            version: 0,
            reference: 'Lot 7',
            userName: 'Ayesha',
          },
        },
        { ...about, type: 'load.exhausted', data: { ...opening, rule: 1, used: 1450, allowed: 1440 } },
      ]
    },
    /** late readings say that it never was */
    neverWas({ data, at, companyId }: NewFact): NewFact {
      const { violationId, imei, type, since, threshold, value } = data as FactData<'violation.opened'>
      const before = { since, openedAt: at, clearedAt: null, threshold, worst: value }
      const received = { receivedFrom: clock.at, receivedTo: clock.at, readingsLate: 0 }
      const about = { violationId, imei, type, before, after: null, ...received }
      return { type: 'violation.revised', at, companyId, data: about }
    },
    /** violations of these devices open, all at once */
    async open(...devices: number[]) {
      await append(...devices.map((no) => this.violation(no)))
      await alerts.settled()
    },
    async pass(minutes: number) {
      for (let i = 0; i < minutes; i++) {
        clock.at += MINUTE
        await alerts.settled()
      }
    },
    /** as after an orderly end */
    async restart() {
      await alerts.stop()
      alerts = start()
      await alerts.settled()
    },
    /** as after a power cut: nothing is saved at the end */
    async kill() {
      isKilled.yes = true
      await this.restart()
    },
    /** what was told: minutes after the start, to whom, of which facts */
    notified: () =>
      facts(store.log, 'alert.raised').map(
        ({ at, data: { userId, channel, about } }) =>
          [(at - START) / MINUTE, userId, channel, about] as const,
      ),
    async close() {
      await alerts.stop()
      readModels.stop()
      await store.close()
    },
  }
}

export const facts = <T extends FactType>(log: EventLog, type: T) =>
  log.readFacts(0, { types: [type], limit: 1e6 }).filter((fact): fact is FactOf<T> => fact.type === type)

function violationOf(
  violationId: string,
  no: number,
  at: number,
  fields: Partial<FactData<'violation.opened'>>,
): NewFact & { type: 'violation.opened' } {
  return {
    type: 'violation.opened',
    at,
    companyId: no === 4 ? 'karakoram' : 'indus',
    data: {
      violationId,
      imei: `35000000000000${no}`,
      type: 'HIGH_TEMPERATURE_DETECTED',
      threshold: 8,
      delaySeconds: 60,
      clearMargin: 0.5,
      since: at - MINUTE,
      value: 9.4,
      lat: 31.52,
      lng: 74.35,
      readings: [{ at, value: 9.4 }],
      ...fields,
    },
  }
}
