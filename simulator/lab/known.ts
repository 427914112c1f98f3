import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LabRunOrder } from '#machines/contracts/calls/lab-calls.ts'
import { transitionsOf } from '#machines/testing/chart.ts'
import type { PathModel } from '#machines/testing/path-model.ts'

const MACHINES = resolve(import.meta.dirname, '../../machines')

/** Every machine with samples, in order of name. */
export function modelsOf(): Promise<PathModel[]> {
  return Promise.all(machines().map(modelOf))
}

/** Whether there is such a machine here with such a transition: nothing else gets near a command line. */
export async function isKnown({ machine, transition }: LabRunOrder): Promise<boolean> {
  if (!machines().includes(machine)) return false
  const { machine: chart } = await modelOf(machine)
  return [...transitionsOf(chart).values()].includes(transition)
}

const machines = (): string[] => readdirSync(MACHINES).filter((name) => existsSync(samplesOf(name)))

const samplesOf = (name: string): string => join(MACHINES, name, `${name}.samples.ts`)

async function modelOf(name: string): Promise<PathModel> {
  const { model } = (await import(pathToFileURL(samplesOf(name)).href)) as { model: PathModel }
  return model
}
