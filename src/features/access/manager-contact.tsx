import { Mail, Phone, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountManager } from '#machines/contracts/entities/companies.ts'

/** Who to call about a company: what is on record of them. */
export function ManagerContact({ manager }: { manager: AccountManager }) {
  const { firstName, lastName, email, phone } = manager
  const name = `${firstName} ${lastName}`.trim()
  if (!(name || email || phone))
    return <p className="p-3 text-ink-soft">No business account manager is on record.</p>
  return (
    <ul className="flex flex-col gap-1">
      {name && (
        <Line icon={<User size={18} aria-hidden />}>
          <span className="font-medium">{name}</span>
        </Line>
      )}
      {email && (
        <Line icon={<Mail size={18} aria-hidden />}>
          <a href={`mailto:${email}`} className="truncate text-accent hover:underline">
            {email}
          </a>
        </Line>
      )}
      {phone && (
        <Line icon={<Phone size={18} aria-hidden />}>
          <a href={`tel:${phone}`} className="tabular text-accent hover:underline">
            {phone}
          </a>
        </Line>
      )}
    </ul>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-control items-center gap-3 px-3">
      <span className="text-ink-faint">{icon}</span>
      {children}
    </li>
  )
}
