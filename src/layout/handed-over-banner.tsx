import { KeyRound } from 'lucide-react'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { useKeptAnswer } from '../actors/use-kept-answer.ts'
import { useRoot, useSession } from '../actors/use-root.ts'
import { Button } from '../ui/button.tsx'

/** Above everything while an administrator is in a company that is not theirs: whose it is, and the way out. */
export function HandedOverBanner() {
  return useSession()?.isSuperAdminUser ? <Banner /> : null
}

function Banner() {
  const { session } = useRoot()
  const user = useSession()
  const { answer } = useKeptAnswer(AUTH_CALLS.me, {}, { isBackground: true })
  const company = answer?.companyName ?? user?.groupInfo.name
  return (
    <aside
      aria-label="Administrator"
      className="flex shrink-0 items-center gap-3 bg-accent-soft py-1 pr-2 pl-4 text-accent-strong desk:pl-5"
    >
      <KeyRound size={16} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1">
        You are in <span className="font-semibold">{company}</span> as an administrator.
        <span className="hidden tablet:inline"> What you change is changed for them.</span>
      </p>
      <Button kind="quiet" className="text-accent-strong" onPress={() => session.send({ type: 'sign-out' })}>
        Leave
      </Button>
    </aside>
  )
}
