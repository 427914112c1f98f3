/**
 * Walks every machine that has samples (`machines/<name>/<name>.samples.ts` with an exported `model`).
 *
 *     npm run paths                      the machines, and their paths as sentences
 *     npm run paths -- violation link    only these
 *     npm run paths -- --format json     { machines: [{ name, states, transitions, paths, unreached }] }
 *     npm run paths -- --write           writes <name>.paths.txt beside each machine, for review
 *
 * Ends with 1 when a state or transition is not reached.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PathModel, Walk } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { prose, told } from '#machines/testing/prose.ts'

const MACHINES = new URL('../machines/', import.meta.url)

const { values, positionals } = parseArgs({
  options: { format: { type: 'string', default: 'text' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (!['text', 'json'].includes(values.format)) fail(`--format takes text or json, not ${values.format}`)

const models = await modelsOf(positionals)
const walks = models.map((model) => walk(model))

if (values.write)
  models.forEach((model, i) => {
    writeFileSync(new URL(`${model.name}/${model.name}.paths.txt`, MACHINES), prose(model, walks[i] as Walk))
  })
if (values.format === 'json') console.log(JSON.stringify({ machines: models.map(asJson) }, null, 2))
else models.forEach(printed)
process.exitCode = walks.some(({ unreached }) => unreached.length > 0) ? 1 : 0

function asJson(model: PathModel, i: number) {
  const { name, states, transitions, paths, unreached } = walks[i] as Walk
  return { name, states, transitions, paths: paths.map((path) => told(model, path)), unreached }
}

function printed(model: PathModel, i: number): void {
  const found = walks[i] as Walk
  console.log(prose(model, found))
  if (found.unreached.length > 0) console.log(`Not reached:\n   ${found.unreached.join('\n   ')}\n`)
}

/** @returns the models in order of name; ends the process for a name that is none */
async function modelsOf(names: string[]): Promise<PathModel[]> {
  const all = readdirSync(MACHINES).filter((name) => existsSync(samplesOf(name)))
  const unknown = names.filter((name) => !all.includes(name))
  if (unknown.length > 0) fail(`no machine ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return Promise.all(
    (names.length > 0 ? names : all.sort()).map(async (name) => {
      const { model } = (await import(samplesOf(name).href)) as { model?: PathModel }
      return model ?? fail(`${name}.samples.ts exports no model`)
    }),
  )
}

function samplesOf(name: string): URL {
  return new URL(`${name}/${name}.samples.ts`, MACHINES)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
