import type { Page } from '@playwright/test'
import { sentencesOf, titleOf } from '#machines/testing/prose.ts'
import { test } from '../app.ts'
import { driverOf } from '../drivers/driven.ts'
import { take, withDriver } from '../paths.ts'
import { choiceIn, chosenPaths } from './choice.ts'
import { type Course, noted } from './course.ts'

/** The paths somebody chose with `npm run paths -- --run`, in a browser. */
const choice = choiceIn(process.env)
test.use({ world: { of: 'chosen', devices: 60, ...(choice.url !== null && { url: choice.url }) } })

for (const machine of choice.machines)
  withDriver(machine, await driverOf(machine), (way) => {
    for (const [i, path] of chosenPaths(way, choice).entries()) {
      const title = `${i + 1}. ${titleOf(way.model, path)}`
      test(title, async ({ visitor, app }, testInfo) => {
        const { takes, takesAt } = path
        const sentences = sentencesOf(way.model, path)
        const course: Course = {
          machine,
          place: way.name ?? '',
          title,
          sentences,
          takes,
          takesAt,
          step: null,
          at: null,
        }
        const note = noted(testInfo)
        note(course)
        try {
          await take(path, way, visitor, app, (step) => {
            course.step = step
            note(course)
          })
        } catch (error) {
          note({ ...course, at: await whereabouts(visitor.page) })
          throw error
        }
      })
    }
  })

/** Where the visitor is, as they would say it. */
async function whereabouts(page: Page): Promise<string | null> {
  if (page.isClosed()) return null
  const { pathname } = new URL(page.url())
  const heading = page.getByRole('heading').first()
  const title = await heading.textContent({ timeout: 500 }).catch(() => null)
  return title ? `${pathname}, headed “${title.trim()}”` : pathname
}
