import { array, boolean, enums, type Infer, nullable, object, string, union } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'
import { Count } from '#machines/contracts/scalars.ts'
import { fewest, meantBy, pathTo } from '#machines/testing/choosing.ts'
import type { Path } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import type { Way } from '../drivers/driver.ts'

/** Which paths are walked, and where; `npm run paths -- --run` says so to the tests, by an environment variable. */
export const CHOICE = 'FROSTLINE_PATHS'

const Choice = object({
  machines: array(string()),
  /** null: shortest and transitions */
  by: nullable(
    union([enums(['shortest', 'transitions']), object({ walks: Count, length: Count, seed: Count })]),
  ),
  /** the whole name of a transition or a state */
  to: nullable(string()),
  fewest: boolean(),
  /** null: an app is started for it */
  url: nullable(string()),
  headed: boolean(),
  /** the file for what became of it */
  results: string(),
})
export type Choice = Infer<typeof Choice>

/** @throws Error when nothing was chosen */
export function choiceIn(env: NodeJS.ProcessEnv): Choice {
  const chosen = env[CHOICE]
  if (chosen === undefined) throw new Error('Nothing was chosen: npm run paths -- <machine> --run')
  return decode(JSON.parse(chosen), Choice, CHOICE)
}

/** The chosen paths as they are walked in one place: with its samples, round what nobody can do there. */
export function chosenPaths(
  { model, cannot = {} }: Way,
  choice: Pick<Choice, 'by' | 'to' | 'fewest'>,
): Path[] {
  const { by, to } = choice
  const found = walk(model, { avoid: Object.keys(cannot), ...(by !== null && { by }) })
  if (to === null) return choice.fewest ? fewest(found.paths) : found.paths
  const [name] = meantBy(found, to)
  const path = name === undefined ? undefined : pathTo(model, found, name)
  return path === undefined ? [] : [path]
}

/** What became of a path. */
export const Result = object({
  machine: string(),
  /** the place in the portal, '' where the machine is met in one only */
  place: string(),
  title: string(),
  /** each step as a sentence, the start first */
  sentences: array(string()),
  takes: array(string()),
  ok: boolean(),
  milliseconds: Count,
  failure: nullable(
    object({
      /** of the sentences, from 0; null: it failed before the path began */
      step: nullable(Count),
      /** the transitions that the step takes */
      transitions: array(string()),
      expected: string(),
      seen: string(),
      /** files; null where there is none */
      screenshot: nullable(string()),
      trace: nullable(string()),
      /** how to look at the trace */
      look: nullable(string()),
    }),
  ),
})
export type Result = Infer<typeof Result>
export const Results = array(Result)
