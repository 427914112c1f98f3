import { existsSync, readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** How many tests of one runner held and how many did not, and a line for each of those. What was skipped did not hold. */
export type Tally = { passed: number; failed: number; skipped: number; failures: string[] }

type VitestReport = {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] | null }[]
  }[]
}

type PlaywrightSuite = {
  specs: {
    ok: boolean
    title: string
    file: string
    tests: { results: { error?: { message?: string } }[] }[]
  }[]
  suites?: PlaywrightSuite[]
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
  errors: { message?: string }[]
}

/** Counts vitest's JSON report. A file that could not even be loaded counts as one failed test. */
export function tallyVitest(report: VitestReport): Tally {
  const failures = report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed')
      return tests.length === 0
        ? [failure(name, '', message)]
        : tests.map((test) => failure(name, test.fullName, test.failureMessages?.[0]))
    })
  const skipped = report.numPendingTests + report.numTodoTests
  return { passed: report.numPassedTests, failed: failures.length + skipped, skipped, failures }
}

/** Counts Playwright's JSON report. Errors outside a test count as one failed test each. */
export function tallyPlaywright(report: PlaywrightReport): Tally {
  const { expected, unexpected, flaky, skipped } = report.stats
  const failed = unexpected + flaky + skipped + report.errors.length
  const failures = [
    ...report.suites.flatMap(specsOf).map(({ file, title, tests }) => {
      const results = tests.flatMap((test) => test.results)
      return failure(file, title, results.find(({ error }) => error)?.error?.message)
    }),
    ...report.errors.map(({ message }) => failure('', '', message)),
  ]
  return { passed: expected, failed, skipped, failures }
}

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs.filter(({ ok }) => !ok), ...suites.flatMap(specsOf)]
}

/** Counts what `npm run faults -- --report` wrote: each fault is one test. */
export function tallyFaults(
  report: readonly { fault: string; held: boolean; tried: string; lost: readonly string[] }[],
): Tally {
  const failed = report.filter(({ held }) => !held)
  const failures = failed.map(({ fault, tried, lost }) => failure(fault, '', lost[0] ?? tried))
  return { passed: report.length - failed.length, failed: failed.length, skipped: 0, failures }
}

/** One line: where, which test, and the first line of what it said. */
function failure(place: string, test: string, message = ''): string {
  const firstLine = stripVTControlCharacters(message).trim().split('\n')[0]?.slice(0, 300)
  return [place, test, firstLine].filter(Boolean).join(' › ')
}

/**
 * Reads a runner's report and holds it against the runner's exit code: a runner that fails without naming a test
 * (no report, nothing found, an error between tests) counts as one failed test.
 */
export function tallyRun<Report>(file: string, exitCode: number, count: (report: Report) => Tally): Tally {
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (written === '') return { passed: 0, failed: 1, skipped: 0, failures: ['it left no report'] }
  const tally = count(JSON.parse(written) as Report)
  const unnamed = tally.failed === 0 && (exitCode !== 0 || tally.passed === 0)
  return unnamed ? { ...tally, failed: 1, failures: [`no test failed, its exit code is ${exitCode}`] } : tally
}
