import { fromPromise } from 'xstate'
import { confirmDeleteMachine } from '#machines/confirm-delete/confirm-delete.machine.ts'
import type { CallOptions } from '../effects/http.ts'

/** 'Delete Record?' with its effects. Failures are shown in the window, where they can be tried again. */
export function confirmDeleteIn(effects: {
  /** hand `options` on to the call */
  deleteRecord(id: string, options: CallOptions): Promise<unknown>
  announce(): void
}) {
  return confirmDeleteMachine.provide({
    actors: {
      deleteRecord: fromPromise<void, { id: string }>(async ({ input: { id }, signal }) => {
        await effects.deleteRecord(id, { signal })
      }),
    },
    actions: { announce: effects.announce },
  })
}
