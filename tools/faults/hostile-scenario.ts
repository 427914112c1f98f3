import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { decodeJson } from '#machines/contracts/decode.ts'
import { ScenarioFile } from '#machines/contracts/scenario.ts'

const demo = resolve(import.meta.dirname, '../../fixtures/scenarios/demo.json')

/**
 * The demo in which nearly everything is called by one of these names: what forms refuse comes in by a file all the same.
 * @returns path of the scenario, and how many texts it has that are hostile
 */
export function writeHostileScenario(
  folder: string,
  names: readonly string[],
): { file: string; texts: number } {
  const scenario = decodeJson(readFileSync(demo, 'utf8'), ScenarioFile, demo)
  let texts = 0
  const next = (): string => names[texts++ % names.length] as string
  const moved = (path: string): string => resolve(dirname(demo), path)
  const written: ScenarioFile = {
    ...scenario,
    name: next(),
    story: next(),
    corridorFiles: scenario.corridorFiles.map(moved),
    placeFiles: scenario.placeFiles.map(moved),
    companies: scenario.companies.map((company) => ({
      ...company,
      name: next(),
      bam: company.bam && { ...company.bam, firstName: next(), lastName: next() },
      groups: company.groups.map((group) => ({ ...group, name: next(), description: next() })),
    })),
    users: scenario.users.map((user) => ({ ...user, firstName: next(), lastName: next(), note: next() })),
    trackers: scenario.trackers.map((tracker) => ({
      ...tracker,
      name: next(),
      plateNumber: next(),
      vehicleMakeAndModel: next(),
    })),
  }
  const file = join(folder, 'hostile.json')
  writeFileSync(file, JSON.stringify(written))
  return { file, texts }
}
