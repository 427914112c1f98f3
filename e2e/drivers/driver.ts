import type { ViewportSize } from '@playwright/test'
import type { Path, PathModel, PathStep } from '#machines/testing/path-model.ts'
import type { App, Visitor } from '../app.ts'

/**
 * How a machine is walked in the portal. `<machine>.driver.ts` in this folder, named as the machine's folder is, exports
 * one as `driver`; whoever walks finds it by that name.
 */
export type Driver = {
  /** whether the world's clock goes on while it is walked, or stands but for what the driver itself moves it on by */
  clock: 'runs' | 'stands'
  viewport?: ViewportSize
  /** false where nobody looks at the fleet's map */
  isMapDrawn?: boolean
  /** the suite does not walk it with others: where no spec of its own does, `npm run test:nightly` alone walks it */
  isApart?: boolean
  /** the places where the machine is met; those after the first usually differ in how one gets there */
  ways: readonly [Way, ...Way[]]
}

/** One place in the portal where a machine is met. */
export type Way = {
  /** where, if there are several: "with the link of a mail" */
  name?: string
  /** the machine's own, or with another input or samples where this place asks for them */
  model: PathModel
  /** the suite walks its paths one after the other in one visit, which `enter` must stand */
  isOneVisit?: boolean
  /** transitions nobody can take here, with `walk`'s names, and why; ways round them are found */
  cannot?: Readonly<Record<string, string>>
  /**
   * Brings the visitor to where all paths begin. The world may hold what other paths and other people left in it, so
   * that what a path needs for itself alone is made here.
   */
  enter(visitor: Visitor, app: DriverApp, path: Path): Promise<Scene>
}

/** What a driver may ask of the app: it may run on another machine. */
export type DriverApp = Pick<App, 'url' | 'port' | 'sim' | 'api'>

/** What a path looks like in the world, from its beginning on. */
export type Scene = {
  /** by its type: how an event comes about the way it does in the world; `next` is the step after it */
  events: Readonly<Record<string, (step: PathStep, next: PathStep | undefined) => unknown>>
  /** the screen is the one the machine says after this step, the start included */
  shows(step: PathStep): Promise<unknown>
  /** sets right what the next path or other people would stumble over */
  leave?(): Promise<unknown>
}

/** Whether such an event is ahead, for what must be so before the path begins. */
export function leadsTo({ steps }: Path, type: string): boolean {
  return steps.some(({ event }) => event.type === type)
}
