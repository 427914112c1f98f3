import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fewest, meantBy, pathTo } from '#machines/testing/choosing.ts'
import type { Path, PathModel, Walk } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'
import { Misuse, type Options } from './options.ts'

/** A machine and the paths that were asked for. */
export type Walked = {
  name: string
  model: PathModel
  /** over everything: what it doesn't reach, nothing reaches */
  whole: Walk
  paths: Path[]
}
/** A machine no path reaches. */
export type Unwalked = { name: string; reason: string }

/** The machines of a folder, in order of name: it holds a folder each. */
export function machinesIn(folder: string): string[] {
  if (!existsSync(folder)) throw new Misuse(`there is no folder ${folder}`)
  return readdirSync(folder)
    .filter((name) => existsSync(chartOf(folder, name)) || existsSync(samplesOf(folder, name)))
    .sort()
}

/** @throws Misuse for a name that is no machine's, or a target that is none of the machine's */
export async function walked(options: Options): Promise<(Walked | Unwalked)[]> {
  const all = machinesIn(options.in)
  const unknown = options.machines.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Misuse(`no machine ${unknown.join(', ')}; there are ${all.join(', ')}`)
  const names = options.machines.length > 0 ? all.filter((name) => options.machines.includes(name)) : all
  return Promise.all(names.map((name) => walkedOne(name, options)))
}

export function isWalked(one: Walked | Unwalked): one is Walked {
  return 'model' in one
}

/** What nothing reaches, in words, a line each; empty where all is well. */
export function complaintsOf(one: Walked | Unwalked): string[] {
  if (!isWalked(one)) return [`No path reaches ${one.name}: ${one.reason}`]
  const { unreached, reasons } = one.whole
  return unreached.map((name, i) => `No path reaches ${one.name}, ${name}: ${reasons[i]}`)
}

/** The one name somebody meant. @throws Misuse with those that there are */
export function targetOf(found: Walk, words: string): string {
  const [name, ...others] = meantBy(found, words)
  if (name === undefined)
    throw new Misuse(
      `${found.name} has no transition or state "${words}"; it has: ${listed([...found.states, ...found.transitions])}`,
    )
  if (others.length > 0) throw new Misuse(`"${words}" may be each of: ${listed([name, ...others])}`)
  return name
}

const listed = (names: string[]): string => [...new Set(names)].join('; ')

async function walkedOne(name: string, options: Options): Promise<Walked | Unwalked> {
  const file = samplesOf(options.in, name)
  if (!existsSync(file)) return { name, reason: `${name}.machine.ts has no ${name}.samples.ts beside it` }
  try {
    const { model } = (await import(pathToFileURL(file).href)) as { model?: PathModel }
    if (model === undefined) return { name, reason: `${name}.samples.ts exports no model` }
    if (model.name !== name)
      return { name, reason: `the model of ${name}.samples.ts is called ${model.name}` }
    const whole = walk(model)
    return { name, model, whole, paths: pathsOf(model, whole, options) }
  } catch (error) {
    if (error instanceof Misuse) throw error
    return { name, reason: (error as Error).message }
  }
}

function pathsOf(model: PathModel, whole: Walk, { by, to, fewest: isFewest }: Options): Path[] {
  if (to !== undefined) {
    const path = pathTo(model, whole, targetOf(whole, to))
    return path === undefined ? [] : [path]
  }
  const { paths } = by === undefined ? whole : walk(model, { by })
  return isFewest ? fewest(paths) : paths
}

function samplesOf(folder: string, name: string): string {
  return join(folder, name, `${name}.samples.ts`)
}

function chartOf(folder: string, name: string): string {
  return join(folder, name, `${name}.machine.ts`)
}
