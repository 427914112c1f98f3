import type { Path, PathModel, PathStep } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { type App, expect, test, type Visitor } from './app.ts'

/** What a path looks like in the world. */
export type Stage = {
  /** by its type: how an event comes about the way it does in the world; `next` is the step after it */
  events: Readonly<Record<string, (step: PathStep, next: PathStep | undefined) => unknown>>
  /** the screen is the one the machine says after this step, the start included */
  shows(step: PathStep): Promise<unknown>
}

type Options = {
  /** the transitions no visitor of this screen can take, with `walk`'s names */
  without?: readonly string[]
  /** no more paths than it takes to be on every transition */
  isShort?: boolean
}

/**
 * Each path generated from a machine as a test: a visitor of the real app walks it, and after each step the screen must
 * be the one the machine says. One more test fails when a transition is on no path.
 * @param enter brings the visitor to where all paths begin
 */
export function walkInBrowser(
  model: PathModel,
  enter: (visitor: Visitor, app: App, path: Path) => Promise<Stage>,
  { without = [], isShort = false }: Options = {},
): void {
  const found = walk(model)
  const paths = isShort ? fewest(found.paths) : found.paths

  for (const path of paths)
    test(wordsOf(model, path), async ({ visitor, app }) => {
      const stage = await enter(visitor, app, path)
      for (const [i, step] of path.steps.entries()) {
        if (i > 0) await bringAbout(stage, step, path.steps[i + 1])
        await stage.shows(step)
      }
    })

  test('every transition is walked', () => {
    const walked = new Set(paths.flatMap(({ takes }) => takes))
    expect(found.transitions.filter((one) => !walked.has(one))).toEqual(without)
  })
}

/** Whether such an event is ahead, for what must be so before the path begins. */
export function leadsTo({ steps }: Path, type: string): boolean {
  return steps.some(({ event }) => event.type === type)
}

async function bringAbout({ events }: Stage, step: PathStep, next: PathStep | undefined): Promise<void> {
  const event = events[step.event.type]
  if (event === undefined) throw new Error(`Nobody has said how ${step.event.type} comes about`)
  await event(step, next)
}

/** Again and again the path with the most transitions that are on none before it. */
function fewest(paths: readonly Path[]): Path[] {
  const walked = new Set<string>()
  const gain = ({ takes }: Path) => new Set(takes.filter((one) => !walked.has(one))).size
  const chosen: Path[] = []
  for (;;) {
    const best = paths.reduce((one, other) => (gain(other) > gain(one) ? other : one))
    if (gain(best) === 0) return chosen
    chosen.push(best)
    for (const one of best.takes) walked.add(one)
  }
}

function wordsOf(model: PathModel, { steps }: Path): string {
  const [, ...rest] = steps
  const words = rest.map(({ event }) => model.describe?.(event) ?? event.type)
  return words.map((said) => said.replace(/^xstate\.after\.(\w+)\..*/, 'after $1')).join(', then ')
}
