import { Link } from 'wouter'
import { buttonLook } from '../../ui/button-look.ts'

/** To the sign-in form, beside what a page is for. */
export function WayBack() {
  return (
    <Link href="/login" className="mt-4 self-start rounded-small font-medium text-accent hover:underline">
      Back to sign in
    </Link>
  )
}

/** The same as the main thing to do. */
export function WayToLogin() {
  return (
    <Link href="/login" className={buttonLook('primary')}>
      Goto Login Page
    </Link>
  )
}
