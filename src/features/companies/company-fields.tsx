import { RETENTION_DAYS } from '#machines/rules/retention.ts'
import type { CompanyFields } from '../../actors/company-forms.ts'
import type { RecordForm } from '../../actors/record-form.ts'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'

const WORDS: Record<keyof CompanyFields, string> = {
  name: 'Name',
  timeZone: 'Time zone',
  bamName: 'Business account manager',
  bamEmail: 'Their e-mail',
  bamPhone: 'Their phone',
  helpLine: 'Help line',
  helpEmail: 'Help e-mail',
  retentionDays: 'Days that readings are kept',
  managersAddDevices: 'Managers add devices themselves',
}

const HINTS = {
  bamName: 'Shown when the company is suspended, and under Help',
  helpLine: 'Shown under Help',
  retentionDays: `Empty or over ${RETENTION_DAYS}: ${RETENTION_DAYS}, as long as the server keeps readings. Older ones are deleted for good`,
  managersAddDevices: 'Add, import, replace and retire. Off: administrators of the server alone do',
} satisfies Partial<Record<keyof CompanyFields, string>>

export const companyField = (field: keyof CompanyFields): string => WORDS[field]
export const companyValue = (_: keyof CompanyFields, value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value ?? '')

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((id) => ({
  id,
  text: id,
}))

type Given = Pick<RecordForm<unknown, CompanyFields>, 'fields' | 'messages' | 'edit'> & {
  isDisabled: boolean
}

/** What is set of a company. */
export function CompanyFieldList({ fields, messages, edit, isDisabled }: Given) {
  const text = (field: Exclude<keyof CompanyFields, 'managersAddDevices' | 'timeZone'>, type = 'text') => (
    <TextField
      label={WORDS[field]}
      name={field}
      type={type}
      autoComplete="off"
      value={fields[field]}
      onChange={(value) => edit({ [field]: value })}
      message={messages[field]}
      {...(field in HINTS && { hint: HINTS[field as keyof typeof HINTS] })}
      isDisabled={isDisabled}
    />
  )
  const isListed = ZONES.some(({ id }) => id === fields.timeZone)
  return (
    <div className="grid gap-x-4 tablet:grid-cols-2">
      {text('name')}
      <Select
        label={WORDS.timeZone}
        options={isListed ? ZONES : [{ id: fields.timeZone, text: fields.timeZone }, ...ZONES]}
        value={fields.timeZone}
        onChange={(timeZone) => edit({ timeZone })}
        message={messages.timeZone}
        isDisabled={isDisabled}
      />
      {text('bamName')}
      {text('bamPhone', 'tel')}
      {text('bamEmail')}
      {text('helpLine', 'tel')}
      {text('helpEmail')}
      {text('retentionDays')}
      <Switch
        label={WORDS.managersAddDevices}
        hint={HINTS.managersAddDevices}
        isOn={fields.managersAddDevices}
        onChange={(managersAddDevices) => edit({ managersAddDevices })}
        isDisabled={isDisabled}
      />
    </div>
  )
}
