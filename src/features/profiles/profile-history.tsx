import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { ruleWords } from '#machines/rules/budget-words.ts'
import { figure } from '#machines/rules/figures.ts'
import type { KeptAnswer } from '../../actors/use-kept-answer.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Panel } from '../../layout/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Every version of a profile, newest first: who set it, and what was another in it. */
export function ProfileHistory({ kept }: { kept: KeptAnswer<{ versions: Profile[] }> }) {
  const { answer, failure, ask } = kept
  const versions = answer?.versions ?? []
  return (
    <Panel title="History" className="min-w-0">
      <div className="max-h-160 overflow-y-auto border-line border-t">
        <KeptList
          what="The history"
          isThere={answer !== undefined}
          failure={failure}
          onRetry={ask}
          skeletonRows={3}
        >
          {() => (
            <ol aria-label="Versions">
              {versions.map((version, i) => (
                <Version key={version.version} of={version} before={versions[i + 1]} />
              ))}
            </ol>
          )}
        </KeptList>
      </div>
    </Panel>
  )
}

function Version({ of: profile, before }: { of: Profile; before: Profile | undefined }) {
  const { number, changedAt, changedBy, isShipped } = profile
  const changes = before === undefined ? [] : changesOf(before, profile)
  const isFirst = before === undefined
  return (
    <li className="flex flex-col gap-1 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{changedBy?.name ?? 'Frostline'}</span>
        <span className="text-ink-soft">
          {isFirst
            ? isShipped
              ? 'shipped it'
              : 'made it'
            : changes.length === 0
              ? 'took it as it was'
              : 'changed it'}
          {number > 0 && ` · version ${number}`}
        </span>
        {changedAt !== null && <RelativeTime at={changedAt} className="ml-auto text-dense text-ink-faint" />}
      </div>
      {changes.map(({ what, was, is }) => (
        <p key={`${what} ${was} ${is}`} className="text-dense">
          <span className="text-ink-soft">{`${what}: `}</span>
          {was !== '' && <del className="text-ink-faint">{was}</del>}
          {was !== '' && is !== '' && <span aria-hidden> → </span>}
          {is !== '' && <ins className="no-underline">{is}</ins>}
        </p>
      ))}
    </li>
  )
}

type Difference = { what: string; was: string; is: string }

/** What is another in a version of a profile, in words; a rule that came or left stands by itself. */
export function changesOf(before: Profile, after: Profile): Difference[] {
  const was = before.rules.map(ruleWords)
  const is = after.rules.map(ruleWords)
  const plain = (what: string, one: string, other: string): Difference[] =>
    one === other ? [] : [{ what, was: one, is: other }]
  const degrees = (value: number): string => `${figure(value)} °C`
  return [
    ...plain('Name', before.name, after.name),
    ...plain('Source', before.source, after.source),
    ...was.filter((rule) => !is.includes(rule)).map((rule) => ({ what: 'Rule', was: rule, is: '' })),
    ...is.filter((rule) => !was.includes(rule)).map((rule) => ({ what: 'Rule', was: '', is: rule })),
    ...plain('The mean kinetic temperature', decides(before), decides(after)),
    ...plain('Steepest change in a gap', `${degrees(before.steepest)}/min`, `${degrees(after.steepest)}/min`),
    ...plain('Surroundings', rangeOf(before), rangeOf(after)),
  ]
}

const decides = ({ mktDecides }: Profile): string => (mktDecides ? 'decides' : 'is shown only')
const rangeOf = ({ surroundings: { low, high } }: Profile): string => `${figure(low)} to ${figure(high)} °C`
