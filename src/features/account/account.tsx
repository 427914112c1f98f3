import { Pencil } from 'lucide-react'
import { Link } from 'wouter'
import { useSignedIn } from '../../actors/use-root.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { NotificationSettingsForm } from '../../layout/notification-settings-form.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { AlertsSection } from './alerts-section.tsx'
import { EvaluationSection } from './evaluation-section.tsx'
import { HeadAddressSection } from './head-address-section.tsx'
import { ThresholdSection } from './threshold-section.tsx'

const AssignedProfile = lazyPart(() => import('../../layout/loads/assigned-profile.tsx'))

/** `/account`: the visitor's group with its thresholds, what they themselves are notified about, and who keeps the company's proof. */
export default function Account() {
  const { user, groupInfo } = useSignedIn()
  const [isOpen, setOpen] = useUnfolded('account settings', true)
  return (
    <Page title="Account">
      <div className="grid w-full max-w-240 items-start gap-4 wall:max-w-none wall:grid-cols-2">
        <Panel className="flex items-center gap-4 p-4 wall:col-span-2">
          {groupInfo.groupImage && (
            <img src={groupInfo.groupImage} alt="" className="size-14 shrink-0 rounded-panel object-cover" />
          )}
          <div className="min-w-0 flex-1">
            <p className="text-dense text-ink-soft">Group</p>
            <p title={groupInfo.name} className="truncate font-semibold text-title">
              {groupInfo.name}
            </p>
          </div>
          <Link href={`/account/update/${user.groupId}`} className={buttonLook('plain')}>
            <Pencil size={16} aria-hidden />
            Edit<span className="sr-only"> group</span>
          </Link>
        </Panel>
        {/* side by side each column goes on where its last panel ends */}
        <div className="grid min-w-0 gap-4">
          <ThresholdSection groupId={user.groupId} quantity="Temperature" />
          <ThresholdSection groupId={user.groupId} quantity="Humidity" />
          <AssignedProfile groupId={user.groupId} />
          <EvaluationSection groupId={user.groupId} />
        </div>
        <div className="grid min-w-0 gap-4">
          <AlertsSection userId={user._id} />
          {groupInfo.depthLevel === 1 && <HeadAddressSection companyId={user.companyId} />}
          <Disclosure title="Notification Settings" isOpen={isOpen} onOpenChange={setOpen}>
            <p className="pb-4 text-ink-soft">What the portal notifies you about.</p>
            <NotificationSettingsForm userId={user._id} />
          </Disclosure>
        </div>
      </div>
    </Page>
  )
}
