import { Mail, Phone, User } from 'lucide-react'
import type { AccountManager } from '#machines/contracts/entities/companies.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'

/** A suspended company: who to call. */
export default function Suspended({ manager }: { manager: AccountManager }) {
  const { session } = useRoot()
  return (
    <div role="alert">
      <h1 className="font-semibold text-title">
        Company is Suspended. Please Contact Business Account Manager!
      </h1>
      <ul className="my-6 flex flex-col gap-1 rounded-panel bg-ground p-2">
        <li className={line}>
          <User size={18} aria-hidden className="text-ink-faint" />
          <span className="font-medium">
            {manager.firstName} {manager.lastName}
          </span>
        </li>
        <li className={line}>
          <Mail size={18} aria-hidden className="text-ink-faint" />
          <a href={`mailto:${manager.email}`} className="truncate text-accent hover:underline">
            {manager.email}
          </a>
        </li>
        <li className={line}>
          <Phone size={18} aria-hidden className="text-ink-faint" />
          <a href={`tel:${manager.phone}`} className="tabular text-accent hover:underline">
            {manager.phone}
          </a>
        </li>
      </ul>
      <button
        type="button"
        className={buttonLook('plain')}
        onClick={() => session.send({ type: 'sign-in.again' })}
      >
        Back to sign in
      </button>
    </div>
  )
}

const line = 'flex min-h-control items-center gap-3 px-3'
