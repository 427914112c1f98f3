import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type MktRule,
  MOST_BUDGET_MINUTES,
  MOST_RULES,
  type ProfileRule,
  type TimeRule,
} from '#machines/contracts/entities/profiles.ts'
import { ruleWords } from '#machines/rules/budget-words.ts'
import { isUnfinished } from '../../actors/profiles.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { NumberEntry } from '../../ui/number-entry.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'

export type RuleEditorProps = {
  rules: readonly ProfileRule[]
  onChange: (rules: ProfileRule[]) => void
  message: string | undefined
  isDisabled: boolean
}

const NEW_TIME: TimeRule = {
  kind: 'time',
  side: 'above',
  limit: 8,
  isInclusive: false,
  minutes: 60,
  isFullAllowed: true,
  spell: 'total',
}
const NEW_MKT: MktRule = { kind: 'mkt', limit: 8, hours: 24, onlyAbove: null }

/** The rules of a profile, each as it is said and as it is set. */
export function RuleEditor({ rules, onChange, message, isDisabled }: RuleEditorProps) {
  const set = (index: number, rule: ProfileRule): void =>
    onChange(rules.map((one, i) => (i === index ? rule : one)))
  const isFull = rules.length >= MOST_RULES
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 pb-3">
      <legend className="pb-1 font-medium">Rules</legend>
      {rules.map((rule, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name, and its place is what it is told by
        <section key={i} aria-label={`Rule ${i + 1}`} className="rounded-panel bg-sunken p-3">
          <div className="flex items-start gap-2 pb-2">
            <p className="min-w-0 flex-1 font-medium">
              {isUnfinished(rule) ? 'A number is missing' : ruleWords(rule)}
            </p>
            <IconButton
              aria-label={`Remove rule ${i + 1}`}
              isDisabled={isDisabled || rules.length === 1}
              onPress={() => onChange(rules.filter((_, other) => other !== i))}
              className="-mt-2 -mr-2"
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          {rule.kind === 'mkt' ? (
            <MktFields rule={rule} onChange={(next) => set(i, next)} isDisabled={isDisabled} />
          ) : (
            <TimeFields
              // what is being typed belongs to a rule, not to its place
              key={rules.length}
              rule={rule}
              onChange={(next) => set(i, next)}
              isDisabled={isDisabled}
            />
          )}
        </section>
      ))}
      <p role={message ? 'alert' : undefined} className="min-h-5 text-dense text-error">
        {message}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button isDisabled={isDisabled || isFull} onPress={() => onChange([...rules, NEW_TIME])}>
          <Plus size={16} aria-hidden />
          Time beyond a limit
        </Button>
        <Button isDisabled={isDisabled || isFull} onPress={() => onChange([...rules, NEW_MKT])}>
          <Plus size={16} aria-hidden />
          Mean kinetic temperature
        </Button>
      </div>
    </fieldset>
  )
}

const SIDES = [
  { id: 'above', text: 'Above' },
  { id: 'above-at', text: 'At or above' },
  { id: 'below', text: 'Below' },
  { id: 'below-at', text: 'At or below' },
]
const HOWS = [
  { id: 'never', text: 'Never' },
  { id: 'total', text: 'For a time in all' },
  { id: 'longest', text: 'For a time at a stretch' },
  { id: 'counted', text: 'Counted, decides nothing' },
]

type TimeFieldsProps = { rule: TimeRule; onChange: (rule: TimeRule) => void; isDisabled: boolean }

function TimeFields({ rule, onChange, isDisabled }: TimeFieldsProps) {
  const { side, isInclusive, limit, minutes, spell, isFullAllowed, ifNeverBeyond } = rule
  // on the way to another number nothing may stand there but a 0, which is not yet meant as never
  const [isZeroTyped, setZeroTyped] = useState(false)
  const how = minutes === null ? 'counted' : minutes === 0 && !isZeroTyped ? 'never' : spell
  const isTimed = minutes !== null && how !== 'never'
  function setHow(id: string): void {
    const { ifNeverBeyond: _, ...plain } = rule
    setZeroTyped(false)
    if (id === 'never') onChange({ ...plain, minutes: 0 })
    else if (id === 'counted') onChange({ ...plain, minutes: null })
    else onChange({ ...rule, minutes: minutes || 60, spell: id === 'longest' ? 'longest' : 'total' })
  }
  return (
    <div className="grid gap-x-3 tablet:grid-cols-2">
      <Select
        label="Side"
        options={SIDES}
        value={isInclusive ? `${side}-at` : side}
        onChange={(id) =>
          onChange({
            ...rule,
            side: id.startsWith('above') ? 'above' : 'below',
            isInclusive: id.endsWith('-at'),
          })
        }
        isDisabled={isDisabled}
      />
      <NumberEntry
        label="Limit"
        unit="°C"
        value={limit}
        onChange={(value) => onChange({ ...rule, limit: value })}
        isDisabled={isDisabled}
      />
      <Select label="Allowed" options={HOWS} value={how} onChange={setHow} isDisabled={isDisabled} />
      {isTimed && (
        <NumberEntry
          label="Time"
          unit="min"
          value={minutes}
          onChange={(value) => {
            setZeroTyped(value === 0)
            onChange({ ...rule, minutes: value })
          }}
          isDisabled={isDisabled}
        />
      )}
      {isTimed && (
        <>
          <Switch
            label="All of this time is allowed"
            isOn={isFullAllowed}
            onChange={(isOn) => onChange({ ...rule, isFullAllowed: isOn })}
            isDisabled={isDisabled}
          />
          <Switch
            label="Longer if never beyond another limit"
            isOn={ifNeverBeyond !== undefined}
            onChange={(isOn) => {
              const { ifNeverBeyond: _, ...plain } = rule
              onChange(isOn ? { ...rule, ifNeverBeyond: fartherThan(rule) } : plain)
            }}
            isDisabled={isDisabled}
          />
          {ifNeverBeyond !== undefined && (
            <>
              <NumberEntry
                label="The other limit"
                unit="°C"
                value={ifNeverBeyond.limit}
                onChange={(value) => onChange({ ...rule, ifNeverBeyond: { ...ifNeverBeyond, limit: value } })}
                isDisabled={isDisabled}
              />
              <NumberEntry
                label="The longer time"
                unit="min"
                value={ifNeverBeyond.minutes}
                onChange={(value) =>
                  onChange({ ...rule, ifNeverBeyond: { ...ifNeverBeyond, minutes: value } })
                }
                isDisabled={isDisabled}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}

/** A limit farther out and a longer time, to begin with. */
function fartherThan({ side, limit, minutes }: TimeRule): NonNullable<TimeRule['ifNeverBeyond']> {
  const [nearest, farther] = side === 'above' ? [21, limit + 5] : [-21, limit - 5]
  const isBeyond = side === 'above' ? nearest > limit : nearest < limit
  return {
    limit: isBeyond ? nearest : farther,
    minutes: Math.min(MOST_BUDGET_MINUTES, Math.max(360, 2 * (minutes ?? 0))),
  }
}

const OVER = [
  { id: '24', text: 'Any 24 h' },
  { id: '720', text: 'Any 30 days' },
]

type MktFieldsProps = { rule: MktRule; onChange: (rule: MktRule) => void; isDisabled: boolean }

function MktFields({ rule, onChange, isDisabled }: MktFieldsProps) {
  const { limit, hours, onlyAbove } = rule
  return (
    <div className="grid gap-x-3 tablet:grid-cols-2">
      <Select
        label="Over"
        options={OVER}
        value={String(hours)}
        onChange={(id) => onChange({ ...rule, hours: id === '720' ? 720 : 24 })}
        isDisabled={isDisabled}
      />
      <NumberEntry
        label="At most"
        unit="°C"
        value={limit}
        onChange={(value) => onChange({ ...rule, limit: value })}
        isDisabled={isDisabled}
      />
      <Switch
        label="Only times with an excursion"
        isOn={onlyAbove !== null}
        onChange={(isOn) => onChange({ ...rule, onlyAbove: isOn ? limit : null })}
        isDisabled={isDisabled}
      />
      {onlyAbove !== null && (
        <NumberEntry
          label="Excursion above"
          unit="°C"
          value={onlyAbove}
          onChange={(value) => onChange({ ...rule, onlyAbove: value })}
          isDisabled={isDisabled}
        />
      )}
    </div>
  )
}
