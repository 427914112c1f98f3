import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tallyFaults, tallyPlaywright, tallyRun, tallyVitest } from './tally.ts'

const folder = mkdtempSync(join(tmpdir(), 'tally-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const vitest = (counts: Partial<Parameters<typeof tallyVitest>[0]>) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...counts,
})

const playwright = (stats: object, errors: unknown[] = []) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  errors,
})

test('what was skipped or left to do did not pass', () => {
  expect(tallyVitest(vitest({ numPassedTests: 5, numPendingTests: 2, numTodoTests: 1 }))).toEqual({
    passed: 5,
    failed: 3,
    skipped: 3,
  })
  expect(tallyPlaywright(playwright({ expected: 4, skipped: 1 }))).toEqual({
    passed: 4,
    failed: 1,
    skipped: 1,
  })
})

test('a file that does not load is one failed test, a failed test is counted once', () => {
  const report = vitest({
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  })
  expect(tallyVitest(report)).toMatchObject({ passed: 1, failed: 2 })
})

test('a browser test that passed at a second try failed', () => {
  expect(tallyPlaywright(playwright({ expected: 3, flaky: 1, unexpected: 1 }, [{}]))).toMatchObject({
    passed: 3,
    failed: 3,
  })
})

test('each fault is a test that held or did not', () => {
  expect(tallyFaults([{ held: true }, { held: false }, { held: true }])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
  })
})

test('a runner that left no report failed', () => {
  expect(tallyRun(join(folder, 'none.json'), 0, tallyPlaywright)).toMatchObject({ passed: 0, failed: 1 })
})

test('a runner that fails, or finds nothing, without naming a test failed once', () => {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(playwright({ expected: 3 })))
  expect(tallyRun(file, 1, tallyPlaywright)).toMatchObject({ passed: 3, failed: 1 })
  expect(tallyRun(file, 0, tallyPlaywright)).toMatchObject({ passed: 3, failed: 0 })
  writeFileSync(file, JSON.stringify(playwright({})))
  expect(tallyRun(file, 0, tallyPlaywright)).toMatchObject({ passed: 0, failed: 1 })
})
