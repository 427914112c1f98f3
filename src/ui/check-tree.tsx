import { ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import { Collection } from 'react-aria-components/Collection'
import { Button, Checkbox, Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree'
import { classNames } from './class-names.ts'
import { Tick } from './tick.tsx'
import { idsBelow, type TreeNode, tickedOf, withBare, withToggled } from './tree-selection.ts'

export type CheckTreeProps = {
  'aria-label': string
  nodes: readonly TreeNode[]
  /** those of the nodes to show; all where left out. A tick counts in the whole tree, whatever a search leaves of it. */
  shown?: readonly TreeNode[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
  /** ids unfolded at first; all where left out */
  unfolded?: readonly string[]
  className?: string
}

/** A tree to tick: a tick takes all below with it, a part of it shows as a dash. Arrow keys walk and unfold. */
export function CheckTree({
  nodes,
  shown = nodes,
  picked,
  onChange,
  unfolded,
  className,
  ...props
}: CheckTreeProps) {
  const shownIds = shown.flatMap(idsBelow)
  const whole = useMemo(() => new Map(everyNode(nodes).map((node) => [node.id, node])), [nodes])
  return (
    <Tree
      aria-label={props['aria-label']}
      items={shown}
      selectionMode="multiple"
      escapeKeyBehavior="none"
      selectedKeys={picked}
      onSelectionChange={(keys) =>
        onChange(
          withBare(nodes, afterChange(whole, picked, keys === 'all' ? [...picked, ...shownIds] : keys)),
        )
      }
      defaultExpandedKeys={unfolded ?? shownIds}
      dependencies={[picked]}
      className={classNames('overflow-y-auto p-1 outline-none', className)}
    >
      {(node) => <CheckTreeItem node={node} whole={whole} picked={picked} />}
    </Tree>
  )
}

type ItemProps = { node: TreeNode; whole: ReadonlyMap<string, TreeNode>; picked: ReadonlySet<string> }

function CheckTreeItem({ node, whole, picked }: ItemProps) {
  const ticked = tickedOf(whole.get(node.id) ?? node, picked)
  return (
    <TreeItem
      id={node.id}
      textValue={node.text}
      className="rounded-small outline-none data-hovered:bg-hover data-focus-visible:outline-2 data-focus-visible:-outline-offset-2 data-focus-visible:outline-focus"
    >
      <TreeItemContent>
        {({ hasChildItems, level }) => (
          <div className="flex h-row items-center gap-2 pr-3" style={{ paddingLeft: (level - 1) * 20 }}>
            {hasChildItems ? (
              <Button
                slot="chevron"
                className="flex h-row w-7 items-center justify-center rounded-small text-ink-faint transition-transform in-data-expanded:rotate-90"
              >
                <ChevronRight size={16} aria-hidden />
              </Button>
            ) : (
              <span className="w-7" />
            )}
            <Checkbox
              slot="selection"
              isIndeterminate={ticked === 'some'}
              className="relative flex h-row items-center"
            >
              <Tick ticked={ticked} />
            </Checkbox>
            <span className="min-w-0 flex-1 truncate">{node.text}</span>
            {node.detail && <span className="tabular text-dense text-ink-faint">{node.detail}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children} dependencies={[picked]}>
        {(child) => <CheckTreeItem node={child} whole={whole} picked={picked} />}
      </Collection>
    </TreeItem>
  )
}

/** The tree tells all that is selected now; each that changed is turned over with all below it, unless one above was. */
function afterChange(
  whole: ReadonlyMap<string, TreeNode>,
  before: ReadonlySet<string>,
  keys: Iterable<React.Key>,
): ReadonlySet<string> {
  const now = new Set([...keys].map(String))
  let picked = before
  for (const [id, node] of whole)
    if (now.has(id) !== before.has(id) && now.has(id) !== picked.has(id)) picked = withToggled(node, picked)
  return picked
}

function everyNode(nodes: readonly TreeNode[]): TreeNode[] {
  return nodes.flatMap((node) => [node, ...everyNode(node.children)])
}
