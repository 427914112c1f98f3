import { type AlertFields, useAlertsForm } from '../../actors/setting-forms.ts'
import { ALERT_WORDS, DAILY_HEAD_WORDS } from '../../format/setting-words.ts'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Switch } from '../../ui/switch.tsx'
import { SwitchTable } from '../../ui/switch-table.tsx'

const MEANS = [
  { id: 'sms', label: 'SMS' },
  { id: 'email', label: 'E-mail' },
] as const

/** Which violations and exhausted budgets reach the one who is signed in by SMS and by e-mail. */
export function AlertsSection({ userId }: { userId: string }) {
  const form = useAlertsForm(userId)
  const [isOpen, setOpen] = useUnfolded('account alerts', true)
  return (
    <Disclosure title="Notifications" isOpen={isOpen} onOpenChange={setOpen}>
      <RecordFormView
        form={form}
        noun="notifications"
        labelOf={labelOf}
        show={(_, value) => (value === true ? 'on' : 'off')}
        hasNoCancel
      >
        {({ entity, fields, edit, isDisabled }) => (
          <>
            <p className="pb-2 text-ink-soft">Which violations and exhausted budgets reach you, and how.</p>
            <SwitchTable
              label="Notifications"
              rows={ALERT_WORDS}
              columns={MEANS}
              isOn={(violation, means) => fields[`${means}.${violation}`]}
              onChange={(violation, means, isOn) => edit({ [`${means}.${violation}`]: isOn })}
              isDisabled={isDisabled}
            />
            {entity?.type === 'Manager' && (
              <Switch
                label={DAILY_HEAD_WORDS}
                hint="One mail a day. Kept, it shows later that nothing recorded before was changed"
                isOn={fields['email.DAILY_HEAD']}
                onChange={(isOn) => edit({ 'email.DAILY_HEAD': isOn })}
                isDisabled={isDisabled}
                className="max-w-120 pt-2"
              />
            )}
          </>
        )}
      </RecordFormView>
    </Disclosure>
  )
}

function labelOf(field: keyof AlertFields): string {
  if (field === 'email.DAILY_HEAD') return DAILY_HEAD_WORDS
  const [means, violation] = field.split('.')
  const kind = ALERT_WORDS.find(({ id }) => id === violation)?.label
  return `${kind}: ${MEANS.find(({ id }) => id === means)?.label}`
}
