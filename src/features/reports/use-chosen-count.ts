import { useMemo } from 'react'
import type { DeviceType } from '#machines/contracts/scalars.ts'
import { counted } from '#machines/rules/figures.ts'
import type { ReportChoice } from '#machines/rules/report-request.ts'
import { countChosen } from '../../actors/report-selection.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'

const structureOf = (fleet: Fleet): number => fleet.structure

/**
 * What a choice comes to, in words: of how many the report will be, each counted once.
 * @param allKind what ALL stands for; undefined: every device
 */
export function useChosenCount(
  { groups, devices }: Pick<ReportChoice, 'groups' | 'devices'>,
  allKind: DeviceType | undefined,
  noun: 'device' | 'vehicle',
): string {
  const fleet = useFleetItself()
  const structure = useFleet(structureOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: devices and groups are others when the structure is
  return useMemo(() => {
    const count = countChosen(fleet, { groups, devices }, allKind)
    const isAny = groups.size > 0 || devices === 'all' || devices.size > 0
    if (count === 0) return isAny ? `There are no ${noun}s in what is chosen.` : `No ${noun}s chosen yet.`
    return `The report will be of ${counted(count, noun)}.`
  }, [fleet, structure, groups, devices, allKind, noun])
}
