import { counted } from '#machines/rules/figures.ts'
import type { useEndToEnd } from '../../actors/lab.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

type Props = { endToEnd: ReturnType<typeof useEndToEnd>; onClear: () => void }

/** What each source looks at, and what it cannot see. */
export function SeenNote({ endToEnd: { coverage, failure }, onClear }: Props) {
  return (
    <div className="px-4 text-dense text-ink-soft">
      <dl>
        <Term title="Paths">Generated from each machine and played on it.</Term>
        <Term title="E2E">
          {failure !== undefined ? (
            <span className="text-error">It is not known: {failure}</span>
          ) : coverage === undefined ? (
            'The server is asked…'
          ) : coverage.specs.length === 0 ? (
            'The end-to-end tests were not run here yet.'
          ) : (
            <LastRun specs={coverage.specs} />
          )}
        </Term>
        <Term title="Here">
          What was done in this browser, in all its windows.
          <Button kind="quiet" className="-ml-4 flex" onPress={onClear}>
            Forget it
          </Button>
        </Term>
      </dl>
      <p className="pt-1 text-ink-faint">
        Domain machines run on the server, folded over columns: windows do not see them, and end to end their
        paths count that were walked.
      </p>
    </div>
  )
}

function LastRun({ specs }: { specs: readonly { spec: string; at: number }[] }) {
  const last = Math.max(...specs.map(({ at }) => at))
  return (
    <>
      What {counted(specs.length, 'spec')} of this checkout did in their last runs, the newest on{' '}
      <Time at={last} />.
    </>
  )
}

function Term({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-2 py-0.5">
      <dt className="w-11 shrink-0 font-medium text-ink">{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
