import { Compass } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { EmptyState } from '../../ui/empty-state.tsx'

/** An address nobody lives at. */
export default function NotFound() {
  const [location] = useLocation()
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        title="There is no such page"
        icon={<Compass size={22} aria-hidden />}
        action={
          <Link href="/" className="font-medium text-accent hover:underline">
            Go to the dashboard
          </Link>
        }
      >
        Nothing is at <span className="font-medium text-ink">{location}</span>. The address may be mistyped,
        or the page has moved.
      </EmptyState>
    </>
  )
}
