import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { useSignedIn } from '../actors/use-root.ts'
import { PopUp } from '../ui/pop-up.tsx'
import { lazyPart } from './lazy-part.ts'

const Items = lazyPart(() => import('./user-menu-items.tsx'))
const ViewsDialog = lazyPart(() => import('./views-dialog.tsx'))

/** Who one is, and below it what one does about it. */
export function UserMenu() {
  const { user } = useSignedIn()
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <PopUp
        label="User"
        kind="menu"
        placement="bottom end"
        className="min-w-52"
        button={
          <AriaButton className="flex h-control items-center gap-2 rounded-small px-2 font-medium text-ink data-hovered:bg-hover aria-expanded:bg-hover">
            <span
              aria-hidden
              data-letter={user.name.charAt(0).toUpperCase()}
              className="flex size-7 items-center justify-center rounded-full bg-hover font-semibold text-dense text-ink-soft before:content-[attr(data-letter)]"
            />
            <span className="sr-only max-w-40 truncate desk:not-sr-only desk:truncate">{user.name}</span>
            <span className="sr-only">, menu</span>
            <ChevronDown size={16} aria-hidden className="hidden text-ink-faint desk:inline" />
          </AriaButton>
        }
      >
        {(opened) => <Items {...opened} onViews={() => setSaving(true)} />}
      </PopUp>
      {isSaving && <ViewsDialog onClose={() => setSaving(false)} />}
    </>
  )
}
