import { encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { onRoute } from '../effects/routes.ts'
import { wires } from '../effects/wire-tap.ts'
import { fileTime, zoneName } from '../format/time.ts'
import { fleetSnapshotOf } from '../read-model/snapshot-of.ts'
import { directorOf } from './director.ts'
import { inspection } from './inspection.ts'
import { startRecorder } from './recording/recorder.ts'
import type { Root } from './root.ts'

/** Records this page from now on, wherever one goes in it; does nothing where it is recorded already. */
export async function startRecording(root: Root): Promise<void> {
  const { clock, live, recorder } = root
  const director = directorOf(root)
  await director.askStatus()
  if (recorder.get() !== undefined) return
  const world = director.status.get()
  const fleet = live.get()?.fleet
  recorder.set(
    startRecorder({
      inspection,
      wires,
      onRoute: (listener) => onRoute(window, listener),
      monotonic: () => performance.now(),
      app: {
        scenario: world?.scenarioName ?? null,
        seed: world?.seed ?? null,
        clock: clock.isKnown() ? clock.now() : null,
        speed: world?.speed ?? null,
        timeZone: zoneName,
      },
      fleet: fleet?.seq === undefined ? null : encodeFleetSnapshot(fleetSnapshotOf(fleet, clock.now())),
      path: location.pathname,
    }),
  )
}

/** Ends it and hands the visitor the file. */
export function saveRecording({ recorder, clock, download }: Root): void {
  const running = recorder.get()
  if (running === undefined) return
  recorder.set(undefined)
  const file = new Blob(running.stop(), { type: 'application/json' })
  download(`frostline-recording-${fileTime(clock.now())}.json`, file)
}

/** Ends it and keeps nothing. */
export function dropRecording({ recorder }: Root): void {
  recorder.get()?.stop()
  recorder.set(undefined)
}
