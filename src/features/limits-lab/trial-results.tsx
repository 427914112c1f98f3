import { useSelector } from '@xstate/react'
import { useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type {
  Candidate,
  CandidateFigures,
  LimitsTrialWithResult,
  TrialFigures,
} from '#machines/contracts/entities/limits-trials.ts'
import type { limitsTrialMachine } from '#machines/limits-trial/limits-trial.machine.ts'
import { counted, figure } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { lasting } from '../../format/time.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/select.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import { candidateWords, type Quantity, unitOf } from './candidates.ts'
import { TrialChart } from './trial-chart.tsx'

type Props = { actor: ActorRefFrom<typeof limitsTrialMachine>; group: Group }

/** What came of limits that were tried: figures beside each other, one device's chart, and Apply. */
export function TrialResults({ actor, group }: Props) {
  const { shown, candidate, error } = useSelector(actor, ({ context }) => context)
  const state = useSelector(actor, ({ value }) => value)
  const trial = shown as LimitsTrialWithResult
  const { result, candidates, quantity } = trial
  if (result === null) return null
  const picked = candidates[candidate]
  const [before, after] = [result.inForce, result.candidates[candidate]]
  return (
    <>
      <Panel
        title="What it would have been"
        actions={
          <Button
            kind="quiet"
            onPress={() => actor.send({ type: 'again' })}
            isDisabled={state === 'applying'}
          >
            Try others
          </Button>
        }
      >
        <p className="tabular px-4 pb-2 text-ink-soft">
          {`${counted(result.readings, 'reading')} of ${counted(trial.of, 'device')}, `}
          <TimeSpan from={trial.from} to={trial.to} />
          {`, in ${figure(result.seconds, 1)} s.`}
        </p>
        <FiguresTable trial={trial} actor={actor} canApply={state === 'shown'} />
        {state === 'applied' && picked && (
          <p role="status" className="px-4 pb-4 font-medium">
            {`In force from now on: ${candidateWords(picked, quantity)}.`}
          </p>
        )}
        {state === 'shown' && error !== null && (
          <p role="alert" className="px-4 pb-4 text-error">
            {error}
          </p>
        )}
      </Panel>
      <DevicePanel trial={trial} />
      <Dialog
        title={`Apply to ${group.name}?`}
        isOpen={state === 'confirming' || state === 'applying'}
        isRequired={state === 'applying'}
        onOpenChange={(isOpen) => !isOpen && actor.send({ type: 'back' })}
        actions={
          <>
            <Button isDisabled={state === 'applying'} onPress={() => actor.send({ type: 'back' })}>
              Cancel
            </Button>
            <Button
              kind="primary"
              isDisabled={state === 'applying'}
              onPress={() => actor.send({ type: 'confirm' })}
            >
              {state === 'applying' ? 'Applying…' : 'Apply'}
            </Button>
          </>
        }
      >
        {picked && after && (
          <div className="flex flex-col gap-2">
            <p className="tabular font-medium">{candidateWords(picked, quantity)}</p>
            <p>
              {`In that time it would have raised ${alarms(after.told)} instead of ${alarms(before.told)}. It holds for readings from now on, and everybody who may see the group's history finds these figures there.`}
            </p>
            {after.missedSerious > 0 && <p className="font-medium">{missedWords(after, quantity)}</p>}
          </div>
        )}
      </Dialog>
    </>
  )
}

/** What would not have been told that is serious, in a sentence. */
function missedWords({ missedSerious, missedExhausting = 0 }: CandidateFigures, quantity: Quantity): string {
  const ofBudgets =
    missedExhausting > 0
      ? `${excursions(missedExhausting)} that exhausted a budget would have raised no alarm`
      : ''
  const others = missedSerious - missedExhausting
  if (others === 0) return `${ofBudgets}.`
  const far = `${unitOf(quantity)} and more beyond the limit in force`
  if (ofBudgets === '') return `${excursions(others)} of 2 ${far} would have raised no alarm.`
  return `${ofBudgets}, nor ${counted(others, 'other')} of 2 ${far}.`
}

const excursions = (count: number): string => counted(count, 'excursion')

const alarms = (count: number): string => counted(count, 'alarm')

const ROWS: readonly { word: string; note?: string; of: (figures: TrialFigures) => string }[] = [
  { word: 'Episodes', of: ({ episodes }) => formatCount(episodes) },
  { word: 'Devices', of: ({ devices }) => formatCount(devices) },
  { word: 'Time out', of: ({ minutesOut }) => lasting(Math.round(minutesOut * 60)) },
  { word: 'Raised', note: 'without repeats, were each acknowledged', of: ({ told }) => formatCount(told) },
  { word: 'At night', note: '22:00 to 06:00', of: ({ atNight }) => formatCount(atNight) },
  { word: 'Floods', note: 'more than 10 in 10 minutes', of: ({ floods }) => formatCount(floods) },
]
const BESIDE: readonly {
  word: string
  note: (quantity: Quantity) => string
  of: (figures: CandidateFigures) => string
}[] = [
  {
    word: 'Missed',
    note: () => 'raised by what was in force alone',
    of: ({ missed }) => formatCount(missed),
  },
  {
    word: 'Missed, serious',
    note: (quantity) =>
      `2 ${unitOf(quantity)} and more beyond the limit in force${quantity === 'temperature' ? ', or a budget was exhausted' : ''}`,
    of: ({ missedSerious }) => formatCount(missedSerious),
  },
  { word: 'New', note: () => 'raised by the candidate alone', of: ({ added }) => formatCount(added) },
  {
    word: 'Lead, median',
    note: () => 'how much earlier it is raised',
    of: ({ medianLeadMinutes }) =>
      medianLeadMinutes === null ? '–' : `${figure(Math.round(medianLeadMinutes * 10) / 10)} min`,
  },
]

type TableProps = { trial: LimitsTrialWithResult; actor: Props['actor']; canApply: boolean }

/** A column each for what was in force and the candidates; on a phone each figure has a line of its own with them below. */
function FiguresTable({ trial, actor, canApply }: TableProps) {
  const { result, candidates, inForce, quantity } = trial
  if (result === null) return null
  const names = ['In force', ...candidates.map((_, i) => `Candidate ${i + 1}`)]
  return (
    <div className="px-4 pb-4">
      <table aria-label="Figures" className="tabular w-full max-tablet:block">
        <thead className="max-tablet:block">
          <tr className="align-bottom text-dense max-tablet:flex max-tablet:flex-col max-tablet:pb-2">
            <th scope="col" className="py-2 pr-4 text-left font-medium text-ink-faint max-tablet:hidden">
              <span className="sr-only">Figure</span>
            </th>
            {[inForce, ...candidates].map((candidate, i) => (
              <Head key={names[i]} name={names[i] as string} candidate={candidate} quantity={quantity} />
            ))}
          </tr>
        </thead>
        <tbody className="max-tablet:block">
          {ROWS.map(({ word, note, of }) => (
            <Row
              key={word}
              {...{ word, note, names }}
              cells={[result.inForce, ...result.candidates].map(of)}
            />
          ))}
          {BESIDE.map(({ word, note, of }) => (
            <Row
              key={word}
              {...{ word, note: note(quantity), names }}
              cells={[null, ...result.candidates.map(of)]}
              isLoud={(i) => word === 'Missed, serious' && (result.candidates[i - 1]?.missedSerious ?? 0) > 0}
            />
          ))}
          <tr className={ROW} style={columnsOf(names)}>
            <td className="max-tablet:hidden" />
            <td />
            {candidates.map((candidate, i) => (
              <td key={names[i + 1]} data-name={names[i + 1]} className={classNames(CELL, 'py-2')}>
                <Button
                  aria-label={`Apply candidate ${i + 1}: ${candidateWords(candidate, quantity)}`}
                  isDisabled={!canApply}
                  onPress={() => actor.send({ type: 'apply', candidate: i })}
                >
                  Apply
                </Button>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {result.candidates.some(({ missedSerious }) => missedSerious > 0) && (
        <p className="text-dense text-ink">
          <span aria-hidden>▲ </span>
          {`${result.candidates.some(({ missedExhausting = 0 }) => missedExhausting > 0) ? 'Excursions that exhausted a budget' : 'Serious excursions'} would have raised no alarm with a candidate: look at the devices below before applying it.`}
        </p>
      )}
    </div>
  )
}

type HeadProps = { name: string; candidate: Candidate; quantity: LimitsTrialWithResult['quantity'] }

function Head({ name, candidate, quantity }: HeadProps) {
  const isSet = candidate.low < candidate.high
  return (
    <th scope="col" className="py-2 pr-4 text-left font-medium tablet:min-w-28 max-tablet:py-1">
      {name}
      <span className="block font-normal text-ink-soft">
        {isSet ? candidateWords(candidate, quantity) : 'no limits set'}
      </span>
    </th>
  )
}

const ROW = 'max-tablet:grid max-tablet:gap-x-2 max-tablet:py-1'
/** on a phone a cell says which column it is of */
const CELL =
  'tablet:pr-4 max-tablet:before:block max-tablet:before:text-dense max-tablet:before:text-ink-faint max-tablet:before:content-[attr(data-name)]'
const columnsOf = (names: readonly string[]) => ({
  gridTemplateColumns: `repeat(${names.length}, minmax(0, 1fr))`,
})

type RowProps = {
  word: string
  note?: string | undefined
  names: readonly string[]
  /** null: there is no such figure */
  cells: readonly (string | null)[]
  isLoud?: (index: number) => boolean
}

function Row({ word, note, names, cells, isLoud = () => false }: RowProps) {
  return (
    <tr className={classNames(ROW, 'border-line border-t')} style={columnsOf(names)}>
      <th
        scope="row"
        className="py-1 text-left font-normal tablet:min-w-36 tablet:pr-4 max-tablet:col-span-full"
      >
        {word}
        {note && <span className="block text-dense text-ink-faint">{note}</span>}
      </th>
      {cells.map((cell, i) => (
        <td
          key={names[i]}
          data-name={cell === null ? undefined : names[i]}
          className={classNames(CELL, isLoud(i) && 'font-semibold')}
        >
          {isLoud(i) && <span aria-hidden>▲ </span>}
          {cell}
        </td>
      ))}
    </tr>
  )
}

/** One device under each candidate, of those they make the most difference to. */
function DevicePanel({ trial }: { trial: LimitsTrialWithResult }) {
  const devices = trial.result?.devices ?? []
  const [imei, setImei] = useState(devices[0]?.imei ?? '')
  const device = devices.find((one) => one.imei === imei)
  if (device === undefined)
    return (
      <Panel>
        <EmptyState title="No device was beyond any of these limits">
          Neither what was in force nor a candidate told of anything in this time.
        </EmptyState>
      </Panel>
    )
  return (
    <Panel title="One device">
      <div className="flex flex-col gap-3 px-4 pb-4">
        <div className="tablet:max-w-72">
          <Select
            label="Device"
            options={devices.map(({ imei: id, name }) => ({ id, text: name }))}
            value={imei}
            onChange={setImei}
          />
        </div>
        <TrialChart trial={trial} device={device} />
      </div>
    </Panel>
  )
}
