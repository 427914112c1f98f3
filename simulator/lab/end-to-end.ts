import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type LabCoverage, SpecCoverage } from '#machines/contracts/calls/lab-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { merged } from '#machines/testing/coverage.ts'

/** Where the end-to-end tests of this checkout leave what they covered: a file a spec, each replaced by its next run. */
export const END_TO_END_DIR = resolve(import.meta.dirname, '../../.cache/coverage/e2e')

/**
 * What the end-to-end tests have covered, each spec by its last run; no specs where none were run here.
 * @throws Error with the file's name where one cannot be read
 */
export function readEndToEnd(dir: string = END_TO_END_DIR): LabCoverage {
  const specs = filesIn(dir).map((name) => readSpec(join(dir, name)))
  specs.sort((a, b) => a.at - b.at)
  return {
    specs: specs.map(({ spec, at }) => ({ spec, at })),
    taken: specs.reduce((all, { taken }) => merged(all, taken), {}),
  }
}

function filesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readSpec(file: string): SpecCoverage {
  try {
    return decode(JSON.parse(readFileSync(file, 'utf8')), SpecCoverage, 'coverage')
  } catch (error) {
    throw new Error(`${file} holds no coverage (${(error as Error).message}): remove it`)
  }
}
