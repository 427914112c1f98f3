import { existsSync, readFileSync } from 'node:fs'

/** How many tests of one runner held and how many did not. What was skipped did not hold. */
export type Tally = { passed: number; failed: number; skipped: number }

type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** Counts vitest's JSON report. A file that could not even be loaded counts as one failed test. */
export function tallyVitest(report: VitestReport): Tally {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const skipped = report.numPendingTests + report.numTodoTests
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded + skipped, skipped }
}

/** Counts Playwright's JSON report. Errors outside a test count as one failed test each. */
export function tallyPlaywright(report: PlaywrightReport): Tally {
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky + skipped + report.errors.length, skipped }
}

/** Counts what `npm run faults -- --report` wrote: each fault is one test. */
export function tallyFaults(report: readonly { held: boolean }[]): Tally {
  const passed = report.filter(({ held }) => held).length
  return { passed, failed: report.length - passed, skipped: 0 }
}

/**
 * Reads a runner's report and holds it against the runner's exit code: a runner that fails without naming a test
 * (no report, nothing found, an error between tests) counts as one failed test.
 */
export function tallyRun<Report>(file: string, exitCode: number, count: (report: Report) => Tally): Tally {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const tally = count(JSON.parse(readFileSync(file, 'utf8')) as Report)
  const unnamed = tally.failed === 0 && (exitCode !== 0 || tally.passed === 0)
  return unnamed ? { ...tally, failed: 1 } : tally
}
