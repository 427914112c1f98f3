import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take ten seconds and more, the longest first: one that began last would keep all others waiting. */
export const LONG: readonly string[] = [
  'simulator/scenarios/large-customer.test.ts',
  'simulator/with-server/malformed.test.ts',
  'simulator/with-server/authorization.test.ts',
  'simulator/with-server/main.test.ts',
  'server/admin-command.test.ts',
  'simulator/scenarios/scenarios.test.ts',
  'simulator/with-server/scheduled-mails.test.ts',
  'simulator/with-server/app.test.ts',
  'simulator/director/script.test.ts',
]

/** Files in the order in which all are done soonest; those that are not long as Vitest has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const rank = LONG.indexOf(relative(project.config.root, moduleId))
      return rank < 0 ? LONG.length : rank
    }
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
