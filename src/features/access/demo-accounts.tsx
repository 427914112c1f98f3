import { ArrowRight } from 'lucide-react'
import { useDemoAccounts } from '../../actors/demo-accounts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

type Props = {
  isDisabled: boolean
  onPick: (account: { username: string; password: string }) => void
}

/** With the device world on: accounts of the scenario, one press to be inside. */
export function DemoAccounts({ isDisabled, onPick }: Props) {
  const { answer: accounts, failure } = useDemoAccounts()
  if (failure !== null || accounts?.length === 0) return null
  return (
    <section aria-labelledby="demo-accounts" className="mt-6 rounded-panel bg-ground p-2">
      <div className="px-3 pt-2 pb-1">
        <h2 id="demo-accounts" className="font-semibold">
          Demo accounts
        </h2>
        <p className="text-dense text-ink-soft">
          The fleet is simulated. Choose who to be; the key D plays on the fleet.
        </p>
      </div>
      {accounts === undefined ? (
        <div role="status" aria-label="Loading" className="flex flex-col gap-2 p-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
      ) : (
        <ul>
          {accounts.map(({ email, userName, password, note }) => (
            <li key={userName}>
              <button
                type="button"
                disabled={isDisabled}
                onClick={() => onPick({ username: email, password })}
                className="group flex min-h-10 w-full items-center gap-3 rounded-small px-3 py-0.5 touch:min-h-12 text-left hover:bg-surface active:bg-surface disabled:opacity-50"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium text-dense">{email}</span>
                  <span className="-mt-0.5 block truncate text-dense text-ink-soft first-letter:uppercase">
                    {note}
                  </span>
                </span>
                <ArrowRight
                  size={16}
                  aria-hidden
                  className="shrink-0 text-ink-faint group-hover:text-accent"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
