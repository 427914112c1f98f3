import { randomUUID } from 'node:crypto'
import type { SimFault } from '#machines/contracts/calls/sim-calls.ts'
import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import { type Directory, deviceByImei } from '#machines/projections/directory.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { Actions } from './actions.ts'
import type { Breakable, DeviceFaults } from './device-faults.ts'
import type { Undo } from './undo.ts'
import { faultSentence, liftSentence, shareWords } from './words.ts'

type Deps = {
  run: { between<T>(change: () => T | Promise<T>): Promise<T> }
  world: Breakable
  directory: Directory
  faults: DeviceFaults
  actions: Actions
  undo: Undo
}
type Order = Parameters<SimDeps['faults']['inject']>[0]

/** Devices are broken and mended between two steps of the world, each done remembered with a sentence. */
export function createFaultActions({
  run,
  world,
  directory,
  faults,
  actions,
  undo,
}: Deps): SimDeps['faults'] {
  const nameOf = (imei: string): string => deviceByImei(directory, imei)?.name ?? imei

  /** whom an order is about, and how they are called; undefined where there is no such device or group */
  function meant({ imei, share = 0, groupId }: Order): { imeis: string[]; whom: string } | undefined {
    if (imei !== undefined)
      return world.indexOf(imei) === undefined ? undefined : { imeis: [imei], whom: nameOf(imei) }
    const group = groupId === undefined ? undefined : directory.groups.get(groupId)
    if (groupId !== undefined && group === undefined) return undefined
    const imeis = faults.shareOf(share, groupId)
    return imeis.length === 0 ? undefined : { imeis, whom: shareWords(share, imeis.length, group?.name) }
  }

  async function inject(order: Order) {
    const found = meant(order)
    if (found === undefined) return undefined
    const { imei = null, share, groupId, fault, forSeconds } = order
    const { imeis, whom } = found
    const id = randomUUID()
    const done: DirectorAction = {
      do: 'fault.inject',
      fault,
      imei,
      ...(share !== undefined && { share }),
      ...(groupId !== undefined && { groupId }),
      devices: imeis.length,
      forSeconds,
    }
    const facts = faults.inject(id, imeis, fault, forSeconds)
    await actions.note(done, faultSentence({ fault, forSeconds }, whom), { id, with: facts })
    return { id, devices: imeis.length }
  }

  async function liftOne(fault: SimFault): Promise<boolean> {
    const { id: faultId, imei, until } = fault
    const done: DirectorAction = { do: 'fault.lift', faultId, fault: fault.fault, imei, until }
    await actions.note(done, liftSentence(fault, nameOf(imei)), { with: faults.lift([fault]) })
    return true
  }

  return {
    list: (isInForce) => (isInForce ? faults.now() : faults.list()),
    find: faults.find,
    inject: (order) => run.between(() => inject(order)),
    lift: (id) =>
      run.between(async () => {
        const action = actions.find(id)
        if (action !== undefined) {
          const isPossible = undo.canUndo(action)
          if (isPossible) await undo.undo(action)
          return isPossible
        }
        const fault = faults.find(id)
        return fault !== undefined && faults.isInForce(fault) && liftOne(fault)
      }),
  }
}
