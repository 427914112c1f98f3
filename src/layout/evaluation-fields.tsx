import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import { EVALUATION_LABELS, evaluationValue, inMinutes } from '../format/group-words.ts'
import { NumberEntry } from '../ui/number-entry.tsx'

type EvaluationFieldsProps = {
  fields: { [K in keyof Evaluation]?: Evaluation[K] | undefined }
  /** of the company: what holds where a field is left empty */
  company: Evaluation | undefined
  messages: { readonly [K in keyof Evaluation]?: string | undefined }
  edit: (change: Partial<Evaluation>) => void
  isDisabled: boolean
}

const FIELDS = ['violationDelaySeconds', 'clearMarginTemperature', 'clearMarginHumidity'] as const
const UNITS = {
  violationDelaySeconds: 'min',
  clearMarginTemperature: '°C',
  clearMarginHumidity: '%',
} as const

/** How the limits of a group are evaluated: each empty field is as the company has it. */
export function EvaluationFields({ fields, company, messages, edit, isDisabled }: EvaluationFieldsProps) {
  return (
    <>
      <p className="pb-2 text-dense text-ink-faint">
        A limit must be crossed for the delay before it is a violation, and a value must come back inside by
        the margin before that is over. What is empty is as the company has it; changes hold for readings from
        then on.
      </p>
      <div className="grid gap-x-4 desk:grid-cols-3">
        {FIELDS.map((field) => (
          <NumberEntry
            key={field}
            label={EVALUATION_LABELS[field]}
            unit={UNITS[field]}
            value={shown(field, fields[field] ?? null)}
            onChange={(value) => edit({ [field]: value === null ? null : kept(field, value) })}
            isOptional
            hint={company && `Company: ${evaluationValue(field, company[field])}`}
            message={messages[field]}
            isDisabled={isDisabled}
          />
        ))}
      </div>
    </>
  )
}

/** The delay is typed in minutes and kept in seconds. */
const shown = (field: keyof Evaluation, value: number | null): number | null =>
  value === null || field !== 'violationDelaySeconds' ? value : inMinutes(value)
const kept = (field: keyof Evaluation, value: number): number =>
  field === 'violationDelaySeconds' ? Math.round(value * 60) : value
