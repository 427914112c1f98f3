import { Link } from 'wouter'
import { COMPANIES_PATH } from '../actors/session-actor.ts'
import { buttonLook } from '../ui/button-look.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** For an administrator in no company: devices are added in one, else they would be nobody's. */
export function NoCompany() {
  return (
    <EmptyState
      title="You are in no company"
      action={
        <Link href={COMPANIES_PATH} className={buttonLook('primary')}>
          Companies
        </Link>
      }
    >
      Enter a company to see its devices and to add some.
    </EmptyState>
  )
}
