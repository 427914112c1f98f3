import {
  Building2,
  ChevronDown,
  CircleHelp,
  Info,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Sun,
  Users,
} from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { COMPANIES_PATH, mayEnterCompanies } from '../actors/session-actor.ts'
import { useStore } from '../actors/store.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '../ui/menu.tsx'

const themes = [
  { id: 'system', title: 'As the system', Icon: Monitor },
  { id: 'light', title: 'Light', Icon: Sun },
  { id: 'dark', title: 'Dark', Icon: Moon },
] as const

/** Who one is, and what one does about it: help, settings, the theme, leaving. */
export function UserMenu() {
  const { session, preferences, goTo } = useRoot()
  const signedIn = useSignedIn()
  const { user } = signedIn
  const { theme } = useStore(preferences)
  return (
    <MenuTrigger>
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
      <Menu aria-label="User">
        <MenuItem icon={<CircleHelp size={16} />} onAction={() => goTo('/help')}>
          Help
        </MenuItem>
        <MenuItem icon={<Info size={16} />} onAction={() => goTo('/aboutus')}>
          About Us
        </MenuItem>
        <MenuItem icon={<Settings size={16} />} onAction={() => goTo('/account')}>
          Account
        </MenuItem>
        <MenuItem icon={<Users size={16} />} onAction={() => goTo('/users')}>
          Users
        </MenuItem>
        {mayEnterCompanies(signedIn) && (
          <MenuItem icon={<Building2 size={16} />} onAction={() => goTo(COMPANIES_PATH)}>
            Companies
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuSection
          title="Theme"
          selectionMode="single"
          selectedKeys={[theme]}
          onSelectionChange={(keys) => {
            const chosen = themes.find(({ id }) => keys !== 'all' && keys.has(id))
            if (chosen) preferences.set({ ...preferences.get(), theme: chosen.id })
          }}
        >
          {themes.map(({ id, title, Icon }) => (
            <MenuItem key={id} id={id} icon={<Icon size={16} />}>
              {title}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSeparator />
        <MenuItem icon={<LogOut size={16} />} onAction={() => session.send({ type: 'sign-out' })}>
          Logout
        </MenuItem>
      </Menu>
    </MenuTrigger>
  )
}
