import { ArrowRight, PackageOpen } from 'lucide-react'
import { Link } from 'wouter'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { ManagerContact } from './manager-contact.tsx'

/** Where one comes in when no device is assigned to one's group: what that means, and whom to ask. */
export default function Assignment() {
  const total = useFleet(totalOf)
  return (
    <div className="mx-auto flex min-h-full max-w-130 flex-col justify-center gap-4 p-4">
      <h1 className="sr-only">No devices assigned</h1>
      <div className="flex size-12 items-center justify-center rounded-full bg-hover text-ink-faint">
        <PackageOpen size={22} aria-hidden />
      </div>
      {total > 0 ? <Assigned total={total} /> : <NothingYet />}
    </div>
  )
}

const totalOf = (fleet: Fleet): number => fleet.counts.total

/** Somebody assigned devices while this page was open. */
function Assigned({ total }: { total: number }) {
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="font-semibold text-title">
        {total === 1 ? 'A device was' : `${formatCount(total)} devices were`} assigned to you
      </p>
      <Link href="/" className={buttonLook('primary', 'self-start')}>
        Go to the dashboard
        <ArrowRight size={16} aria-hidden />
      </Link>
    </div>
  )
}

function NothingYet() {
  const { session } = useRoot()
  const { groupInfo, user } = useSignedIn()
  const { answer } = useKeptAnswer(GROUP_CALLS.group, { params: { id: user.groupId } })
  const manager = answer?.bam
  const isTop = groupInfo.depthLevel === 1
  return (
    <>
      <p className="font-semibold text-title">No devices are assigned to you yet</p>
      <p className="text-ink-soft">
        You see the vehicles and warehouses of your group and of all below it.{' '}
        <span className="font-medium text-ink">{groupInfo.name}</span> has none so far, so there is nothing on
        the map. They appear here by themselves once they are {isTop ? 'added' : 'assigned'}.
      </p>
      <section aria-labelledby="whom-to-ask" className="rounded-panel bg-surface p-2 shadow-soft">
        <h2 id="whom-to-ask" className="px-3 py-2 font-semibold">
          Whom to ask
        </h2>
        {isTop ? (
          <WhoAdds />
        ) : (
          <p className="px-3 pb-2 text-ink-soft">
            Whoever looks after the group above yours: they assign devices under Groups.
          </p>
        )}
        {manager && (
          <p className="px-3 pb-2 text-ink-soft">Or the business account manager of your company:</p>
        )}
        {manager && <ManagerContact manager={manager} />}
      </section>
      <Button className="self-start" onPress={() => session.send({ type: 'sign-out' })}>
        Logout
      </Button>
    </>
  )
}

/** There is no group above a company's top one: its devices come from who adds them. */
function WhoAdds() {
  const { answer } = useKeptAnswer(REGISTRATION_CALLS.unknownDevices, {}, { isBackground: true })
  if (answer?.mayRegister)
    return (
      <p className="px-3 pb-2 text-ink-soft">
        Your group is the whole company, and you may{' '}
        <Link href="/devices/add" className="font-medium text-accent hover:underline">
          add its devices
        </Link>{' '}
        yourself.
      </p>
    )
  return (
    <p className="px-3 pb-2 text-ink-soft">
      Your group is the whole company. An administrator of the server adds its devices, or lets managers of
      your company do it.
    </p>
  )
}
