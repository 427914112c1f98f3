import type { SimIncident } from '#machines/contracts/calls/sim-calls.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Directory, deviceByImei } from '#machines/projections/directory.ts'
import type { Core, JobsOfLeader } from '../../server/ports.ts'

/** The advance of a world's run; answers whether it was halted on its way. */
export type Run = {
  advance(
    seconds: number,
    options?: { until?: number; stride?: number; isEnough?: () => Promise<boolean> },
  ): Promise<boolean>
}

const MOST_SECONDS = 12 * 3600

/**
 * Runs the world until a violation opens or a device is lost, half a day at most. It goes in steps of one report of each
 * device, and looks after each: it stands where that became known, not a while after.
 * @returns null where none came; undefined where none had when it was stopped on its way
 */
export async function runToNextIncident(
  run: Run,
  { readModels, settled }: Pick<Core, 'readModels' | 'settled'>,
  { evaluator, frames, releasing }: Pick<JobsOfLeader, 'evaluator' | 'frames' | 'releasing'>,
  reportSeconds: number,
): Promise<SimIncident | null | undefined> {
  let first: SimIncident | undefined
  const stop = readModels.onAdvance(({ facts }) => {
    for (const fact of facts) {
      const incident = incidentOf(fact, readModels.directory)
      if (incident !== undefined && (first === undefined || incident.at < first.at)) first = incident
    }
  })
  try {
    const isHalted = await run.advance(MOST_SECONDS, {
      stride: reportSeconds * 1000,
      async isEnough() {
        // what came ahead of its time belongs to the minute it is of
        await releasing.look()
        await settled()
        await evaluator.tick()
        await settled()
        await frames.look()
        return first !== undefined
      },
    })
    return first ?? (isHalted ? undefined : null)
  } finally {
    stop()
  }
}

function incidentOf({ type, at, data }: Fact, directory: Directory): SimIncident | undefined {
  const kind =
    type === 'violation.opened'
      ? data.type
      : type === 'device-status.changed' && data.from === 'online' && data.to !== 'online'
        ? data.to
        : undefined
  if (kind === undefined || !('imei' in data) || data.imei === null) return undefined
  const { imei } = data
  return { type: kind, imei, deviceName: deviceByImei(directory, imei)?.name ?? imei, at }
}
