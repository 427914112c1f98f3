import type { PathModel, Walk } from '#machines/testing/path-model.ts'
import { walk } from '#machines/testing/paths.ts'

/** A machine, and what was found by walking it. */
export type Walked = { model: PathModel; found: Walk }

/** Every machine of the server has samples to walk it with; each is a part of the portal that comes when it is asked for. */
const samples = import.meta.glob<PathModel>('../../../machines/*/*.samples.ts', { import: 'model' })

/** The names of all machines. */
export const MACHINES: readonly string[] = Object.keys(samples)
  .map((file) => nameIn(file))
  .sort()

/** Walks a machine, once a page. @throws Error for a name that is none */
export function walked(name: string): Promise<Walked> {
  const known = walks.get(name) ?? begin(name)
  walks.set(name, known)
  return known
}

const walks = new Map<string, Promise<Walked>>()

async function begin(name: string): Promise<Walked> {
  const load = Object.entries(samples).find(([file]) => nameIn(file) === name)?.[1]
  if (load === undefined) throw new Error(`There is no machine ${name}`)
  const model = await load()
  return { model, found: walk(model) }
}

function nameIn(file: string): string {
  return file.split('/').at(-2) ?? ''
}
