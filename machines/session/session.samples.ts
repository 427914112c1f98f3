import type { AnyEventObject } from 'xstate'
import { sessionMachine } from './session.machine.ts'
import type { HandOff, Session, SignInAnswer } from './session.ts'

const manager = {
  firstName: 'Ayesha',
  lastName: 'Khan',
  email: 'ayesha.khan@frostline.example',
  phone: '03001234567',
}

export const session: Session = {
  user: {
    _id: 'user-operator',
    name: 'Bilal Ahmed',
    userName: 'operator',
    groupId: 'indus',
    companyId: 'indus',
    exp: 1_800_000_000,
  },
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  identityId: 'session-1',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus Cold Chain' },
  companyInfo: { groupId: 'indus', companyId: 'indus' },
  isSuperAdminUser: false,
}

export const handOff: HandOff = {
  accessToken: 'access-9',
  refreshToken: 'refresh-9',
  identityId: 'session-9',
  userId: 'user-admin',
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Karakoram Foods' },
  companyInfo: { groupId: 'karakoram', companyId: 'karakoram' },
}

/** The administrator inside a company. */
export const handedOver: Session = {
  ...session,
  user: { ...session.user, _id: 'user-admin', groupId: 'karakoram', companyId: 'karakoram' },
  accessToken: 'access-9',
  refreshToken: 'refresh-9',
  identityId: 'session-9',
  groupInfo: handOff.groupInfo,
  companyInfo: handOff.companyInfo,
  isSuperAdminUser: true,
}

export const answers = {
  signedIn: { kind: 'signed-in', session, hasThings: true },
  resetRequired: {
    kind: 'reset-required',
    reset: { messageKey: 'USER_RESET_PASSWORD', message: 'Please reset your password', token: 'reset-1' },
  },
  suspended: { kind: 'suspended', message: 'Company is suspended', manager },
} as const satisfies Record<string, SignInAnswer>

const done = (id: string, output: unknown): AnyEventObject => ({ type: `xstate.done.actor.${id}`, output })
const failed = (id: string, error: unknown): AnyEventObject => ({ type: `xstate.error.actor.${id}`, error })

export const model = {
  name: 'session',
  kind: 'screen' as const,
  machine: sessionMachine,
  input: { remembered: session },
  events: [
    { type: 'sign-in.submit', username: 'operator@indus.example', password: 'secret' },
    { type: 'sign-in.again' },
    { type: 'sign-out' },
    { type: 'refresh.due' },
    { type: 'session.refused' },
    { type: 'session.ran-out' },
    { type: 'session.ended-by-server', refreshToken: 'refresh-1', identityId: 'session-1' },
    { type: 'session.left-elsewhere' },
    { type: 'session.stored-elsewhere', session: { ...session, accessToken: 'access-2' } },
    { type: 'session.stored-elsewhere', session: handedOver },
    { type: 'group.told', name: 'Indus Cold Chain', groupImage: null },
    { type: 'user.told', name: 'Bilal Ahmed Khan' },
    { type: 'sign-out.here' },
    { type: 'reset.resumed', token: 'reset-1' },
    { type: 'reset.done' },
    { type: 'call.unanswered', detail: 'GET /api/users: Failed to fetch', isBackground: false },
    { type: 'call.timed-out', message: 'A timeout happend on url /api/users', isBackground: false },
    { type: 'part.missing', detail: 'Failed to fetch dynamically imported module' },
    { type: 'hand-off.arrived', handOff },
    { type: 'hand-off.arrived', handOff: null },
    done('checkHandOff', handedOver),
    failed('checkHandOff', { isRefusal: true, message: 'Please login first' }),
    done('signIn', answers.signedIn),
    done('signIn', answers.resetRequired),
    done('signIn', answers.suspended),
    failed('signIn', { isRefusal: true, message: 'Invalid credentials' }),
    done('refresh', {
      accessToken: 'access-2',
      refreshToken: 'refresh-1',
      identityId: 'session-1',
      exp: 1_800_000_000,
    }),
    failed('refresh', { isRefusal: true }),
    failed('refresh', { isRefusal: false }),
  ],
  describe: (event: AnyEventObject): string => words[keyOf(event)] ?? event.type,
}

function keyOf(event: AnyEventObject): string {
  if (event.type === 'hand-off.arrived' && event.handOff === null) return 'hand-off.arrived spoilt'
  if (event.session?.isSuperAdminUser) return 'session.stored-elsewhere by another'
  if (event.type === 'xstate.done.actor.signIn') return `signIn ${event.output.kind}`
  if (event.type === 'xstate.error.actor.refresh') return `refresh refused ${event.error.isRefusal}`
  return event.type
}

const words: Record<string, string> = {
  'sign-in.submit': 'e-mail and password are sent',
  'sign-in.again': 'they go back to the sign-in form',
  'sign-out': 'they log out',
  'refresh.due': 'a call finds the access token about to run out',
  'session.refused': 'a call is refused with 401',
  'call.unanswered': 'a call gets no answer',
  'call.timed-out': 'the answer of a call takes too long',
  'part.missing': 'a page they open does not arrive',
  'session.ran-out': "the session's own end has passed",
  'session.ended-by-server': 'the server ends this session',
  'session.left-elsewhere': 'they log out in another window',
  'session.stored-elsewhere': 'another window keeps newer tokens of theirs',
  'session.stored-elsewhere by another': 'an administrator enters in another window',
  'group.told': 'somebody changes their group',
  'user.told': 'they give themselves another name',
  'sign-out.here': 'they log out and stay on the page',
  'reset.resumed': 'the page to set a new password is opened again',
  'reset.done': 'the new password is set',
  'hand-off.arrived': 'an administrator enters as a group',
  'hand-off.arrived spoilt': 'an administrator comes with an incomplete address',
  'xstate.done.actor.checkHandOff': 'the server knows the administrator',
  'xstate.error.actor.checkHandOff': 'the server does not know the administrator',
  'signIn signed-in': 'the server lets them in',
  'signIn reset-required': 'the server wants a new password first',
  'signIn suspended': 'the server says the company is suspended',
  'xstate.error.actor.signIn': 'the server refuses the password',
  'xstate.done.actor.refresh': 'the server gives a new access token',
  'refresh refused true': 'the server refuses the refresh token',
  'refresh refused false': 'the server does not answer the refresh',
}
