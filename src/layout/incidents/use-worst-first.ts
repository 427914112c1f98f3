import { useMemo } from 'react'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { worstFirst } from './lines.ts'

/** Incidents by what is measured now, the worst first; put in order anew each ten seconds: rows do not jump with each reading. */
export function useWorstFirst(fleet: Fleet, incidents: readonly Incident[]): readonly Incident[] {
  const moment = useFleet(momentOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: values behind the fleet change
  return useMemo(() => worstFirst(fleet, incidents), [fleet, incidents, moment])
}

const momentOf = (): number => Math.floor(performance.now() / 10_000)
