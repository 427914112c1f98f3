import { LifeBuoy, type LucideIcon, Mail, Phone, Siren, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { AccountManager, Partner } from '#machines/contracts/entities/companies.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { KeyList } from '../../layout/key-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** `/help`: whom to call. */
export default function Help() {
  const { groupId } = useSignedIn().user
  const { answer, failure, ask } = useKeptAnswer(GROUP_CALLS.group, { params: { id: groupId } })
  return (
    <Page title="Help" description="Whom to call, and the keys.">
      {answer ? (
        <Contacts partner={onRecord(answer.partner)} manager={onRecord(answer.bam)} />
      ) : failure ? (
        <Panel className="flex-1">
          <ErrorState
            title="The contacts could not be loaded"
            details={failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          />
        </Panel>
      ) : (
        <div role="status" aria-label="Loading" className="grid gap-4 tablet:grid-cols-2">
          <Skeleton className="h-36" />
          <Skeleton className="h-36" />
        </div>
      )}
      <Panel title="Keys" className="touch:hidden">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where nothing else takes the focus, the page scrolls by keys from here */}
        <section aria-label="All keys" tabIndex={0} className="rounded-panel px-4 pt-2">
          <KeyList />
        </section>
      </Panel>
    </Page>
  )
}

/** null: nothing of it is */
const onRecord = <Of extends object>(of: Of | null | undefined): Of | null =>
  of && Object.values(of).some((text) => text !== '') ? of : null

function Contacts({ partner, manager }: { partner: Partner | null; manager: AccountManager | null }) {
  if (partner === null && manager === null)
    return (
      <Panel className="flex-1">
        <EmptyState title="No contacts yet" icon={<LifeBuoy size={22} aria-hidden />}>
          Your company has no emergency help line and no business account manager on record. Whoever looks
          after your account can have them added.
        </EmptyState>
      </Panel>
    )
  return (
    <div className="grid items-start gap-4 tablet:grid-cols-2">
      {partner && (
        <Contact title="Emergency Help Line" Icon={Siren}>
          <Way href={`tel:${partner.emergencyHelpLineNumber}`} Icon={Phone} label="Number">
            {partner.emergencyHelpLineNumber}
          </Way>
          <Way href={`mailto:${partner.emergencyEmail}`} Icon={Mail} label="Email">
            {partner.emergencyEmail}
          </Way>
        </Contact>
      )}
      {manager && (
        <Contact title="Business Account Manager" Icon={UserRound}>
          <p className="py-2 font-medium empty:hidden">{`${manager.firstName} ${manager.lastName}`.trim()}</p>
          <Way href={`tel:${manager.phone}`} Icon={Phone} label="Phone">
            {manager.phone}
          </Way>
          <Way href={`mailto:${manager.email}`} Icon={Mail} label="Email">
            {manager.email}
          </Way>
        </Contact>
      )}
    </div>
  )
}

function Contact({ title, Icon, children }: { title: string; Icon: LucideIcon; children: ReactNode }) {
  return (
    <Panel className="flex gap-4 p-5">
      <Icon size={20} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        {children}
      </div>
    </Panel>
  )
}

type WayProps = { href: string; Icon: LucideIcon; label: string; children: string }

function Way({ href, Icon, label, children }: WayProps) {
  if (children === '') return null
  return (
    <a href={href} className="flex min-h-control items-center gap-3 break-all text-accent hover:underline">
      <Icon size={16} aria-hidden className="shrink-0 text-ink-faint" />
      <span className="sr-only">{`${label}: `}</span>
      {children}
    </a>
  )
}
