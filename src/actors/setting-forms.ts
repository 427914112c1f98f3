import { type Infer, type as open, optional, string } from 'superstruct'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { NotificationSettings } from '#machines/contracts/entities/users.ts'
import { type AlertKind, AlertSwitches, MailSwitches } from '#machines/contracts/entities/violation-types.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

const UPDATED = 'Notification Settings has Updated Successfully!'

type Versioned<T> = T & { version: string }
const Settings = open({ ...NotificationSettings.schema, version: string() })

/** What a user wants to be notified about. It stays open when it is saved. */
export function useNotificationSettingsForm(
  id: string,
): RecordForm<Versioned<NotificationSettings>, NotificationSettings> {
  const { http, toasts } = useRoot()
  const form = useRecordForm<Versioned<NotificationSettings>, NotificationSettings>({
    name: 'settings',
    load: (options) => http.ask(USER_CALLS.notificationSettings, { params: { id } }, options),
    read: ({ version, ...settings }) => ({ fields: onlySettings(settings), version }),
    check: () => [],
    save: (body, _, options) =>
      http.ask(USER_CALLS.updateNotificationSettings, { params: { id }, body }, options),
    contract: Settings,
    onSaved: () => toasts.success(UPDATED),
  })
  useChanges(['settings'], form.changedElsewhere, id)
  return form
}

/** A server may say more than is asked of it; the form holds what it can send. */
const onlySettings = (all: NotificationSettings): NotificationSettings =>
  Object.fromEntries(
    Object.keys(NotificationSettings.schema).map((key) => [key, all[key as keyof NotificationSettings]]),
  ) as NotificationSettings

const Alerts = open({ sms: AlertSwitches, email: MailSwitches, type: optional(string()), version: string() })
type Alerts = Infer<typeof Alerts>
export type AlertMeans = 'sms' | 'email'
/**
 * `sms.HIGH_TEMPERATURE_DETECTED`: whether such a violation reaches the user by SMS; `email.DAILY_HEAD`: whether a manager gets the
 * daily head of the record. What is left out in an answer is on.
 */
export type AlertFields = { [K in `${AlertMeans}.${AlertKind}` | 'email.DAILY_HEAD']: boolean }

/** What reaches a user by SMS and by e-mail. It stays open when it is saved. */
export function useAlertsForm(id: string): RecordForm<Alerts, AlertFields> {
  const { http, toasts } = useRoot()
  const form = useRecordForm<Alerts, AlertFields>({
    name: 'alerts',
    load: async (options) => {
      const { smsSetting, emailSetting, type, version } = await http.ask(
        USER_CALLS.user,
        { params: { id } },
        options,
      )
      return { sms: smsSetting, email: emailSetting, type, version }
    },
    read: ({ version, sms, email }) => ({ fields: fieldsOf({ sms, email }), version }),
    check: () => [],
    save: (fields, _, options) => {
      const email = { ...switchesOf(fields, 'email'), DAILY_HEAD: fields['email.DAILY_HEAD'] }
      const body = { sms: switchesOf(fields, 'sms'), email }
      return http.ask(USER_CALLS.updateSmsEmailSetting, { params: { id }, body }, options)
    },
    contract: Alerts,
    onSaved: () => toasts.success(UPDATED),
  })
  useChanges(['settings'], form.changedElsewhere, id)
  return form
}

const KINDS = Object.keys(AlertSwitches.schema) as AlertKind[]

const fieldsOf = (alerts: Pick<Alerts, AlertMeans>): AlertFields =>
  ({
    ...Object.fromEntries(
      (['sms', 'email'] as const).flatMap((means) =>
        KINDS.map((violation) => [`${means}.${violation}`, alerts[means][violation] ?? true]),
      ),
    ),
    'email.DAILY_HEAD': alerts.email.DAILY_HEAD ?? true,
  }) as AlertFields

const switchesOf = (fields: AlertFields, means: AlertMeans): AlertSwitches =>
  Object.fromEntries(KINDS.map((violation) => [violation, fields[`${means}.${violation}`]])) as AlertSwitches
