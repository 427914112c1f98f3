import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Button } from './button.tsx'
import { CheckTree } from './check-tree.tsx'
import { classNames } from './class-names.ts'
import { trigger } from './multi-select.tsx'
import { Popover } from './popover.tsx'
import { SearchInput } from './search-input.tsx'
import { idsBelow, matchingNodes, type TreeNode } from './tree-selection.ts'

export type TreeMultiSelectProps = {
  label: string
  /** several of them, in words: 'groups' */
  noun: string
  nodes: readonly TreeNode[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
  isDisabled?: boolean
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
  className,
}: TreeMultiSelectProps) {
  const every = useMemo(() => nodes.flatMap(idsBelow), [nodes])
  const count = every.filter((id) => picked.has(id)).length
  const summary =
    count === 0 ? `No ${noun}` : count === every.length ? `All ${noun}` : `${count} of ${every.length}`
  return (
    <DialogTrigger>
      <AriaButton isDisabled={isDisabled} className={classNames(trigger, className)}>
        <span className="text-ink-faint">{label}</span>
        <span className="tabular min-w-0 flex-1 truncate text-left font-medium">{summary}</span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-ink-faint" />
      </AriaButton>
      <Popover placement="bottom start" className="w-84">
        <Dialog aria-label={label} className="flex min-h-0 flex-col outline-none">
          <Branches label={label} noun={noun} nodes={nodes} picked={picked} onChange={onChange} />
          <div className="flex items-center justify-end gap-1 border-line border-t p-1">
            <Button kind="quiet" onPress={() => onChange(new Set(every))}>
              Select all
            </Button>
            <Button kind="quiet" onPress={() => onChange(new Set())}>
              Clear
            </Button>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Branches({ label, noun, nodes, picked, onChange }: TreeMultiSelectProps) {
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
