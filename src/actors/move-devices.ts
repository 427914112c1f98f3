import { useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { counted } from '#machines/rules/figures.ts'
import { wordsOf } from './failure-words.ts'
import { useRoot } from './use-root.ts'

/** Devices that stayed where they are, and why. */
export type Stayed = readonly { imei: string; message: string }[]

export type DeviceMove = {
  isMoving: boolean
  /** why nothing was moved; null: nothing failed */
  error: string | null
  /** undefined: not moved yet, or all went */
  stayed: Stayed | undefined
  move(things: readonly string[], group: { id: string; text: string }): void
}

/** Moves devices to a group, all in one call; where they are then comes as facts, like anybody else's move. */
export function useDeviceMove(onMoved: () => void): DeviceMove {
  const { http, toasts } = useRoot()
  const [isMoving, setMoving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [stayed, setStayed] = useState<Stayed>()

  async function move(things: readonly string[], group: { id: string; text: string }): Promise<void> {
    setMoving(true)
    setError(null)
    try {
      const body = { things: [...things], groupId: group.id }
      const { moved, refused } = await http.ask(DEVICE_CALLS.moveThings, { body })
      toasts.success(
        moved === 0 ? `All were in ${group.text}` : `${counted(moved, 'device')} moved to ${group.text}`,
      )
      if (refused.length > 0) setStayed(refused)
      else onMoved()
    } catch (failure) {
      setError(wordsOf(failure))
    } finally {
      setMoving(false)
    }
  }
  return { isMoving, error, stayed, move: (things, group) => void move(things, group) }
}
