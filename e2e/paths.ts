import { fewest } from '#machines/testing/choosing.ts'
import type { Path, PathStep, Walk } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { sentencesOf, titleOf } from '#machines/testing/prose.ts'
import { type App, expect, test, type Visitor } from './app.ts'
import { keepWalked } from './covered.ts'
import { driven, driverOf } from './drivers/driven.ts'
import type { Driver, Scene, Way } from './drivers/driver.ts'

/**
 * As many of the paths generated from a machine as it takes to be on every transition, each as a test: a visitor of the
 * real app walks it, and after each step the screen must be the one the machine says. One more test fails when a
 * transition is on no path that the driver doesn't excuse. `npm run paths -- <machine> --run` walks all of them.
 */
export function walkWithDriver(machine: string, driver: Driver): void {
  withDriver(machine, driver, (way) => {
    const found = walk(way.model, { avoid: Object.keys(way.cannot ?? {}) })
    const paths = fewest(found.paths)
    if (way.isOneVisit)
      test(`${paths.length} paths in one visit`, async ({ visitor, app }) => {
        for (const path of paths)
          await test.step(titleOf(way.model, path), () => take(path, way, visitor, app))
      })
    else
      for (const path of paths)
        test(titleOf(way.model, path), ({ visitor, app }) => take(path, way, visitor, app))
    test('every transition is walked', () => isWalked(found, paths, way))
  })
}

/** Walks on their drivers the machines that are chosen, but for those that are kept apart. */
export async function walkDrivers(isChosen: (machine: string) => boolean): Promise<void> {
  for (const machine of driven().filter(isChosen)) {
    const driver = await driverOf(machine)
    if (!driver.isApart) walkWithDriver(machine, driver)
  }
}

/** Says where tests are run: each of them in a window like the driver's, under a clock like the driver's. */
export function withDriver(
  machine: string,
  { clock, viewport, isMapDrawn = true, ways }: Driver,
  tests: (way: Way) => void,
): void {
  test.describe(machine, () => {
    test.use({ isMapDrawn, ...(viewport && { viewport }) })
    let ran = false
    test.beforeAll(async ({ app }) => {
      ran = !(await app.sim.status()).paused
      if (clock === 'stands') await app.sim.pause()
      else await app.sim.resume()
    })
    test.afterAll(({ app }) => (ran ? app.sim.resume() : app.sim.pause()))
    for (const way of ways) {
      if (way.name === undefined) tests(way)
      else test.describe(way.name, () => tests(way))
    }
  })
}

/**
 * A visitor takes a path step by step, and looks at the screen after each.
 * @param begins told the number of each step before it is taken; the start is 0
 */
export async function take(
  path: Path,
  way: Way,
  visitor: Visitor,
  app: App,
  begins?: (step: number) => void,
): Promise<void> {
  const sentences = sentencesOf(way.model, path)
  const scene = await way.enter(visitor, app, path)
  try {
    for (const [i, step] of path.steps.entries()) {
      begins?.(i)
      await test.step(sentences[i] ?? '', async () => {
        if (i > 0) await bringAbout(scene, step, path.steps[i + 1])
        await scene.shows(step)
      })
    }
    // it runs on the server: what windows do tells nothing of it
    if (way.model.kind === 'domain') keepWalked(way.model.name, path, test.info().file)
  } finally {
    await scene.leave?.()
  }
}

async function bringAbout({ events }: Scene, step: PathStep, next: PathStep | undefined): Promise<void> {
  const event = events[step.event.type]
  if (event === undefined) throw new Error(`Nobody has said how ${step.event.type} comes about`)
  await event(step, next)
}

function isWalked({ transitions }: Walk, paths: readonly Path[], { cannot = {} }: Way): void {
  const walked = new Set(paths.flatMap(({ takes }) => takes))
  const left = transitions.filter((one) => !walked.has(one))
  expect(left.toSorted()).toEqual(Object.keys(cannot).toSorted())
}
