import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadScenario } from '../world/load-scenario.ts'
import {
  asWrittenInFolder,
  foundPathOf,
  isShipped,
  keptPathOf,
  namedScenario,
  readScenarioFile,
  saveScenario,
  scenariosThere,
} from './scenario-files.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'frostline-scenarios-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const shipped = namedScenario('dairy-dawn', undefined) as string

test('a saved scenario opens by its name with the roads and places it had, and is listed after those that are shipped', async () => {
  const saved = join(dir, 'scenarios')
  const before = await scenariosThere(saved)
  const written = await readScenarioFile(shipped)
  const kept = await saveScenario(saved, shipped, { ...written, name: 'Dawn, as directed' })
  expect(kept).toMatchObject({ name: 'dairy-dawn-directed', title: 'Dawn, as directed' })
  expect(await scenariosThere(saved)).toEqual([...before, kept])
  const file = namedScenario(kept.name, saved)
  expect(file).toBe(join(saved, 'dairy-dawn-directed.json'))
  expect([shipped, file as string].map(isShipped)).toEqual([true, false])
  const { corridors, places } = await loadScenario(file as string)
  expect({ corridors, places }).toEqual(
    await loadScenario(shipped).then((s) => ({ corridors: s.corridors, places: s.places })),
  )
})

test('one saved again stands beside the first, under another name and title', async () => {
  const written = await readScenarioFile(shipped)
  await saveScenario(dir, shipped, written)
  expect(await saveScenario(dir, shipped, written)).toMatchObject({
    name: 'dairy-dawn-directed-2',
    title: `${written.name} 2`,
  })
  expect(namedScenario('dairy-dawn-directed', undefined)).toBeUndefined()
  expect(namedScenario('../dairy-dawn', dir)).toBeUndefined()
})

test('a title too long for its number is cut, and what could not be opened again is not kept', async () => {
  const written = { ...(await readScenarioFile(shipped)), name: 'L'.repeat(199) }
  await saveScenario(dir, shipped, written)
  const { title } = await saveScenario(dir, shipped, written)
  expect(title).toBe(`${'L'.repeat(198)} 2`)
  const event = { do: 'user.sign-out', afterMinutes: 600_000, userName: 'operatorindus' } as const
  await expect(saveScenario(dir, shipped, { ...written, events: [event] })).rejects.toThrow(
    'events.0.afterMinutes',
  )
  expect((await scenariosThere(dir)).filter(({ name }) => name.includes('directed'))).toHaveLength(2)
})

test('a file that was saved opens wherever it is put, and saved again it names the same roads', async () => {
  const file = join(dir, 'dairy-dawn-played.json')
  const written = await readScenarioFile(shipped)
  writeFileSync(file, JSON.stringify(written))
  const { corridors } = await loadScenario(file)
  expect(corridors).toEqual((await loadScenario(shipped)).corridors)
  expect(written.corridorFiles.map((path) => asWrittenInFolder(file, path))).toEqual(written.corridorFiles)
  writeFileSync(file, JSON.stringify({ ...written, placeFiles: ['../places/atlantis.json'] }))
  await expect(loadScenario(file)).rejects.toThrow(
    `${file}: at placeFiles.0: there is no file ../places/atlantis.json`,
  )
})

test('what is saved of a file of any name can be opened by its own', async () => {
  const written = await readScenarioFile(shipped)
  const saved = async (file: string) => (await saveScenario(dir, file, written)).name
  expect(await saved('/my/Früh_Schicht.v2.json')).toBe('fr-h-schicht-v2-directed')
  expect(await saved('/my/夜.json')).toBe('scenario-directed')
  expect(await saved(`/my/${'Long-'.repeat(40)}.json`)).toBe(`${'long-'.repeat(9)}lon-directed`)
  expect((await scenariosThere(dir)).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fr-h-schicht-v2-directed', 'scenario-directed']),
  )
})

test('a shipped scenario is kept so that it is found where the installation lies then', () => {
  expect(keptPathOf(shipped)).toBe('fixtures/scenarios/dairy-dawn.json')
  expect(keptPathOf('/my/own.json')).toBe('/my/own.json')
  for (const kept of ['fixtures/scenarios/dairy-dawn.json', '/gone/fixtures/scenarios/dairy-dawn.json'])
    expect(foundPathOf(kept)).toBe(shipped)
  const own = ['own.json', 'fixtures/scenarios/own.json', '/gone/fixtures/scenarios/own.json']
  for (const other of [shipped, ...own, '/gone/dairy-dawn.json']) expect(foundPathOf(other)).toBe(other)
})
