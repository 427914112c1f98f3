import { Mail, Phone, User } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountManager } from '#machines/contracts/entities/companies.ts'

/** Who to call about a company. */
export function ManagerContact({
  manager: { firstName, lastName, email, phone },
}: {
  manager: AccountManager
}) {
  return (
    <ul className="flex flex-col gap-1">
      <Line icon={<User size={18} aria-hidden />}>
        <span className="font-medium">
          {firstName} {lastName}
        </span>
      </Line>
      <Line icon={<Mail size={18} aria-hidden />}>
        <a href={`mailto:${email}`} className="truncate text-accent hover:underline">
          {email}
        </a>
      </Line>
      <Line icon={<Phone size={18} aria-hidden />}>
        <a href={`tel:${phone}`} className="tabular text-accent hover:underline">
          {phone}
        </a>
      </Line>
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
