import type { Fleet } from '../../read-model/fleet.ts'

export type Page = 'violations' | 'summary'

const kept = new WeakMap<Fleet, Map<Page, unknown>>()

/**
 * What was last asked for on a page, as long as the fleet, i.e. the session: who comes back from the notifications behind a
 * bar finds the chart as they left it.
 */
export const filterOf = <Filter>(fleet: Fleet, page: Page): Filter | undefined =>
  kept.get(fleet)?.get(page) as Filter | undefined

export function keepFilter(fleet: Fleet, page: Page, filter: unknown): void {
  kept.set(fleet, (kept.get(fleet) ?? new Map<Page, unknown>()).set(page, filter))
}
