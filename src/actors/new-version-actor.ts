import { createActor, fromPromise } from 'xstate'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { newVersionMachine } from '#machines/new-version/new-version.machine.ts'
import type { Http } from '../effects/http.ts'
import { inspect } from './inspection.ts'

type Deps = {
  http: Http
  reload(): void
  /** a part did not arrive, and not because there is a new version */
  passOn(detail: string): void
}

/** Whether this window is older than the server, with its effects, not started. */
export function createNewVersion({ http, reload, passOn }: Deps) {
  return createActor(
    newVersionMachine.provide({
      actors: {
        askServer: fromPromise<void>(async ({ signal }) => {
          await http.ask(SERVER_CALLS.time, {}, { isBackground: true, signal })
        }),
      },
      actions: {
        passOn: (_, { detail }) => passOn(detail),
        reloadPage: () => reload(),
      },
    }),
    { inspect },
  )
}
