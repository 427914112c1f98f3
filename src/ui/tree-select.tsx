import { Check, ChevronDown } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { FieldFrame } from './field-frame.tsx'
import { OptionList } from './option-list.tsx'
import { fromArray, type Option } from './options.ts'
import { PopUp } from './pop-up.tsx'
import { SearchInput } from './search-input.tsx'
import type { TreeNode } from './tree-selection.ts'
import { useActiveOption } from './use-active-option.ts'

export type TreeSelectProps = {
  label: string
  /** several of them, in words: 'groups' */
  noun: string
  nodes: readonly TreeNode[]
  /** id of the one chosen; '' where none is */
  value: string
  onChange: (id: string) => void
  placeholder?: string
  message?: string | undefined
  isDisabled?: boolean
}

/** One thing of a tree (a group), with search. Arrow keys walk it from the search field. */
export function TreeSelect(props: TreeSelectProps) {
  const { label, nodes, value, placeholder = 'Select', message, isDisabled = false } = props
  const id = useId()
  const chosen = useMemo(() => branches(nodes).find((branch) => branch.id === value), [nodes, value])
  return (
    <FieldFrame id={id} label={label} message={message}>
      <PopUp
        label={label}
        placement="bottom start"
        className="w-84 min-w-(--trigger-width)"
        button={
          <AriaButton
            isDisabled={isDisabled}
            aria-labelledby={`${id}-label ${id}-chosen`}
            {...(message !== undefined && { 'aria-describedby': `${id}-message` })}
            className="flex h-control min-w-0 items-center gap-2 rounded-small bg-raised px-3 text-left text-body outline outline-1 -outline-offset-1 outline-edge disabled:opacity-50 data-focus-visible:outline-2 data-focus-visible:outline-focus group-data-invalid/field:outline-error"
          >
            <span
              id={`${id}-chosen`}
              title={chosen === undefined ? undefined : wayOf(chosen)}
              className={`min-w-0 flex-1 truncate ${chosen === undefined ? 'text-ink-faint' : ''}`}
            >
              {chosen?.text ?? placeholder}
            </span>
            <ChevronDown size={16} aria-hidden className="shrink-0 text-ink-faint" />
          </AriaButton>
        }
      >
        {({ close }) => <TreeChoices {...props} onDone={close} />}
      </PopUp>
    </FieldFrame>
  )
}

/** The tree itself with its search: the inside of a pop-up or a window. */
export function TreeChoices({
  label,
  noun,
  nodes,
  value,
  onChange,
  onDone,
}: TreeSelectProps & { onDone: () => void }) {
  const [query, setQuery] = useState('')
  const all = useMemo(() => branches(nodes), [nodes])
  const found = useMemo(() => all.filter((branch) => holds(branch, query)), [all, query])
  const pick = (index: number): void => {
    const branch = found[index]
    if (branch === undefined) return
    onChange(branch.id)
    onDone()
  }
  const start = Math.max(
    0,
    all.findIndex(({ id }) => id === value),
  )
  const active = useActiveOption(found.length, pick, { start })
  return (
    <>
      <SearchInput
        aria-label={`Search ${noun}`}
        placeholder={`Search ${noun}`}
        value={query}
        onChange={(text) => {
          setQuery(text)
          active.setIndex(0)
        }}
        active={active}
        autoFocus
      />
      {found.length === 0 ? (
        <p className="border-line border-t p-4 text-ink-soft">{`No ${noun} match`}</p>
      ) : (
        <OptionList
          aria-label={label}
          options={fromArray(found)}
          active={active}
          isSelected={({ id }) => id === value}
          isSingle
          onPick={pick}
          className="h-72 max-h-[50vh] border-line border-t py-1"
          render={({ id, text }, index) => (
            <>
              <span
                className="min-w-0 flex-1 truncate"
                style={{ paddingLeft: query === '' ? (found[index]?.above.length ?? 0) * 16 : 0 }}
              >
                {text}
                {query !== '' && (
                  <span className="pl-2 text-dense text-ink-faint">{found[index]?.above.join(' › ')}</span>
                )}
              </span>
              {id === value && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
            </>
          )}
        />
      )}
    </>
  )
}

/** A node with the names of those above it. */
type Branch = Option & { above: readonly string[] }

function branches(nodes: readonly TreeNode[], above: readonly string[] = []): Branch[] {
  return nodes.flatMap(({ id, text, children }) => [
    { id, text, above },
    ...branches(children, [...above, text]),
  ])
}

const wayOf = ({ text, above }: Branch): string => [...above, text].join(' › ')

const holds = ({ text }: Branch, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
