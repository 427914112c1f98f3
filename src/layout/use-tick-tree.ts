import { useMemo } from 'react'
import type { Fleet } from '../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../read-model/use-fleet.ts'
import type { TreeNode } from '../ui/tree-selection.ts'
import { tickTree } from './group-tree.ts'

const structureOf = (fleet: Fleet): number => fleet.structure

/** The visitor's groups, to tick some of. */
export function useTickTree(): TreeNode[] {
  const fleet = useFleetItself()
  const structure = useFleet(structureOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: groups and who is in them are others when the structure is
  return useMemo(() => tickTree(fleet), [fleet, structure])
}
