import { Link, useLocation } from 'wouter'
import { useSession } from '../actors/use-root.ts'
import { buttonLook } from '../ui/button-look.ts'
import { classNames } from '../ui/class-names.ts'
import { Mark } from './brand.tsx'

const PAGES = [
  { path: '/lab/recordings', title: 'Recordings' },
  { path: '/lab', title: 'Machines' },
] as const

/** The head of the pages for testers, which need no session. `title`: of the one that is shown. */
export function LabHeader({ title }: { title: string }) {
  const [location] = useLocation()
  const isSignedIn = useSession() !== null
  const here = PAGES.find(({ path }) => location === path || location.startsWith(`${path}/`))
  return (
    <header className="flex h-header shrink-0 items-center gap-3 px-4 text-accent">
      <Mark size={20} />
      <h1 className="sr-only">{title}</h1>
      <span aria-hidden className="font-semibold text-ink max-tablet:hidden">
        Lab
      </span>
      <nav aria-label="Lab" className="flex items-center gap-1">
        {PAGES.toReversed().map((page) => (
          <Link
            key={page.path}
            href={page.path}
            aria-current={page === here ? 'page' : undefined}
            className={classNames(
              'flex h-control items-center rounded-small px-3 font-medium',
              page === here ? 'bg-accent-soft text-ink' : 'text-ink-soft hover:bg-hover hover:text-ink',
            )}
          >
            {page.title}
          </Link>
        ))}
      </nav>
      <Link href={isSignedIn ? '/' : '/login'} className={buttonLook('quiet', 'ml-auto')}>
        {isSignedIn ? 'To the dashboard' : 'To sign-in'}
      </Link>
    </header>
  )
}
