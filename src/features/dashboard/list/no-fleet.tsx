import { FileUp, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import { mayEnterCompanies } from '../../../actors/session-actor.ts'
import { useKeptAnswer } from '../../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../../actors/use-root.ts'
import { NoCompany } from '../../../layout/no-company.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** The visitor's group has no device at all: how the first one comes, or who brings it. */
export default function NoFleet() {
  return mayEnterCompanies(useSignedIn()) ? <NoCompany /> : <InCompany />
}

function InCompany() {
  const { answer, failure } = useKeptAnswer(
    REGISTRATION_CALLS.unknownDevices,
    {},
    { isBackground: true, changes: ['groups'] },
  )
  if (answer?.mayRegister)
    return (
      <EmptyState
        title="No devices yet"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link href="/devices/import" className={buttonLook('plain')}>
              <FileUp size={16} aria-hidden />
              Import a list
            </Link>
            <Link href="/devices/add" className={buttonLook('primary')}>
              <Plus size={16} aria-hidden />
              Add Device
            </Link>
          </div>
        }
      >
        Add one by its IMEI, or import a list of them. Each is on the map with its first reading.
        {answer.devices.length > 0 && (
          <Link href="/devices" className="mt-2 block font-medium text-accent hover:underline">
            {knockedWords(answer.devices.length)}
          </Link>
        )}
      </EmptyState>
    )
  return (
    <EmptyState
      title="No devices yet"
      {...(answer && {
        action: (
          <Link href="/help" className={buttonLook('plain')}>
            Help
          </Link>
        ),
      })}
    >
      {answer || failure
        ? 'An administrator of the server adds them, or lets managers of your company do it. They show up here by themselves.'
        : 'No device is in your group yet.'}
    </EmptyState>
  )
}

const knockedWords = (count: number): string =>
  count === 1 ? 'A device that nobody knows is sending' : `${count} devices that nobody knows are sending`
