import { useMemo } from 'react'
import type { Fleet } from '../read-model/fleet.ts'
import { useFleet } from '../read-model/use-fleet.ts'
import { TreeSelect } from '../ui/tree-select.tsx'
import { groupTree } from './group-tree.ts'

const groupsOf = (fleet: Fleet) => fleet.groups.list

/** The group that an address names, where the visitor sees it. */
export function useNamedGroup(named: string | null, otherwise: string): string {
  const groups = useFleet(groupsOf)
  return named !== null && groups.some(({ _id }) => _id === named) ? named : otherwise
}

/** One of the visitor's groups is chosen, for a whole page. */
export function GroupPicker({ value, onChange }: { value: string; onChange: (groupId: string) => void }) {
  const groups = useFleet(groupsOf)
  const nodes = useMemo(() => groupTree(groups), [groups])
  return <TreeSelect label="Group" noun="groups" nodes={nodes} value={value} onChange={onChange} />
}
