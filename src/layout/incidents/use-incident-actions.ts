import { useActorRef, useSelector } from '@xstate/react'
import { useMemo, useState } from 'react'
import { fromPromise } from 'xstate'
import type { Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import {
  type IncidentAction,
  incidentActionMachine,
} from '#machines/incident-action/incident-action.machine.ts'
import type { Desk } from '../../actors/desk.ts'
import { wordsOf } from '../../actors/failure-words.ts'
import { inspect } from '../../actors/inspection.ts'
import { useRoot } from '../../actors/use-root.ts'
import { useWhenNow } from '../past/past-context.ts'

type Moving = { imeis: readonly string[]; onMoved: () => void }

/** What can be done to incidents from wherever they are listed; `action` asks why and for how long. IncidentWindows shows what is asked. */
export function useIncidentActions(desk: Desk) {
  const { toasts } = useRoot()
  const whenNow = useWhenNow()
  const machine = useMemo(
    () =>
      incidentActionMachine.provide({
        actors: { act: fromPromise<void, IncidentAction>(({ input }) => desk.act(input)) },
      }),
    [desk],
  )
  const action = useActorRef(machine, { inspect })
  const isAsking = useSelector(action, (state) => !state.matches('closed'))
  const [moving, setMoving] = useState<Moving>()
  return useMemo(() => {
    const quietly = (doing: Promise<void>): void =>
      void doing.catch((error: unknown) => toasts.error(wordsOf(error)))
    return {
      action,
      isAsking,
      /** what is being moved, in a window that outlives its rows */
      moving,
      /** `onMoved`: at least one of them was */
      move: (imeis: readonly string[], onMoved: () => void) => whenNow(() => setMoving({ imeis, onMoved })),
      endMoving: () => setMoving(undefined),
      /** what is over may be commented, and nothing else is done to it */
      ask(kind: IncidentAction['kind'], incidents: readonly Incident[]) {
        const its = kind === 'comment' ? incidents : incidents.filter(isLasting)
        const [imei, ...others] = new Set(its.map((one) => one.imei))
        whenNow(() =>
          action.send({
            type: kind,
            ids: its.map(({ violationId }) => violationId),
            ...(others.length === 0 && { imei }),
          }),
        )
      },
      /** who has all of them that last gives them up, else takes them */
      take(incidents: readonly Incident[], userId: string) {
        const its = incidents.filter(isLasting)
        const isAllMine = its.every(({ holder }) => holder?.userId === userId)
        whenNow(() => {
          for (const one of its) quietly(isAllMine ? desk.release(one) : desk.take(one))
        })
      },
      unshelve: (shelving: Shelving) => whenNow(() => quietly(desk.unshelve(shelving))),
    }
  }, [action, desk, isAsking, moving, toasts, whenNow])
}

const isLasting = ({ clearedAt }: Incident): boolean => clearedAt === null

export type IncidentActions = ReturnType<typeof useIncidentActions>
