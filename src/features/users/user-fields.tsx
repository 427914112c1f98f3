import { useMemo } from 'react'
import { NAME_MAX, normalPhone, PHONE_MAX, type UserForm } from '#machines/rules/user-form.ts'
import { groupTree } from '../../layout/group-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TreeSelect } from '../../ui/tree-select.tsx'
import { roleOptions } from './user-words.ts'

export type UserFieldsProps<F extends UserForm> = {
  fields: F
  messages: Readonly<Partial<Record<keyof UserForm, string>>>
  edit: (patch: Partial<UserForm>) => void
  isDisabled: boolean
}

/** First and last name. */
export function NameFields<F extends UserForm>({ fields, messages, edit, isDisabled }: UserFieldsProps<F>) {
  return (
    <>
      <TextField
        label="First Name"
        name="firstName"
        autoComplete="off"
        value={fields.firstName}
        onChange={(firstName) => edit({ firstName })}
        message={messages.firstName}
        hint={`Letters and digits, at most ${NAME_MAX}`}
        isDisabled={isDisabled}
      />
      <TextField
        label="Last Name"
        name="lastName"
        autoComplete="off"
        value={fields.lastName}
        onChange={(lastName) => edit({ lastName })}
        message={messages.lastName}
        isDisabled={isDisabled}
      />
    </>
  )
}

/** Phone; written as it is kept when it is left. */
export function PhoneField<F extends UserForm>({ fields, messages, edit, isDisabled }: UserFieldsProps<F>) {
  return (
    <TextField
      label="Phone"
      name="phone"
      type="tel"
      inputMode="tel"
      autoComplete="off"
      value={fields.phone}
      onChange={(phone) => edit({ phone })}
      onBlur={() => {
        const phone = normalPhone(fields.phone)
        // One that is too long stays as it was typed: whether it had a country code decides what is said of it.
        if (phone !== fields.phone && phone.length <= PHONE_MAX) edit({ phone })
      }}
      message={messages.phone}
      hint="11 digits; a leading +92 becomes 0"
      isDisabled={isDisabled}
    />
  )
}

const listOf = ({ groups }: Fleet) => groups.list

/** Role and group. `isFixed`: the group cannot be another. */
export function PlaceFields<F extends UserForm>({
  fields,
  messages,
  edit,
  isDisabled,
  isFixed = false,
}: UserFieldsProps<F> & { isFixed?: boolean }) {
  const groups = useFleet(listOf)
  const nodes = useMemo(() => groupTree(groups), [groups])
  return (
    <>
      <Select
        label="Role"
        options={roleOptions(fields.role)}
        value={fields.role === '' ? null : fields.role}
        onChange={(role) => edit({ role })}
        placeholder="Select a role"
        message={messages.role}
        isDisabled={isDisabled}
      />
      <TreeSelect
        label="Group"
        noun="groups"
        nodes={nodes}
        value={fields.groupId}
        onChange={(groupId) => edit({ groupId })}
        placeholder="Select a group"
        message={messages.groupId}
        isDisabled={isDisabled || isFixed}
      />
    </>
  )
}
