import { useActorRef, useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { inspect } from '../../actors/inspection.ts'
import { type LinkKind, linkIn } from '../../actors/password-forms.ts'
import { useRoot, useSession } from '../../actors/use-root.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AnotherUser } from './another-user.tsx'
import { LINK_TITLES, LinkForm } from './link-form.tsx'
import { DoneLink, ExpiredLink, UnansweredLink, UnknownLink, UsedLink } from './link-outcomes.tsx'
import { Outside } from './outside.tsx'

/** The page a mail leads to: the form where its link works, and what to do where it does not. */
export function LinkPage({ token, kind }: { token: string; kind: LinkKind }) {
  const root = useRoot()
  const session = useSession()
  const [machine] = useState(() => linkIn(root, kind))
  const isSomebodyIn = session !== null && kind.purpose === 'activation'
  const link = useActorRef(machine, { input: { token, isSomebodyIn }, inspect })
  const state = useSelector(link, (snapshot) => snapshot)
  useEffect(() => {
    if (!isSomebodyIn) link.send({ type: 'signed-out' })
  }, [isSomebodyIn, link])

  const parts = {
    refused: session && <AnotherUser session={session} />,
    checking: <Checking />,
    valid: <LinkForm link={link} kind={kind} token={token} />,
    setting: <LinkForm link={link} kind={kind} token={token} />,
    expired: <ExpiredLink link={link} kind={kind} />,
    used: <UsedLink kind={kind} />,
    unknown: <UnknownLink failure={state.context.failure} />,
    unanswered: <UnansweredLink link={link} />,
    done: <DoneLink kind={kind} message={state.context.message} />,
  }
  const name = (typeof state.value === 'string' ? state.value : 'expired') as keyof typeof parts
  // The form is one and the same before and while its password is set.
  return <Outside title={LINK_TITLES[kind.purpose]}>{name === 'setting' ? parts.valid : parts[name]}</Outside>
}

function Checking() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="h-9 w-3/4" />
      <Skeleton className="h-9" />
      <Skeleton className="h-9" />
      <Skeleton className="h-24" />
    </div>
  )
}
