import { Link } from 'wouter'
import { Mark } from './brand.tsx'

/** Frostline's mark and, where there is room, its name: the way to the first page. */
export function HomeLink({ isWide }: { isWide: boolean }) {
  return (
    <Link
      href="/"
      aria-label="Frostline, Dashboard"
      className="flex h-header shrink-0 items-center gap-3 px-5 text-accent -outline-offset-4"
    >
      <Mark size={20} />
      {isWide && <span className="font-semibold text-ink tracking-tight">Frostline</span>}
    </Link>
  )
}
