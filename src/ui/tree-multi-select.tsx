import { lazy, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { PickerButton, PickerField } from './picker-button.tsx'
import { PopUp } from './pop-up.tsx'
import { SearchInput } from './search-input.tsx'
import { idsBelow, matchingNodes, type TreeNode } from './tree-selection.ts'

const CheckTree = lazy(async () => ({ default: (await import('./check-tree.tsx')).CheckTree }))

export type TreeMultiSelectProps = {
  label: string
  /** several of them, in words: 'groups' */
  noun: string
  nodes: readonly TreeNode[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
  isDisabled?: boolean
  /** a field of a form: its label above it, and below it a line for what is wrong */
  isField?: boolean
  message?: string | undefined
  className?: string
}

/** Any number of things in a tree (groups), with search, Select all and Clear. */
export function TreeMultiSelect({
  label,
  noun,
  nodes,
  picked,
  onChange,
  isDisabled = false,
  isField = false,
  message,
  className,
}: TreeMultiSelectProps) {
  const every = useMemo(() => nodes.flatMap(idsBelow), [nodes])
  const count = every.filter((id) => picked.has(id)).length
  const summary =
    count === 0 ? `No ${noun}` : count === every.length ? `All ${noun}` : `${count} of ${every.length}`
  const picker = (
    <PopUp
      label={label}
      placement="bottom start"
      className="w-84"
      button={<PickerButton {...{ label, summary, isDisabled, isField, message, className }} />}
    >
      {() => (
        <>
          <Branches label={label} noun={noun} nodes={nodes} picked={picked} onChange={onChange} />
          <div className="flex items-center justify-end gap-1 border-line border-t p-1">
            <Button kind="quiet" onPress={() => onChange(new Set(every))}>
              Select all
            </Button>
            <Button kind="quiet" onPress={() => onChange(new Set())}>
              Clear
            </Button>
          </div>
        </>
      )}
    </PopUp>
  )
  return isField ? <PickerField {...{ label, message }}>{picker}</PickerField> : picker
}

type BranchesProps = Pick<TreeMultiSelectProps, 'label' | 'noun' | 'nodes' | 'picked' | 'onChange'>

function Branches({ label, noun, nodes, picked, onChange }: BranchesProps) {
  const [query, setQuery] = useState('')
  const shown = useMemo(() => matchingNodes(nodes, query), [nodes, query])
  return (
    <>
      <SearchInput
        aria-label={`Search ${noun}`}
        placeholder={`Search ${noun}`}
        value={query}
        onChange={setQuery}
        autoFocus
      />
      <div className="max-h-[50vh] min-h-40 overflow-y-auto border-line border-t">
        {shown.length === 0 ? (
          <p className="p-4 text-ink-soft">No {noun} match</p>
        ) : (
          // A search unfolds what it finds: another tree for another question.
          <CheckTree
            key={query}
            aria-label={label}
            nodes={nodes}
            shown={shown}
            picked={picked}
            onChange={onChange}
          />
        )}
      </div>
    </>
  )
}
