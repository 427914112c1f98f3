import { Clapperboard, Menu as MenuIcon, Search } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Link } from 'wouter'
import type { Live } from '../actors/root.ts'
import { useStore } from '../actors/store.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { toggled } from '../effects/director-memory.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { commandKey, Kbd } from '../ui/kbd.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { Bell } from './bell.tsx'
import { LinkIndicator } from './link-indicator.tsx'
import { UserMenu } from './user-menu.tsx'

export type HeaderProps = {
  /** undefined until it has begun */
  live: Live | undefined
  onMenu: () => void
  onSearch: () => void
}

/** Above every page: search, how live the data is, what happened today, whose group this is, who one is. */
export function Header({ live, onMenu, onSearch }: HeaderProps) {
  return (
    <header className="flex h-header shrink-0 items-center gap-1 px-2 tablet:gap-2 desk:px-4 desk:pl-2">
      <div className="desk:hidden">
        <IconButton aria-label="Open menu" onPress={onMenu}>
          <MenuIcon size={20} aria-hidden />
        </IconButton>
      </div>
      <AriaButton
        onPress={onSearch}
        className="flex h-control min-w-0 items-center gap-2 rounded-small px-3 text-ink-faint data-hovered:bg-hover desk:w-72 desk:bg-hover desk:data-hovered:bg-line"
      >
        <Search size={16} aria-hidden className="shrink-0" />
        <span className="sr-only min-w-0 flex-1 truncate text-left desk:not-sr-only desk:truncate">
          Search or go to
        </span>
        <span aria-hidden className="hidden shrink-0 items-center gap-1 desk:flex">
          <Kbd>{commandKey}</Kbd>
          <Kbd>K</Kbd>
        </span>
      </AriaButton>
      <div className="flex-1" />
      <LinkIndicator />
      <DirectorButton />
      {live && <Bell live={live} />}
      <GroupImage />
      <UserMenu />
    </header>
  )
}

/** Where the world is simulated: its director's panel, which the key D opens too. */
function DirectorButton() {
  const { director, server } = useRoot()
  const { isOpen } = useStore(director)
  if (useStore(server)?.simulator !== true) return null
  return (
    <Tooltip text="Director’s panel (D)">
      <IconButton
        aria-label="Director’s panel"
        aria-expanded={isOpen}
        onPress={() => director.set(toggled(director.get()))}
      >
        <Clapperboard size={18} aria-hidden />
      </IconButton>
    </Tooltip>
  )
}

/** The group's picture, or its first letters; leads to its settings. */
function GroupImage() {
  const { groupInfo } = useSignedIn()
  return (
    <Link
      href="/account"
      aria-label={`${groupInfo.name}, group settings`}
      title={groupInfo.name}
      className="flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-small bg-accent-soft font-semibold text-accent-strong text-dense"
    >
      {groupInfo.groupImage ? (
        <img src={groupInfo.groupImage} alt="" className="size-full object-cover" />
      ) : (
        // Drawn, not said: the link has its name.
        <span
          aria-hidden
          data-letters={initialsOf(groupInfo.name)}
          className="before:content-[attr(data-letters)]"
        />
      )}
    </Link>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
}
