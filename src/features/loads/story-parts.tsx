import { Check, Eye, PackageMinus, PackagePlus, RotateCcw, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LoadAction, LoadStory, RuleBudget } from '#machines/contracts/entities/loads.ts'
import { hoursWords, ruleWords } from '#machines/rules/budget-words.ts'
import { figure } from '#machines/rules/figures.ts'
import { momentWords, unmeasuredMinutes } from '#machines/rules/load-state-words.ts'
import { ACTION_WORDS, minutesWords, spellOfLoad } from '../../format/load-words.ts'
import { formatCount, formatTemperature } from '../../format/numbers.ts'
import { clockTime, writtenDay } from '../../format/time.ts'
import { shareOf } from '../../layout/loads/budget-line.tsx'
import { Panel } from '../../layout/page.tsx'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import type { LoadLook } from '../../ui/load-glyph.tsx'
import { Place } from '../../ui/place.tsx'
import { Time } from '../../ui/time.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'

/** Each rule of its profile: what is used of what is allowed, with its bounds. */
export function Rules({ load }: { load: LoadStory }) {
  const { budget, profile, reference, keptFrom } = load
  const none = noneWords(keptFrom)
  const unmeasured = unmeasuredMinutes(load)
  return (
    <Panel title="Budget" className="min-w-0">
      <ul aria-label="Rules" className="flex flex-col">
        {budget.rules.map((one) => (
          <Rule key={JSON.stringify(one.rule)} of={one} reference={reference} keptFrom={keptFrom} />
        ))}
      </ul>
      <dl className="tabular grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-line border-t px-4 py-3 text-dense">
        <Fact name="Mean kinetic temperature">
          {budget.mkt === null
            ? none
            : `${formatTemperature(budget.mkt.value)}${boundsOf(budget.mkt.least, budget.mkt.most, formatTemperature)}`}
        </Fact>
        <Fact name="Lowest, highest">
          {budget.lowest === null || budget.highest === null
            ? none
            : `${formatTemperature(budget.lowest)}, ${formatTemperature(budget.highest)}`}
        </Fact>
        <Fact name="Measured">
          {budget.measuredMinutes === 0 ? none : minutesWords(budget.measuredMinutes)}
        </Fact>
        <Fact name="Without readings">
          {unmeasured === undefined ? none : unmeasured < 1 ? 'never' : minutesWords(unmeasured)}
        </Fact>
      </dl>
      <p className="px-4 pb-4 text-dense text-ink-faint">
        {`${profile.source === '' ? 'The company’s own' : `Source: ${profile.source}`}. The mean kinetic temperature never offsets cold.`}
      </p>
    </Panel>
  )
}

/** Of what is not there: it never was, or is no longer kept. */
const noneWords = (keptFrom: string | undefined): string =>
  keptFrom === undefined ? 'not measured' : 'no longer kept'

function Rule({
  of: { rule, used, least, most, allowed, percent, exhaustedAt },
  reference,
  keptFrom,
}: {
  of: RuleBudget
  reference: string
  keptFrom: string | undefined
}) {
  const value = (amount: number): string =>
    rule.kind === 'mkt' ? `${figure(amount, 2)} °C` : minutesWords(amount)
  const words =
    used === null
      ? noneWords(keptFrom)
      : allowed === 0 && most === 0 && exhaustedAt === null
        ? keptFrom === undefined
          ? 'never so far'
          : 'never, as far as is kept'
        : `${value(used)}${least === null || most === null ? '' : boundsOf(least, most, value)}${allowed === null ? '' : ` of ${allowedWords(rule, allowed)}`}`
  return (
    <li className="flex flex-col gap-1.5 border-line border-t px-4 py-3">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{ruleWords(rule)}</span>
        {exhaustedAt !== null && (
          <span className="text-dense text-error">
            exhausted <Time at={exhaustedAt} />
          </span>
        )}
      </span>
      {/* measured, and no share of anything yet: a day's mean before there is a day */}
      {allowed !== null && (percent !== null || used === null) && (
        <BudgetBar
          label={`${ruleWords(rule)}, ${reference}`}
          look={ruleLook(percent, exhaustedAt)}
          used={shareOf(percent, mostPercent({ percent, most, allowed }))}
          words={words}
        />
      )}
      <span className="tabular text-dense text-ink-soft">{words}</span>
    </li>
  )
}

const allowedWords = (rule: RuleBudget['rule'], allowed: number): string =>
  rule.kind === 'mkt' ? formatTemperature(allowed) : allowed === 0 ? 'none allowed' : hoursWords(allowed)

const ruleLook = (percent: number | null, exhaustedAt: string | null): LoadLook =>
  exhaustedAt !== null ? 'exhausted' : (percent ?? 0) >= 80 ? 'at-risk' : 'within'

/** The most it may be, in % of what is allowed; of what is never allowed any is all. */
function mostPercent({
  percent,
  most,
  allowed,
}: Pick<RuleBudget, 'percent' | 'most' | 'allowed'>): number | null {
  if (percent === null || most === null || allowed === null || most <= 0) return percent
  return allowed === 0 ? 100 : Math.max(percent, (most / allowed) * 100)
}

/** ", between 4 h 05 and 6 h 20"; nothing where both are the same. */
const boundsOf = (least: number, most: number, write: (value: number) => string): string =>
  write(least) === write(most) ? '' : `, between ${write(least)} and ${write(most)}`

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** When it was beyond a limit of its profile; each leads to the readings of then. */
export function Spells({ load: { spells, moreSpells, imei, keptFrom } }: { load: LoadStory }) {
  return (
    <Panel title="Beyond its limits" className="min-w-0">
      {spells.length === 0 ? (
        <p className="px-4 pb-4 text-ink-soft">
          {keptFrom === undefined
            ? 'Never, as far as was measured.'
            : 'Never, as far as its readings are kept.'}
        </p>
      ) : (
        <ul aria-label="Spells" className="flex flex-col pb-2">
          {spells.map((spell) => (
            <li key={`${spell.from} ${spell.limit}`}>
              <Link
                href={`/temperature/${imei}?date=${aroundOf(spell)}`}
                className="tabular flex flex-wrap gap-x-2 px-4 py-1.5 -outline-offset-2 hover:bg-hover touch:min-h-control"
              >
                <span className="font-medium">
                  {spell.to === null ? (
                    <>
                      since <Time at={spell.from} />
                    </>
                  ) : (
                    <TimeSpan from={spell.from} to={spell.to} />
                  )}
                </span>
                <span className="text-ink-soft">{spellOfLoad(spell)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {moreSpells > 0 && (
        <p className="px-4 pb-3 text-dense text-ink-faint">{`and ${formatCount(moreSpells)} more`}</p>
      )}
    </Panel>
  )
}

const HOUR_MS = 3_600_000

/** Half an hour around it, as the device's page has a span in its address. */
function aroundOf({ from, to }: LoadStory['spells'][number]): string {
  const begin = Date.parse(from) - HOUR_MS / 2
  const end = (to === null ? Date.parse(from) + HOUR_MS : Date.parse(to)) + HOUR_MS / 2
  return `${new Date(begin).toISOString()}..${new Date(end).toISOString()}`
}

/** Where it was and how long, oldest first; each day is named once, as a load may be under way for many. */
export function Places({ load }: { load: LoadStory }) {
  const { places, morePlaces, keptFrom } = load
  return (
    <Panel title="Where it was" className="min-w-0">
      {places.length === 0 ? (
        <p className="px-4 pb-4 text-ink-soft">
          {keptFrom === undefined ? 'No position was sent.' : 'Its position is no longer kept.'}
        </p>
      ) : (
        <ol aria-label="Places" className="flex flex-col px-4 pb-3">
          {places.map(({ from, to, place, lat, lng }, i) => {
            const day = writtenDay(from)
            const before = places[i - 1]
            return (
              <li key={from} className="tabular">
                {(before === undefined || writtenDay(before.from) !== day) && (
                  <span className="block pt-1 text-dense text-ink-faint">{day}</span>
                )}
                <span className="flex gap-3 py-1">
                  <Time at={from} as={clockTime} className="w-12 shrink-0 text-ink-faint" />
                  <span className="min-w-0 flex-1 truncate">
                    <Place at={{ lat, lng }} words={place} />
                  </span>
                  <span className="shrink-0 text-dense text-ink-soft">
                    {momentWords(load, i) ?? minutesWords((Date.parse(to) - Date.parse(from)) / 60_000)}
                  </span>
                </span>
              </li>
            )
          })}
        </ol>
      )}
      {morePlaces > 0 && (
        <p className="px-4 pb-3 text-dense text-ink-faint">{`and ${formatCount(morePlaces)} more`}</p>
      )}
    </Panel>
  )
}

const ACTION_ICONS = {
  opened: PackagePlus,
  exhausted: TriangleAlert,
  revised: RotateCcw,
  'review-begun': Eye,
  released: Check,
  rejected: X,
  closed: PackageMinus,
} as const

/** Who did what, newest first, and what the readings did. */
export function Actions({ load: { actions } }: { load: LoadStory }) {
  return (
    <Panel title="What happened" className="min-w-0">
      <ol aria-label="What happened" className="flex flex-col pb-2">
        {actions.toReversed().map((one) => (
          <Action key={`${one.at} ${one.action}`} of={one} />
        ))}
      </ol>
    </Panel>
  )
}

function Action({ of: { at, action, userName, text, knownSince } }: { of: LoadAction }) {
  const Icon = ACTION_ICONS[action]
  return (
    <li className="flex items-start gap-3 px-4 py-1.5">
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1">
        {userName !== null && <span className="font-medium">{`${userName} `}</span>}
        <span className={userName === null ? 'font-medium' : 'text-ink-soft'}>{ACTION_WORDS[action]}</span>
        {text !== '' && <span className="block break-words">{text}</span>}
        {knownSince !== undefined && (
          <span className="block text-dense text-ink-soft">
            {'Known since '}
            <Time at={knownSince} />, by readings that came late
          </span>
        )}
      </span>
      <Time at={at} className="tabular shrink-0 text-dense text-ink-faint" />
    </li>
  )
}
