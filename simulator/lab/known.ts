import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LabRunOrder } from '#machines/contracts/calls/lab-calls.ts'
import { transitionsOf } from '#machines/testing/chart.ts'
import type { PathModel } from '#machines/testing/path-model.ts'

const MACHINES = resolve(import.meta.dirname, '../../machines')

/** Whether there is such a machine here with such a transition: nothing else gets near a command line. */
export async function isKnown({ machine, transition }: LabRunOrder): Promise<boolean> {
  if (!readdirSync(MACHINES).includes(machine)) return false
  const samples = join(MACHINES, machine, `${machine}.samples.ts`)
  if (!existsSync(samples)) return false
  const { model } = (await import(pathToFileURL(samples).href)) as { model: PathModel }
  return [...transitionsOf(model.machine).values()].includes(transition)
}
