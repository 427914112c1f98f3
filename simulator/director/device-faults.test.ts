import { expect, test } from 'vitest'
import { emptyDirectory } from '#machines/projections/directory.ts'
import { calm, HOUR, MINUTE, smallWorld } from '../world/testing/demo.ts'
import { createDeviceFaults, faultsIn } from './device-faults.ts'

test('a wrong clock that was corrected and is wrong again is as far ahead as before, also after a restart', () => {
  const [device] = smallWorld(12, calm).registration.devices
  if (device === undefined) throw new RangeError('no device in this world')
  const { imei } = device
  const skew = { imei, fault: 'clock-skew' as const, afterMinutes: 1, forMinutes: 120, aheadMinutes: 12 }
  const world = smallWorld(12, { ...calm, scriptedFaults: [skew] })
  const faults = createDeviceFaults(world, emptyDirectory())
  world.advance(world.start + 10 * MINUTE)
  const [scripted] = world.faults()
  if (scripted === undefined) throw new RangeError('no fault in this world')
  const lifted = faults.lift([scripted])
  world.advance(world.start + 20 * MINUTE)
  const back = faults.bringBack(scripted.id, imei, 'clock-skew', scripted.until)
  const inForce = world.faults().filter(({ until }) => until > world.start + HOUR)
  expect(inForce).toMatchObject([{ imei, aheadMinutes: 12, until: scripted.until }])
  const log = { readStream: () => [...lifted, ...back] } as never
  expect(faultsIn(log, [scripted]).at(-1)).toEqual(inForce[0])
})
