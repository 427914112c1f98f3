import { readdirSync } from 'node:fs'
import type { Driver } from './driver.ts'

const ENDING = '.driver.ts'

/** The machines that have a driver, in order of name: a file beside this one each. */
export function driven(): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
    .sort()
}

/** @throws Error when there is no such driver */
export async function driverOf(machine: string): Promise<Driver> {
  const { driver } = (await import(`./${machine}${ENDING}`)) as { driver?: Driver }
  if (driver === undefined) throw new Error(`e2e/drivers/${machine}${ENDING} exports no driver`)
  return driver
}
