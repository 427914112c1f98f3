import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { is } from 'superstruct'
import { Link, useLocation, useRouter } from 'wouter'
import { type SavedView, ViewPath } from '#machines/contracts/entities/views.ts'
import { useViews } from '../actors/views.ts'
import { isCutShort } from '../format/page-address.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { KeptList } from './kept-list.tsx'
import { useOnlyNow, useWhenNow } from './past/past-context.ts'

const LONGEST_NAME = 60
const TOO_MUCH = 'More is picked on this page than a view can hold: pick fewer, and it can be saved'

/** The page as it stands is saved by name, for oneself or the group; those that are saved are opened and removed. */
export default function ViewsDialog({ onClose }: { onClose: () => void }) {
  const known = useViews()
  const { views, failure, ask, isActing, remove } = known
  const onlyNow = useOnlyNow()
  const path = usePathWithQuery()
  const refused = onlyNow ?? (isCutShort(path) || !is(path, ViewPath) ? TOO_MUCH : undefined)
  return (
    <Dialog
      title="Saved views"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isActing}
      className="max-w-130"
    >
      {refused === undefined ? (
        <SaveForm known={known} path={path} />
      ) : (
        <p className="pb-4 text-ink-soft">{refused}.</p>
      )}
      <KeptList
        what="The views"
        isThere={views !== undefined}
        failure={failure}
        onRetry={ask}
        skeletonRows={2}
      >
        {() =>
          views?.length === 0 ? (
            <p className="text-ink-soft">
              Nothing is saved yet. A view keeps the page with its filter, search, order and span.
            </p>
          ) : (
            <div className="flex max-h-80 flex-col gap-3 overflow-auto">
              <Views title="Mine" of={views?.filter(({ isGroups }) => !isGroups)} {...{ remove, onClose }} />
              <Views
                title="The group’s"
                of={views?.filter(({ isGroups }) => isGroups)}
                {...{ remove, onClose }}
              />
            </div>
          )
        }
      </KeptList>
    </Dialog>
  )
}

function SaveForm({ known, path }: { known: ReturnType<typeof useViews>; path: string }) {
  const { views = [], savesForGroup, isActing, save } = known
  const [name, setName] = useState('')
  const [isGroups, setGroups] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const wanted = name.trim()
  const same = views.some(
    (view) => view.isGroups === isGroups && view.name.toLowerCase() === wanted.toLowerCase(),
  )
  function submit(event: FormEvent): void {
    event.preventDefault()
    setMissing(wanted === '')
    if (wanted !== '') void save({ name: wanted, path, isGroups }, () => setName(''))
  }
  return (
    <form onSubmit={submit} className="flex flex-col pb-4">
      <div className="flex items-start gap-2">
        <TextField
          label="Save this page as"
          value={name}
          onChange={(text) => {
            setName(text)
            setMissing(false)
          }}
          maxLength={LONGEST_NAME}
          message={isMissing ? 'A view needs a name' : undefined}
          hint={same ? 'It takes the place of the view of this name' : ''}
          autoComplete="off"
          autoFocus
          className="min-w-0 flex-1"
        />
        <Button type="submit" kind="primary" isPending={isActing} className="mt-6">
          Save
        </Button>
      </div>
      {savesForGroup && <Switch label="For everybody of the group" isOn={isGroups} onChange={setGroups} />}
    </form>
  )
}

type ViewsProps = {
  title: string
  of: SavedView[] | undefined
  remove: (view: SavedView) => Promise<void>
  onClose: () => void
}

function Views({ title, of: views = [], remove, onClose }: ViewsProps) {
  const whenNow = useWhenNow()
  if (views.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="pb-1 font-medium text-dense text-ink-soft">{title}</h3>
      <ul>
        {views.map((view) => (
          <li key={view._id} className="flex items-center gap-1">
            <Link
              href={view.path}
              onClick={onClose}
              className="flex min-h-control min-w-0 flex-1 items-baseline gap-2 rounded-small px-2 py-1.5 hover:bg-hover"
            >
              <span className="truncate">{view.name}</span>
              {view.isGroups && view.savedBy !== '' && (
                <span className="shrink-0 text-dense text-ink-faint">by {view.savedBy}</span>
              )}
            </Link>
            {view.mayRemove && (
              <Tooltip text="Remove">
                <IconButton
                  aria-label={`Remove “${view.name}”`}
                  onPress={() => whenNow(() => void remove(view))}
                >
                  <Trash2 size={16} aria-hidden />
                </IconButton>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the address says, as it is written there: wouter's own useSearch decodes it. */
function usePathWithQuery(): string {
  const router = useRouter()
  const [path] = useLocation()
  const search = router.searchHook(router).replace(/^\?/, '')
  return search === '' ? path : `${path}?${search}`
}
