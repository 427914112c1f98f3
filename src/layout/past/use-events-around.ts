import { useSelector } from '@xstate/react'
import { useState } from 'react'
import type { TimeMachine } from '../../actors/root.ts'

/** The events before and after the time one stands at. `nothing`: why it was not left for one. */
export function useEventsAround({ actor, goToEvent }: TimeMachine) {
  const [nothing, setNothing] = useState<{ why: string; at: number }>()
  const isOfThis = useSelector(actor, ({ context }) => context.at === nothing?.at)
  const say = (why: string): void => setNothing({ why, at: actor.getSnapshot().context.at })
  return {
    nothing: isOfThis ? nothing?.why : undefined,
    async goToEvent(direction: 'before' | 'after'): Promise<void> {
      setNothing(undefined)
      try {
        if (await goToEvent(direction)) return
        say(`There is no event ${direction} this in the last 31 days.`)
      } catch {
        say('Where the next event is was not answered. Try again.')
      }
    },
  }
}
