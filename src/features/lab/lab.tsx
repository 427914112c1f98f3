import { Link, useParams, useSearchParams } from 'wouter'
import { useBrowserRun, useCoverageHere, useEndToEnd } from '../../actors/lab.ts'
import { LabHeader } from '../../layout/lab-header.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Bench } from './bench.tsx'
import { MachineList } from './machine-list.tsx'
import { MACHINES } from './models.ts'
import { SeenNote } from './seen-note.tsx'
import { sourcesOf } from './sources.ts'
import { useWalks } from './use-walks.ts'

/**
 * `/lab`: the machines of the server for testers, and what covers them. It needs no session: a chart is looked at while
 * somebody signs in in the window beside it.
 */
export default function Lab() {
  const { machine } = useParams()
  const [search] = useSearchParams()
  const walks = useWalks(machine)
  const here = useCoverageHere()
  const endToEnd = useEndToEnd()
  const browser = useBrowserRun()
  const {
    generated,
    'end-to-end': tests,
    here: browserHere,
  } = sourcesOf(coverageOf(endToEnd.coverage), here.taken)
  const sources = [generated, tests, browserHere]
  const walked = machine === undefined ? undefined : walks.get(machine)

  return (
    <div className="flex min-h-dvh flex-col bg-ground desk:h-dvh">
      <LabHeader title="Lab" />
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-4 desk:grid-cols-[300px_minmax(0,1fr)]">
        <nav
          aria-label="Machines"
          className={classNames(
            'flex min-h-0 flex-col gap-3 desk:overflow-auto',
            machine !== undefined && 'max-desk:hidden',
          )}
        >
          <div className="rounded-panel bg-surface pb-2 shadow-soft">
            <MachineList walks={walks} sources={sources} chosen={machine} addressOf={addressOf} />
          </div>
          <SeenNote endToEnd={endToEnd} onClear={here.clear} />
        </nav>
        <main
          className={classNames('flex min-h-0 flex-col gap-2', machine === undefined && 'max-desk:hidden')}
        >
          <Link href="/lab" className={buttonLook('quiet', 'self-start desk:hidden')}>
            All machines
          </Link>
          {walked !== undefined ? (
            <Bench
              key={walked.model.name}
              walked={walked}
              sources={sources}
              given={search.get('to')}
              browser={browser}
            />
          ) : machine === undefined ? (
            <EmptyState title="Choose a machine">
              Its chart is drawn here, with what generated paths, end-to-end tests and you have taken of it.
            </EmptyState>
          ) : MACHINES.includes(machine) ? (
            <SkeletonRows rows={10} />
          ) : (
            <EmptyState title={`There is no machine ${machine}`}>Choose one of the list.</EmptyState>
          )}
        </main>
      </div>
    </div>
  )
}

const addressOf = (machine: string): string => `/lab/${machine}`

/** Where no end-to-end tests were run, nothing is known of them: not that they covered nothing. */
function coverageOf(coverage: ReturnType<typeof useEndToEnd>['coverage']) {
  return coverage === undefined || coverage.specs.length === 0 ? undefined : coverage.taken
}
