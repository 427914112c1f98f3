/** The demo scenario for tests of the world, read once, and small worlds of it. */
import { fileURLToPath } from 'node:url'
import { type Reading, readingAt } from '#machines/contracts/readings.ts'
import { loadScenario } from '../load-scenario.ts'
import type { Sent } from '../sent.ts'
import { createWorld, type World } from '../world.ts'

export const demo = await loadScenario(fileURLToPath(import.meta.resolve('#fixtures/scenarios/demo.json')))
/** the same world, but nothing goes wrong by itself */
export const calm = { ...demo, incidents: [], scriptedFaults: [] }

export const MINUTE = 60_000
export const HOUR = 3_600_000

export const smallWorld = (devices: number, scenario = demo): World => createWorld(scenario, { devices })

/** What was sent, as readings with their sending time; only this device's where given. */
export function messages({ readings, sentAt }: Sent, index?: number): (Reading & { sentAt: number })[] {
  const rows = []
  for (let i = 0; i < readings.length; i++)
    if (index === undefined || readings.device[i] === index)
      rows.push({ ...readingAt(readings, i), sentAt: sentAt[i] as number })
  return rows
}

/** The first device of this fleet kind in a world. */
export function deviceOf(world: World, kind: string): { index: number; imei: string } {
  const device = world.registration.devices.find(({ fleet }) => fleet.id.includes(kind))
  if (!device) throw new RangeError(`no ${kind} in this world`)
  return device
}
