import { readdirSync } from 'node:fs'
import type { Stage } from './stage.ts'

const ENDING = '.stage.ts'

/** The machines that have a stage, in order of name: a file beside this one each. */
export function staged(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
}

/** @throws Error when there is no such stage */
export async function stageOf(machine: string): Promise<Stage> {
  const { stage } = (await import(`./${machine}${ENDING}`)) as { stage?: Stage }
  if (stage === undefined) throw new Error(`e2e/stages/${machine}${ENDING} exports no stage`)
  return stage
}
