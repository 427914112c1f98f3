import { useNotificationSettingsForm } from '../actors/setting-forms.ts'
import { SETTING_GROUPS, SETTING_WORDS } from '../format/setting-words.ts'
import { SwitchGroups } from '../ui/switch-groups.tsx'
import { RecordFormView } from './record-form.tsx'

/** What a user wants to be notified about: all their settings, with Save. */
export function NotificationSettingsForm({ userId }: { userId: string }) {
  const form = useNotificationSettingsForm(userId)
  return (
    <RecordFormView
      form={form}
      noun="settings"
      labelOf={(field) => SETTING_WORDS.get(field) ?? field}
      show={(_, value) => (value === true ? 'on' : 'off')}
      hasNoCancel
    >
      {({ fields, edit, isDisabled }) => (
        <SwitchGroups
          groups={SETTING_GROUPS}
          isOn={(id) => fields[id]}
          onChange={(id, isOn) => edit({ [id]: isOn })}
          isDisabled={isDisabled}
        />
      )}
    </RecordFormView>
  )
}
