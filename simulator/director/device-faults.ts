import type { SimFault } from '#machines/contracts/calls/sim-calls.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import type { EventLog } from '../../server/ports.ts'
import { DIRECTOR_STREAM } from './actions.ts'

/** The part of the world that breaks. */
export type Breakable = {
  readonly registration: { devices: readonly { imei: string; key: number }[] }
  position(): number
  indexOf(imei: string): number | undefined
  injectFault(
    id: string,
    imei: string,
    fault: SimFault['fault'],
    forSeconds: number,
    aheadMinutes?: number,
  ): SimFault | undefined
  removeFault(id: string): SimFault | undefined
  restoreFault(fault: SimFault): boolean
  faults(): SimFault[]
}

/**
 * A fault is called like the action that brought it, where it brought many with a number behind; one that is brought back has
 * another number behind that. So what an action brought is known by its name.
 */
export const isOf = (actionId: string, faultId: string): boolean =>
  faultId === actionId || faultId.startsWith(`${actionId}-`) || faultId.startsWith(`${actionId}_`)
const nameOf = (faultId: string): string => faultId.replace(/_\d+$/, '')

/** What breaks devices and mends them, in the world and as facts to be kept. Call between two steps of the world. */
export function createDeviceFaults(world: Breakable, directory: Directory) {
  const isInForce = ({ until }: SimFault): boolean => until > world.position() + 1

  return {
    list: () => world.faults(),
    /** those that have begun, or do with the next step of a world that may stand still, and have not ended */
    now: () => world.faults().filter((fault) => fault.from <= world.position() + 1 && isInForce(fault)),
    find: (id: string) => world.faults().find((fault) => fault.id === id),
    /** in force or, of the script, still to come */
    isInForce,
    openOf: (actionId: string) =>
      world.faults().filter((fault) => isOf(actionId, fault.id) && isInForce(fault)),

    /**
     * The same of a world whenever it is asked: those whose seed and number draw lowest. One at least where there are any.
     * @param groupId in and below it; undefined: all
     */
    shareOf(share: number, groupId: string | undefined): string[] {
      const candidates = world.registration.devices.filter(
        ({ imei }) =>
          groupId === undefined ||
          isWithin(directory, deviceByImei(directory, imei)?.groupId ?? null, groupId),
      )
      const count = Math.min(candidates.length, Math.max(1, Math.round(share * candidates.length)))
      return candidates
        .toSorted((a, b) => a.key - b.key || (a.imei < b.imei ? -1 : 1))
        .slice(0, count)
        .map(({ imei }) => imei)
    },

    /** @returns the facts of it; undefined where a device is not simulated here */
    inject(
      actionId: string,
      imeis: readonly string[],
      fault: SimFault['fault'],
      forSeconds: number,
    ): NewFact[] {
      const isOne = imeis.length === 1
      return imeis.flatMap((imei, i) => {
        const id = isOne ? actionId : `${actionId}-${i + 1}`
        const injected = world.injectFault(id, imei, fault, forSeconds)
        return injected === undefined ? [] : [injectedFact(injected)]
      })
    },

    lift(faults: readonly SimFault[]): NewFact[] {
      return faults.flatMap(({ id }) => {
        const ended = world.removeFault(id)
        return ended === undefined ? [] : [removedFact(ended)]
      })
    },

    /** whether a fault that was lifted can be in force again until it would have ended */
    canBringBack: (faultId: string, until: number) =>
      until > world.position() + 1 &&
      !world.faults().some((fault) => nameOf(fault.id) === nameOf(faultId) && isInForce(fault)),

    bringBack(faultId: string, imei: string, fault: SimFault['fault'], until: number): NewFact[] {
      const own = world.faults().filter(({ id }) => nameOf(id) === nameOf(faultId))
      const toCome = own.find(({ id, from }) => id === faultId && from > world.position() + 1)
      if (toCome !== undefined) {
        const again = { ...toCome, until }
        world.restoreFault(again)
        return [injectedFact(again)]
      }
      const forSeconds = (until - world.position() - 1) / 1000
      // a clock that the script says is ahead is ahead by as much again
      const { aheadMinutes } = own.find(({ id }) => id === faultId) ?? {}
      const id = `${nameOf(faultId)}_${own.length + 1}`
      const again = world.injectFault(id, imei, fault, forSeconds, aheadMinutes)
      return again === undefined ? [] : [injectedFact(again)]
    },
  }
}
export type DeviceFaults = ReturnType<typeof createDeviceFaults>

const injectedFact = ({ id, imei, fault, from, until }: SimFault): NewFact => ({
  type: 'fault.injected',
  at: from,
  companyId: null,
  data: { faultId: id, imei, fault, until },
})

const removedFact = ({ id, imei, until }: SimFault): NewFact => ({
  type: 'fault.removed',
  at: until,
  companyId: null,
  data: { faultId: id, imei },
})

/**
 * Faults as earlier runs left them: those that were injected, and those of the script that were ended.
 * @param scripted what the script says of them
 */
export function faultsIn(log: EventLog, scripted: readonly SimFault[]): SimFault[] {
  const script = new Map(scripted.map((fault) => [fault.id, fault]))
  const faults = new Map<string, SimFault>()
  for (const { type, at, data } of log.readStream(DIRECTOR_STREAM)) {
    if (type === 'fault.injected') {
      const { faultId: id, imei, fault, until } = data
      const { aheadMinutes } = script.get(nameOf(id)) ?? {}
      const ahead = aheadMinutes === undefined ? {} : { aheadMinutes }
      faults.set(id, { id, imei, fault: fault as SimFault['fault'], from: at, until, ...ahead })
    }
    if (type !== 'fault.removed') continue
    const ended = faults.get(data.faultId) ?? script.get(data.faultId)
    if (ended) faults.set(data.faultId, { ...ended, until: at })
  }
  return [...faults.values()]
}
