import { useActor } from '@xstate/react'
import { type FormEvent, useId, useMemo, useRef } from 'react'
import type {
  PasswordField as FieldName,
  passwordFormMachine,
} from '#machines/password-form/password-form.machine.ts'
import { INVALID_PASSWORD, isPassword } from '#machines/rules/password.ts'
import { inspect } from '../../actors/inspection.ts'
import { useSecret } from '../../actors/use-drafts.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PasswordRule } from './password-rule.tsx'

type Props = {
  /** with its effects; kept for as long as the form is shown */
  machine: typeof passwordFormMachine
  needsCode?: boolean
  labels: { password: string; confirmPassword: string; submit: string; submitting: string }
  /** for whom, so that what keeps passwords keeps this one for them */
  userName?: string | undefined
}

/** A new password, typed twice, and the code of a mail where one is asked for. */
export function PasswordForm({ machine, needsCode = false, labels, userName }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const ruleId = useId()
  const withFocus = useMemo(
    () =>
      machine.provide({
        actions: { focusOn: (_, { field }) => field !== null && focusOn(form.current, field) },
      }),
    [machine],
  )
  const [state, send] = useActor(withFocus, { input: { needsCode }, inspect })
  const { now, messages } = state.context
  useSecret()
  const isSubmitting = state.matches('submitting') || state.matches('done')
  const field = (name: FieldName) => ({
    name,
    value: now[name],
    message: messages[name] ?? undefined,
    readOnly: isSubmitting,
    onChange: (value: string) => send({ type: 'field.changed', field: name, value }),
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    send({ type: 'submit' })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col">
      {userName !== undefined && (
        <input type="text" autoComplete="username" value={userName} readOnly hidden />
      )}
      {needsCode && (
        <TextField
          {...field('code')}
          label="Confirmation code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <PasswordField {...field('password')} label={labels.password} autoComplete="new-password" />
      <PasswordField
        {...field('confirmPassword')}
        label={labels.confirmPassword}
        autoComplete="new-password"
      />
      <PasswordRule
        id={ruleId}
        password={now.password}
        isGuessable={messages.password === INVALID_PASSWORD && isPassword(now.password)}
      />
      <button type="submit" aria-disabled={isSubmitting} className={buttonLook('primary')}>
        {isSubmitting ? labels.submitting : labels.submit}
      </button>
    </form>
  )
}

function focusOn(form: HTMLFormElement | null, name: FieldName): void {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
