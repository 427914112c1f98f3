import { Mail, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { iconButtonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { KnownUser } from './found-users.ts'

/** The columns where there is room for them; below that a row is a card. */
export const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(11rem,5fr)_minmax(11rem,6fr)_10rem_minmax(8rem,4fr)_13.5rem] desk:items-center desk:gap-3'

export type UserRowProps = {
  known: KnownUser
  /** the one who looks: nobody deletes themselves */
  isMe: boolean
  isResending: boolean
  onResend: () => void
  onDelete: () => void
}

/** The cells of one user. */
export function UserRow({ known: { user, name }, isMe, isResending, onResend, onDelete }: UserRowProps) {
  return (
    <>
      <td
        className={classNames(
          'flex min-w-0 max-desk:pr-22',
          user.activated ? 'items-center gap-2' : 'flex-col items-start gap-0.5',
        )}
      >
        <Link
          href={`/user/update/${user._id}`}
          title={name}
          className="max-w-full truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {name}
        </Link>
        {isMe && <Badge tone="accent">You</Badge>}
        {!user.activated && <Badge className="shrink-0">not activated yet</Badge>}
      </td>
      <td title={user.email} className={classNames(SOFT, 'block truncate max-desk:pr-22')}>
        {user.email}
      </td>
      <td className={classNames(SOFT, 'tabular inline-block whitespace-nowrap desk:block')}>{user.phone}</td>
      <td
        title={user.group.name}
        className={classNames(
          SOFT,
          "truncate max-desk:inline-block max-desk:max-w-50 max-desk:align-bottom max-desk:pl-1.5 max-desk:before:pr-1.5 max-desk:before:content-['·']",
        )}
      >
        {user.group.name}
      </td>
      <td className="flex items-center desk:justify-end">
        {!user.activated && (
          <Button
            kind="quiet"
            className="relative z-1 px-2 max-desk:-ml-2"
            isPending={isResending}
            onPress={onResend}
          >
            <Mail size={16} aria-hidden />
            Resend Link
          </Button>
        )}
        <span className="z-1 flex max-desk:absolute max-desk:top-1 max-desk:right-2 desk:relative">
          <Link href={`/user/update/${user._id}`} aria-label={`Edit ${name}`} className={iconButtonLook()}>
            <Pencil size={16} aria-hidden />
          </Link>
          {isMe ? (
            <span className="hidden size-control desk:block" />
          ) : (
            <IconButton aria-label={`Delete ${name}`} onPress={onDelete}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          )}
        </span>
      </td>
    </>
  )
}

const SOFT = 'text-ink-soft desk:text-ink'
