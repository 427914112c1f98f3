import { type ProfileFields, rulesOf, rulesText } from '../../actors/profiles.ts'
import { NumberEntry } from '../../ui/number-entry.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RuleEditor } from './rule-editor.tsx'

export type ProfileFieldsProps = {
  fields: ProfileFields
  messages: Readonly<Partial<Record<keyof ProfileFields, string>>>
  edit: (patch: Partial<ProfileFields>) => void
  isDisabled: boolean
  isNew?: boolean
}

export const LABELS: Record<keyof ProfileFields, string> = {
  name: 'Name',
  source: 'Source',
  rules: 'Rules',
  mktDecides: 'The mean kinetic temperature decides',
  steepest: 'Steepest change in a gap',
  low: 'Coldest surroundings',
  high: 'Warmest surroundings',
}

/** What a profile says. */
export function ProfileFieldset({ fields, messages, edit, isDisabled, isNew = false }: ProfileFieldsProps) {
  return (
    <>
      <TextField
        label={LABELS.name}
        value={fields.name}
        onChange={(name) => edit({ name })}
        message={messages.name}
        isDisabled={isDisabled}
        autoComplete="off"
        autoFocus={isNew}
      />
      <TextField
        label={LABELS.source}
        value={fields.source}
        onChange={(source) => edit({ source })}
        message={messages.source}
        hint="Where the rules are from: a pharmacopoeia, a data sheet, a contract"
        isDisabled={isDisabled}
        autoComplete="off"
      />
      <RuleEditor
        rules={rulesOf(fields)}
        onChange={(rules) => edit({ rules: rulesText(rules) })}
        message={messages.rules}
        isDisabled={isDisabled}
      />
      <Switch
        label={LABELS.mktDecides}
        hint="Off: it is shown and decides nothing, as some authorities want it for transport"
        isOn={fields.mktDecides}
        onChange={(mktDecides) => edit({ mktDecides })}
        isDisabled={isDisabled}
        className="pb-4"
      />
      <h3 className="font-medium">While nothing is measured</h3>
      <p className="pb-2 text-dense text-ink-faint">
        How far the bounds of a budget go over a gap. What was measured is the same.
      </p>
      <div className="grid gap-x-3 tablet:grid-cols-3">
        <NumberEntry
          label={LABELS.steepest}
          unit="°C/min"
          value={fields.steepest}
          onChange={(steepest) => edit({ steepest })}
          message={messages.steepest}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label={LABELS.low}
          unit="°C"
          value={fields.low}
          onChange={(low) => edit({ low })}
          message={messages.low}
          isDisabled={isDisabled}
        />
        <NumberEntry
          label={LABELS.high}
          unit="°C"
          value={fields.high}
          onChange={(high) => edit({ high })}
          message={messages.high}
          isDisabled={isDisabled}
        />
      </div>
    </>
  )
}
