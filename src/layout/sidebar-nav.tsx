import {
  Boxes,
  ChartColumn,
  ChevronRight,
  FileText,
  FlaskConical,
  type LucideIcon,
  Map as MapIcon,
  Package,
  Settings,
  Thermometer,
} from 'lucide-react'
import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import { useStore } from '../actors/store.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { classNames } from '../ui/class-names.ts'
import { isHere, isUnfoldedAt, lab, type Place, places, type SectionName, sections } from './places.ts'
import { useUnfolded } from './use-unfolded.ts'

type Props = { isWide: boolean; onGo?: () => void }

const icons: Record<string, LucideIcon> = {
  '/': MapIcon,
  '/devices/chiller-observation': Thermometer,
  '/loads': Package,
  '/groups': Boxes,
  Reports: FileText,
  Visualization: ChartColumn,
  Settings,
}

/** The list in the sidebar: pages, then sections that fold. On the rail a section leads to its first page. */
export function SidebarNav({ isWide, onGo }: Props) {
  const [location] = useLocation()
  const { server, director } = useRoot()
  const isSimulated = useStore(server)?.simulator === true
  const hasTools = useStore(director).hasTools === true
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 py-1">
      <ul className="flex flex-col gap-px">
        {places
          .filter(({ section }) => section === undefined)
          .map((place) => (
            <li key={place.path}>
              <Entry
                place={place}
                icon={icons[place.path]}
                isHere={isHere(place, location)}
                isWide={isWide}
                onGo={onGo}
              />
            </li>
          ))}
        {sections.map((section) => (
          <Section key={section} section={section} location={location} isWide={isWide} onGo={onGo} />
        ))}
        {isSimulated && hasTools && (
          <li className="pt-2">
            <Entry place={lab} icon={FlaskConical} isHere={false} isWide={isWide} onGo={onGo} />
          </li>
        )}
      </ul>
    </div>
  )
}

function Section({
  section,
  location,
  isWide,
  onGo,
}: { section: SectionName; location: string } & EntryTail) {
  const { groupInfo } = useSignedIn()
  const [isUnfolded, setUnfolded] = useUnfolded(section, isUnfoldedAt(groupInfo.depthLevel, section))
  const listId = useId()
  const inside = places.filter((place) => place.section === section)
  const isInside = inside.some((place) => isHere(place, location))
  const Icon = icons[section]
  const first = inside[0]

  if (!isWide)
    return (
      <li>
        {first && (
          <Entry
            place={{ ...first, title: section }}
            icon={Icon}
            isHere={isInside}
            isWide={false}
            onGo={onGo}
          />
        )}
      </li>
    )
  return (
    <li className="pt-2">
      <button
        type="button"
        aria-expanded={isUnfolded}
        aria-controls={listId}
        onClick={() => setUnfolded(!isUnfolded)}
        className={classNames(
          'flex h-control w-full items-center gap-3 rounded-small px-3 font-medium hover:bg-hover hover:text-ink',
          isInside ? 'text-ink' : 'text-ink-soft',
        )}
      >
        {Icon && <Icon size={18} aria-hidden className={isInside ? 'text-accent' : 'text-ink-faint'} />}
        <span className="flex-1 text-left">{section}</span>
        <ChevronRight
          size={16}
          aria-hidden
          className={classNames(
            'text-ink-faint transition-transform duration-150',
            isUnfolded && 'rotate-90',
          )}
        />
      </button>
      <ul id={listId} hidden={!isUnfolded} className="flex flex-col gap-px pt-px">
        {inside.map((place) => (
          <li key={place.path}>
            <Entry place={place} isHere={isHere(place, location)} isWide onGo={onGo} />
          </li>
        ))}
      </ul>
    </li>
  )
}

type EntryTail = { isWide: boolean; onGo?: (() => void) | undefined }

function Entry({
  place,
  icon: Icon,
  isHere,
  isWide,
  onGo,
}: { place: Place; icon?: LucideIcon | undefined; isHere: boolean } & EntryTail) {
  return (
    <Link
      href={place.path}
      aria-current={isHere ? 'page' : undefined}
      title={isWide ? undefined : place.title}
      {...(onGo && { onClick: onGo })}
      className={classNames(
        'flex h-control items-center gap-3 rounded-small font-medium -outline-offset-2',
        isWide ? (Icon ? 'px-3' : 'pr-3 pl-10.5') : 'justify-center',
        isHere ? 'bg-accent-soft text-accent-strong' : 'text-ink-soft hover:bg-hover hover:text-ink',
      )}
    >
      {Icon && <Icon size={18} aria-hidden className={isHere ? 'text-accent' : 'text-ink-faint'} />}
      {isWide ? (
        <span className="truncate">{place.title}</span>
      ) : (
        <span className="sr-only">{place.title}</span>
      )}
    </Link>
  )
}
