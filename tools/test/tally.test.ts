import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tallyFaults, tallyPlaywright, tallyRun, tallyVitest } from './tally.ts'

const folder = mkdtempSync(join(tmpdir(), 'tally-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const vitest = (counts: Partial<Parameters<typeof tallyVitest>[0]>) => ({
  numPassedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...counts,
})

const playwright = (stats: object, errors: { message?: string }[] = []) => ({
  stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  suites: [] as Parameters<typeof tallyPlaywright>[0]['suites'],
  errors,
})

test('what was skipped or left to do did not pass', () => {
  expect(tallyVitest(vitest({ numPassedTests: 5, numPendingTests: 2, numTodoTests: 1 }))).toEqual({
    passed: 5,
    failed: 3,
    skipped: 3,
    failures: [],
  })
  expect(tallyPlaywright(playwright({ expected: 4, skipped: 1 }))).toEqual({
    passed: 4,
    failed: 1,
    skipped: 1,
    failures: [],
  })
})

test('a file that does not load is one failed test, a failed test is counted once, each with its line', () => {
  const report = vitest({
    numPassedTests: 1,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: "Cannot find './b.ts'\nstack", assertionResults: [] },
      {
        name: 'c.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'it holds', failureMessages: [] },
          {
            status: 'failed',
            fullName: 'two is one',
            failureMessages: ['\u001b[31mexpected 2 to be 1\u001b[39m\n at c'],
          },
        ],
      },
    ],
  })
  expect(tallyVitest(report)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: ["a.test.ts › Cannot find './b.ts'", 'c.test.ts › two is one › expected 2 to be 1'],
  })
})

test('a browser test that passed at a second try failed', () => {
  expect(tallyPlaywright(playwright({ expected: 3, flaky: 1, unexpected: 1 }, [{}]))).toMatchObject({
    passed: 3,
    failed: 3,
  })
})

test('a browser test that failed is named wherever it stands', () => {
  const spec = (title: string, ok: boolean, message?: string) => ({
    title,
    ok,
    file: 'map.spec.ts',
    tests: [{ results: [{ ...(message && { error: { message } }) }] }],
  })
  const suites = [
    { specs: [spec('it opens', true)], suites: [{ specs: [spec('it pans', false, 'Timeout\nlong')] }] },
  ]
  const { failures } = tallyPlaywright({ ...playwright({ expected: 1, unexpected: 1 }), suites })
  expect(failures).toEqual(['map.spec.ts › it pans › Timeout'])
})

test('each fault is a test that held or did not', () => {
  const kill = { fault: 'kill', tried: '3 kills', held: true, lost: [] }
  expect(tallyFaults([kill, { ...kill, held: false, lost: ['reading 7'] }, kill])).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: ['kill › reading 7'],
  })
})

test('a runner that left no report failed', () => {
  expect(tallyRun(join(folder, 'none.json'), 0, tallyPlaywright)).toMatchObject({ passed: 0, failed: 1 })
  writeFileSync(join(folder, 'begun.json'), '')
  expect(tallyRun(join(folder, 'begun.json'), 0, tallyFaults)).toMatchObject({ passed: 0, failed: 1 })
})

test('a runner that fails, or finds nothing, without naming a test failed once', () => {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(playwright({ expected: 3 })))
  expect(tallyRun(file, 1, tallyPlaywright)).toMatchObject({ passed: 3, failed: 1 })
  expect(tallyRun(file, 0, tallyPlaywright)).toMatchObject({ passed: 3, failed: 0 })
  writeFileSync(file, JSON.stringify(playwright({})))
  expect(tallyRun(file, 0, tallyPlaywright)).toMatchObject({ passed: 0, failed: 1 })
})
