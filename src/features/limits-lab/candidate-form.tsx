import { type FormEvent, useState } from 'react'
import type { Group } from '#machines/contracts/entities/groups.ts'
import { type Candidate, MOST_CANDIDATES } from '#machines/contracts/entities/limits-trials.ts'
import type { Draft } from '#machines/limits-trial/limits-trial.machine.ts'
import { useRoot } from '../../actors/use-root.ts'
import { inMinutes } from '../../format/group-words.ts'
import { formatCount } from '../../format/numbers.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NumberEntry } from '../../ui/number-entry.tsx'
import { Segments } from '../../ui/segments.tsx'
import { candidateFaults, candidateWords, inForceOf, type Quantity, unitOf } from './candidates.ts'
import { Estimate } from './estimate.tsx'

type Days = '1' | '7' | '31'
const DAYS: readonly { id: Days; text: string }[] = [
  { id: '1', text: 'Last day' },
  { id: '7', text: '7 days' },
  { id: '31', text: '31 days' },
]
const QUANTITIES: readonly { id: Quantity; text: string }[] = [
  { id: 'temperature', text: 'Temperature' },
  { id: 'humidity', text: 'Humidity' },
]
const DAY_MS = 86_400_000

type CandidateFormProps = {
  group: Group
  /** why the last try came to nothing */
  error: string | null
  isStarting: boolean
  /** what was tried before, from which one goes on */
  tried: Draft | null
  onTry: (draft: Draft) => void
}

/** Up to three candidates, each beginning as what is in force; after a trial they are what was tried. */
export function CandidateForm({ group, error, isStarting, tried, onTry }: CandidateFormProps) {
  const { clock } = useRoot()
  const [quantity, setQuantity] = useState<Quantity>(tried?.quantity ?? 'temperature')
  const [days, setDays] = useState<Days>(() => daysOf(tried))
  const [candidates, setCandidates] = useState<Candidate[]>(
    tried?.candidates ?? [inForceOf(group, 'temperature')],
  )
  const [isTried, setTried] = useState(false)
  const devices = group.things?.length ?? 0
  const inForce = inForceOf(group, quantity)
  const faults = candidates.map((candidate) => candidateFaults(group, quantity, candidate))
  const edit = (i: number, change: Partial<Candidate>) =>
    setCandidates(candidates.map((one, n) => (n === i ? { ...one, ...change } : one)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isStarting || faults.some((fault) => Object.keys(fault).length > 0)) return
    const now = clock.now()
    const [startDate, endDate] = [now - Number(days) * DAY_MS, now].map((at) => new Date(at).toISOString())
    onTry({ quantity, startDate: startDate as string, endDate: endDate as string, candidates })
  }
  const why = error !== null && (
    <p role="alert" className="text-error">
      {error}
    </p>
  )
  if (devices === 0)
    return (
      <Panel>
        {why && <div className="px-4 pt-4">{why}</div>}
        <EmptyState title="No device is directly in this group">
          Limits are of the group a device is in: choose one that has devices itself.
        </EmptyState>
      </Panel>
    )
  return (
    <Panel title="Candidates">
      <form aria-label="Try limits" onSubmit={submit} className="flex flex-col gap-4 px-4 pb-4">
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <div className="w-56">
            <Segments
              label="Of"
              options={QUANTITIES}
              value={quantity}
              onChange={(next) => {
                setQuantity(next)
                setCandidates([inForceOf(group, next)])
              }}
              isDisabled={isStarting}
            />
          </div>
          <div className="w-72 max-w-full">
            <Segments
              label="On the last"
              options={DAYS}
              value={days}
              onChange={setDays}
              isDisabled={isStarting}
            />
          </div>
        </div>
        <p className="tabular text-ink-soft">
          {`In force: ${inForce.low < inForce.high ? candidateWords(inForce, quantity) : 'nobody has set limits yet'}. ${formatCount(devices)} ${devices === 1 ? 'device is' : 'devices are'} directly in this group.`}
        </p>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-4">
          {candidates.map((candidate, i) => (
            <CandidateFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a candidate is called by its place
              key={`${quantity} ${i}`}
              name={`Candidate ${i + 1}`}
              unit={unitOf(quantity)}
              candidate={candidate}
              messages={isTried ? (faults[i] ?? {}) : {}}
              edit={(change) => edit(i, change)}
              onRemove={candidates.length > 1 ? () => setCandidates(candidates.toSpliced(i, 1)) : undefined}
              isDisabled={isStarting}
            />
          ))}
        </div>
        <Estimate groupId={group._id} days={Number(days)} candidates={candidates.length} />
        {why}
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" type="submit" isDisabled={isStarting}>
            {isStarting ? 'Beginning…' : 'Try limits'}
          </Button>
          {candidates.length < MOST_CANDIDATES && (
            <Button
              isDisabled={isStarting}
              onPress={() => setCandidates([...candidates, candidates.at(-1) ?? inForce])}
            >
              Add a candidate
            </Button>
          )}
        </div>
      </form>
    </Panel>
  )
}

function daysOf(tried: Draft | null): Days {
  const length = tried && Math.round((Date.parse(tried.endDate) - Date.parse(tried.startDate)) / DAY_MS)
  return DAYS.find(({ id }) => Number(id) === length)?.id ?? '7'
}

type FieldsProps = {
  name: string
  unit: string
  candidate: Candidate
  messages: { [K in keyof Candidate]?: string }
  edit: (change: Partial<Candidate>) => void
  onRemove: (() => void) | undefined
  isDisabled: boolean
}

function CandidateFields({ name, unit, candidate, messages, edit, onRemove, isDisabled }: FieldsProps) {
  return (
    <fieldset className="min-w-0 rounded-panel bg-sunken p-3">
      <legend className="sr-only">{name}</legend>
      <div className="flex min-h-9 items-center justify-between">
        <span aria-hidden className="font-medium">
          {name}
        </span>
        {onRemove && (
          <Button kind="quiet" aria-label={`Remove ${name}`} onPress={onRemove} isDisabled={isDisabled}>
            Remove
          </Button>
        )}
      </div>
      <div className="grid grid-cols-2 gap-x-3">
        <NumberEntry
          label="Low"
          unit={unit}
          value={candidate.low}
          onChange={(low) => edit({ low })}
          message={messages.low}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label="High"
          unit={unit}
          value={candidate.high}
          onChange={(high) => edit({ high })}
          message={messages.high}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label="Delay"
          unit="min"
          value={inMinutes(candidate.delaySeconds)}
          onChange={(minutes) => edit({ delaySeconds: Math.round(minutes * 60) })}
          message={messages.delaySeconds}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label="Margin"
          unit={unit}
          value={candidate.margin}
          onChange={(margin) => edit({ margin })}
          message={messages.margin}
          isDisabled={isDisabled}
        />
      </div>
    </fieldset>
  )
}
