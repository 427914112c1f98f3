import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { choiceIn, type Result } from './choice.ts'
import { type Course, courseOf } from './course.ts'
import { inWords } from './in-words.ts'

/** Tells what becomes of each path as it is walked, and keeps it in a file for whoever asked. */
export default class PathReporter implements Reporter {
  #results: Result[] = []
  #place = ''
  #broken: string[] = []

  onBegin(_: unknown, suite: Suite): void {
    const { url } = choiceIn(process.env)
    const count = suite.allTests().length
    console.log(`Walking ${count} path${count === 1 ? '' : 's'} on ${url ?? 'an app started for it'}`)
  }

  /** What is no path's fault: the walk itself could not be read. */
  onError({ message = '' }: TestError): void {
    this.#broken.push(inWords(message).expected)
    console.log(message)
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const course = courseOf(result) ?? courseFrom(test)
    const place = [course.machine, course.place].filter(Boolean).join(', ')
    if (place !== this.#place) console.log(`\n${place}`)
    this.#place = place
    const outcome = resultOf(course, result)
    this.#results.push(outcome)
    console.log(
      `  ${outcome.ok ? 'ok    ' : 'FAILED'} ${course.title} (${(result.duration / 1000).toFixed(1)} s)`,
    )
    for (const line of failureLines(outcome)) console.log(`         ${line}`)
  }

  onEnd(): void {
    writeFileSync(choiceIn(process.env).results, JSON.stringify(this.#results))
    const failed = this.#results.filter(({ ok }) => !ok).length
    const walked = new Set(
      this.#results
        .filter(({ ok }) => ok)
        .flatMap(({ machine, takes }) => takes.map((one) => `${machine} ${one}`)),
    )
    console.log(
      `\n${this.#results.length - failed} paths ok, ${failed} failed; ${walked.size} transitions walked`,
    )
  }

  printsToStdio(): boolean {
    return true
  }
}

/** Of a test that ended before it could say anything: its titles do. */
function courseFrom(test: TestCase): Course {
  const [, , , machine = '', ...inner] = test.titlePath()
  const place = inner.slice(0, -1).join(', ')
  return { machine, place, title: test.title, sentences: [], takes: [], takesAt: [], step: null, at: null }
}

function resultOf(course: Course, { status, duration, errors, attachments }: TestResult): Result {
  const { machine, place, title, sentences, takes } = course
  const ok = status === 'passed'
  const outcome = { machine, place, title, sentences, takes, ok, milliseconds: Math.round(duration) }
  if (ok) return { ...outcome, failure: null }
  const fileOf = (name: string) => {
    const path = attachments.find((one) => one.name === name)?.path
    return path === undefined ? null : relative(process.cwd(), path)
  }
  const trace = fileOf('trace')
  const { expected, seen } = inWords(errors.map(({ message = '' }) => message).join('\n'))
  return {
    ...outcome,
    failure: {
      step: course.step,
      transitions: course.step === null ? [] : (course.takesAt[course.step] ?? []),
      expected,
      seen: course.at === null ? seen : `${seen}, on ${course.at}`,
      screenshot: fileOf('screenshot'),
      trace,
      look: trace === null ? null : `npx playwright show-trace ${trace}`,
    },
  }
}

function failureLines({ failure, sentences }: Result): string[] {
  if (failure === null) return []
  const { step, transitions, expected, seen, screenshot, trace, look } = failure
  const files = { screenshot, trace, look }
  return [
    step === null ? 'before the path began' : `step ${step}: ${sentences[step]}`,
    ...transitions.map((name) => `transition: ${name}`),
    `expected: ${expected}`,
    `seen: ${seen}`,
    ...Object.entries(files).flatMap(([name, file]) => (file === null ? [] : [`${name}: ${file}`])),
  ]
}
