import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { decodeJson } from '#machines/contracts/decode.ts'
import { ScenarioFile } from '#machines/contracts/scenario.ts'

const root = resolve(import.meta.dirname, '../..')
const demo = join(root, 'fixtures/scenarios/demo.json')

/**
 * The demo with one company alone, so that its operator sees every device: `DEVICES=100000` are then 100,000 on the
 * screen, not four fifths of them.
 * @param changes what is otherwise than in the demo
 * @returns path of the scenario file
 */
export function writeOneCompany(
  companyId = 'indus',
  changes: Partial<Pick<ScenarioFile, 'start' | 'reportSeconds' | 'historyDays'>> = {},
): string {
  const { corridorFiles, placeFiles, ...scenario } = decodeJson(
    readFileSync(demo, 'utf8'),
    ScenarioFile,
    demo,
  )
  const folder = join(root, '.cache/bench')
  const file = join(folder, `${[companyId, ...Object.values(changes)].join('-')}.json`)
  const moved = (path: string): string => relative(folder, resolve(root, 'fixtures/scenarios', path))
  const isOurs = (one: { companyId: string }): boolean => one.companyId === companyId
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    file,
    JSON.stringify({
      ...scenario,
      ...changes,
      name: `${scenario.name}, one company`,
      corridorFiles: corridorFiles.map(moved),
      placeFiles: placeFiles.map(moved),
      companies: scenario.companies.filter(({ id }) => id === companyId),
      users: scenario.users.filter(isOurs),
      fleets: scenario.fleets.filter(isOurs),
      trackers: scenario.trackers.filter(isOurs),
      scriptedFaults: scenario.scriptedFaults.filter(({ fleet }) =>
        scenario.fleets.some((one) => isOurs(one) && one.id === fleet),
      ),
      events: scenario.events.filter(
        (event) =>
          !('userName' in event) ||
          scenario.users.some((one) => isOurs(one) && one.userName === event.userName),
      ),
      // they are of the demo's own devices and companies
      outcomes: [],
    }),
  )
  return file
}
