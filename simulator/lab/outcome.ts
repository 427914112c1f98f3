import { array, boolean, nullable, number, type as open, optional, string } from 'superstruct'
import type { LabRun } from '#machines/contracts/calls/lab-calls.ts'
import { decodeJson } from '#machines/contracts/decode.ts'

/** What is read of what `tools/paths/run.ts --run --format json` says. */
const WalkOutput = open({
  machines: array(
    open({
      skipped: optional(nullable(string())),
      runs: optional(
        array(
          open({
            ok: boolean(),
            sentences: array(string()),
            failure: nullable(
              open({
                step: nullable(number()),
                expected: string(),
                seen: string(),
                look: nullable(string()),
              }),
            ),
          }),
        ),
      ),
    }),
  ),
  broken: nullable(string()),
})

/** How a walk went, by what the script said at its end. */
export function outcomeOf(ended: {
  code: number | null
  output: string
  errors: string
}): Pick<LabRun, 'state' | 'failure'> {
  if (ended.output.trim() === '') return failed(ended.errors.trim() || `It ended with ${ended.code}`)
  const { machines, broken } = decodeJson(ended.output, WalkOutput, 'what the walk said')
  const failures = machines.flatMap(({ skipped, runs = [] }) => [
    ...(skipped ? [`It is not walked: ${skipped}`] : []),
    ...runs.flatMap(({ ok, sentences, failure }) => {
      if (ok) return []
      if (failure === null) return ['It failed, and did not say how.']
      const at = failure.step === null ? 'Before the path began' : (sentences[failure.step] ?? '')
      return [
        `${at}\nExpected: ${failure.expected}\nFound: ${failure.seen}${failure.look === null ? '' : `\n${failure.look}`}`,
      ]
    }),
  ])
  if (broken !== null) failures.push(broken)
  if (failures.length > 0) return failed(failures.join('\n'))
  if (ended.code !== 0) return failed(ended.errors.trim() || `It ended with ${ended.code}`)
  return { state: 'passed', failure: null }
}

const failed = (failure: string): Pick<LabRun, 'state' | 'failure'> => ({ state: 'failed', failure })
