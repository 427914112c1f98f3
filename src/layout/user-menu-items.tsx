import {
  Bookmark,
  Building2,
  CircleHelp,
  Info,
  LogOut,
  Monitor,
  MonitorUp,
  Moon,
  Settings,
  Sun,
  Users,
} from 'lucide-react'
import { COMPANIES_PATH, mayEnterCompanies } from '../actors/session-actor.ts'
import { useStore } from '../actors/store.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { MenuItem, MenuList, MenuSection, MenuSeparator } from '../ui/menu.tsx'
import type { Opened } from '../ui/pop-up.tsx'

const themes = [
  { id: 'system', title: 'As the system', Icon: Monitor },
  { id: 'light', title: 'Light', Icon: Sun },
  { id: 'dark', title: 'Dark', Icon: Moon },
] as const

/** What one does about oneself: help, settings, the theme, leaving. */
export default function UserMenuItems({ close, isByKey, onViews }: Opened & { onViews: () => void }) {
  const { session, preferences, goTo } = useRoot()
  const signedIn = useSignedIn()
  const { theme } = useStore(preferences)
  return (
    <MenuList aria-label="User" onClose={close} autoFocus={isByKey ? 'first' : true}>
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
      <MenuItem icon={<MonitorUp size={16} />} onAction={() => goTo('/?wall=1')}>
        Wall
      </MenuItem>
      <MenuItem icon={<Bookmark size={16} />} onAction={onViews}>
        Saved views
      </MenuItem>
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
    </MenuList>
  )
}
