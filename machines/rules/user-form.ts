import { is } from 'superstruct'
import { Email } from '../contracts/scalars.ts'
import { type Fault, firstFaults, isAlphanumeric, REQUIRED } from './plain-text.ts'

export const NAME_MAX = 20
export const USER_NAME_MAX = 30
export const PHONE_MAX = 11

/** What the form of a new user holds, as it was typed. */
export type NewUserForm = {
  firstName: string
  lastName: string
  userName: string
  email: string
  phone: string
  type: string
  role: string
  groupId: string
}
export type UserForm = Pick<NewUserForm, 'firstName' | 'lastName' | 'phone' | 'role' | 'groupId'>

/** What is wrong with a new user, one fault a field. */
export function newUserFaults(form: NewUserForm): Fault<keyof NewUserForm>[] {
  const userName = form.userName.trim()
  return firstFaults<keyof NewUserForm>([
    ...nameChecks(form),
    ['userName', REQUIRED, userName === ''],
    ['userName', 'Spaces not allowed in user name', /\s/.test(userName)],
    ['userName', 'Username should be alphanumeric', !/^[\p{L}\p{M}\p{N}]*$/u.test(userName)],
    ['userName', `Max ${USER_NAME_MAX} characters are allowed in user name`, userName.length > USER_NAME_MAX],
    ['email', REQUIRED, form.email.trim() === ''],
    ['email', 'Invalid email!', !is(form.email.trim(), Email)],
    ...phoneChecks(form),
    ['type', 'User type is required', form.type.trim() === ''],
    ['type', 'User type should be alphanumeric', !isWord(form.type)],
    ...placeChecks(form),
  ])
}

/** What is wrong with a changed user, one fault a field. */
export const userFaults = (form: UserForm): Fault<keyof UserForm>[] =>
  firstFaults<keyof UserForm>([...nameChecks(form), ...phoneChecks(form), ...placeChecks(form)])

/** A phone number as it is kept: without blanks and hyphens, the country code of Pakistan as the 0 it stands for. */
export const normalPhone = (typed: string): string => typed.replace(/[\s-]/g, '').replace(/^\+?92/, '0')

/** A user name made of an e-mail address, and of a number where it is taken. */
export function userNameFrom(email: string, isTaken: (userName: string) => boolean): string {
  const plain = (email.split('@')[0] ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, USER_NAME_MAX - 4)
  const base = plain === '' ? 'user' : plain
  let userName = base
  for (let n = 2; isTaken(userName); n++) userName = `${base}${n}`
  return userName
}

type Checks<F extends string> = (readonly [F, string, boolean])[]

function nameChecks({ firstName, lastName }: UserForm): Checks<'firstName' | 'lastName'> {
  const [first, last] = [firstName.trim(), lastName.trim()]
  return [
    ['firstName', REQUIRED, first === ''],
    ['firstName', 'Firstname should be alphanumeric', !isAlphanumeric(first)],
    ['firstName', `Max ${NAME_MAX} characters are allowed in firstname`, first.length > NAME_MAX],
    ['lastName', REQUIRED, last === ''],
    ['lastName', 'Lastname should be alphanumeric', !isAlphanumeric(last)],
    ['lastName', `Max ${NAME_MAX} characters are allowed in lastname`, last.length > NAME_MAX],
  ]
}

/** Whoever writes the country code reads what the documents' toast says, others as their form has it. */
function phoneChecks({ phone }: UserForm): Checks<'phone'> {
  const normal = normalPhone(phone)
  const isLong = normal.length > PHONE_MAX
  return [
    ['phone', REQUIRED, phone.trim() === ''],
    ['phone', 'Invalid phone number', !/^\d+$/.test(normal) || (isLong && /^\s*\+?92/.test(phone))],
    ['phone', `Max ${PHONE_MAX} characters are allowed in phone`, isLong],
  ]
}

function placeChecks({ role, groupId }: UserForm): Checks<'role' | 'groupId'> {
  return [
    ['role', 'User role is required', role.trim() === ''],
    ['role', 'User role should be alphanumeric', !isWord(role)],
    ['groupId', 'Please select a group', groupId.trim() === ''],
  ]
}

const isWord = (text: string): boolean => isAlphanumeric(text.trim()) && text.length <= USER_NAME_MAX
