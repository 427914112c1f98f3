import { Link } from 'wouter'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { MACHINES, type Walked } from './models.ts'
import { type Source, sharesOf } from './sources.ts'

type Props = {
  walks: ReadonlyMap<string, Walked>
  sources: readonly Source[]
  chosen: string | undefined
  addressOf: (machine: string) => string
}

/** Every machine, and how many of its transitions each source has taken. */
export function MachineList({ walks, sources, chosen, addressOf }: Props) {
  return (
    <table className="w-full text-dense">
      <caption className="px-4 pt-3 pb-1 text-left font-semibold text-body">
        Machines
        <span className="block font-normal text-dense text-ink-faint">
          Transitions taken, of all there are
        </span>
      </caption>
      <thead className="text-ink-faint">
        <tr>
          <th scope="col" className="sr-only">
            Machine
          </th>
          {sources.map(({ id, short, title }) => (
            <th key={id} scope="col" title={title} className="px-1.5 text-right font-normal last:pr-4">
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {MACHINES.map((name) => (
          <tr
            key={name}
            className={classNames('relative', name === chosen ? 'bg-accent-soft' : 'hover:bg-hover')}
          >
            <th scope="row" className="h-11 py-0 pl-4 text-left font-medium">
              <Link
                href={addressOf(name)}
                aria-current={name === chosen ? 'page' : undefined}
                className="-outline-offset-2 after:absolute after:inset-0"
              >
                {name}
              </Link>
              <span className="block font-normal text-ink-faint leading-4">
                {walks.get(name)?.model.kind}
              </span>
            </th>
            {sources.map((source) => (
              <td key={source.id} className="px-1.5 text-right last:pr-4">
                <Figure walked={walks.get(name)} source={source} isChosen={name === chosen} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type FigureProps = { walked: Walked | undefined; source: Source; isChosen: boolean }

function Figure({ walked, source, isChosen }: FigureProps) {
  if (walked === undefined) return <Skeleton className="ml-auto h-3 w-8" />
  const shares = sharesOf(source, walked)
  if (shares === undefined)
    return (
      <span title={`Not seen by ${source.words}`} className="text-ink-faint">
        –<span className="sr-only">not seen</span>
      </span>
    )
  const { covered, of } = shares.transitions
  return (
    <span // amber is not read on the ground of what is chosen
      className={isChosen ? 'text-ink' : covered < of ? 'text-caution' : 'text-ink-soft'}
      title={`${covered} of ${of} transitions`}
    >
      {covered}/{of}
    </span>
  )
}
