import type { DirectorAction, DirectorActionOf } from '#machines/contracts/director-actions.ts'
import type { NetworkFaults } from '../network/network-faults.ts'
import type { Action, Actions } from './actions.ts'
import type { DeviceFaults } from './device-faults.ts'
import { isOf } from './device-faults.ts'
import type { People } from './people.ts'

type Clock = {
  speed(): number
  paused(): boolean
  setSpeed(speed: number): void
  pause(): void
  resume(): void
}
type Deps = { actions: Actions; clock: Clock; faults: DeviceFaults; network: NetworkFaults; people: People }

/** What can be taken back, and how. What can not: time that has passed, what people were made to do, a scripted network fault’s end. */
export function createUndo({ actions, clock, faults, network, people }: Deps) {
  /**
   * What sets the same thing as another done is taken back in the order of last to first, and only as long as that thing is
   * what it set: whatever is taken back in whatever order, it ends as it was.
   */
  const isNewest = (action: Action): boolean => {
    const thing = thingOf(action.done)
    const newest = actions
      .all()
      .findLast(({ done, undoneAt }) => undoneAt === null && thingOf(done) === thing)
    return newest === action
  }

  function canUndo(action: Action): boolean {
    const { done } = action
    if (action.undoneAt !== null) return false
    switch (done.do) {
      case 'clock.speed':
        return clock.speed() === done.to && isNewest(action)
      case 'clock.pause':
      case 'clock.resume':
        return clock.paused() === (done.do === 'clock.pause') && isNewest(action)
      case 'company.suspend':
      case 'company.resume':
        return people.isSuspended(done.companyId) === (done.do === 'company.suspend') && isNewest(action)
      case 'fault.inject':
        return faults.openOf(action.id).length > 0
      case 'fault.lift':
        return faults.canBringBack(done.faultId, done.until) && !isBringerUndone(done)
      case 'link.fault':
        return network.list().some(({ id }) => id === action.id)
      default:
        return false
    }
  }

  /** One of a share's faults does not come back when the share's were taken back. */
  const isBringerUndone = ({ faultId }: DirectorActionOf<'fault.lift'>): boolean =>
    actions
      .all()
      .some(({ id, done, undoneAt }) => undoneAt !== null && done.do === 'fault.inject' && isOf(id, faultId))

  /** Takes back what can be: see `canUndo`. Call between two steps of the world. */
  async function undo(action: Action): Promise<void> {
    const { done } = action
    switch (done.do) {
      case 'clock.speed':
        clock.setSpeed(done.from)
        break
      case 'clock.pause':
        clock.resume()
        break
      case 'clock.resume':
        clock.pause()
        break
      case 'company.suspend':
      case 'company.resume':
        await people.suspend(done.companyId, done.do === 'company.resume')
        break
      case 'fault.inject':
        return actions.noteUndone(action, { with: faults.lift(faults.openOf(action.id)) })
      case 'fault.lift':
        return actions.noteUndone(action, {
          with: faults.bringBack(done.faultId, done.imei, done.fault, done.until),
        })
      case 'link.fault': {
        const ended = network.end(action.id)
        return actions.noteUndone(action, ended && { realSeconds: (ended.until - ended.from) / 1000 })
      }
    }
    await actions.noteUndone(action)
  }

  return { canUndo, undo }
}

export type Undo = ReturnType<typeof createUndo>

type Between = { between<T>(change: () => T | Promise<T>): Promise<T> }

/** Takes it back between two steps of the world; false where it cannot be. */
export const undoNow = (run: Between, { canUndo, undo }: Undo, action: Action): Promise<boolean> =>
  run.between(async () => {
    if (!canUndo(action)) return false
    await undo(action)
    return true
  })

/** What a done sets, where one can be set again and again. */
function thingOf(done: DirectorAction): string | undefined {
  switch (done.do) {
    case 'clock.speed':
      return 'speed'
    case 'clock.pause':
    case 'clock.resume':
      return 'pause'
    case 'company.suspend':
    case 'company.resume':
      return `company ${done.companyId}`
    default:
      return undefined
  }
}
