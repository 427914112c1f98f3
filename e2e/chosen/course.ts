import type { TestInfo } from '@playwright/test'

/** How far a path was walked: what the walking test tells the reporter. */
export type Course = {
  machine: string
  place: string
  title: string
  sentences: string[]
  takes: string[]
  takesAt: string[][]
  /** the step that was begun last, null before the first */
  step: number | null
  /** where in the portal it failed */
  at: string | null
}

const COURSE = 'course'
type Annotated = { annotations: { type: string; description?: string }[] }

/** Keeps the newest word on a path's course with its test. */
export function noted(testInfo: TestInfo): (course: Course) => void {
  const annotation: { type: string; description?: string } = { type: COURSE }
  testInfo.annotations.push(annotation)
  return (course) => {
    annotation.description = JSON.stringify(course)
  }
}

/** The newest word; nothing where the test didn't come to say any. */
export function courseOf({ annotations }: Annotated): Course | undefined {
  const description = annotations.findLast(({ type }) => type === COURSE)?.description
  return description === undefined ? undefined : (JSON.parse(description) as Course)
}
