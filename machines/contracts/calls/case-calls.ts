import { object, type as open, string } from 'superstruct'
import { SigningOff } from '../entities/sign-off.ts'
import { ViolationCase } from '../entities/violation-case.ts'
import { Id } from '../scalars.ts'
import { calls } from './call.ts'

/** The case of a violation. `id`: of the notification that tells of it. */
export const CASE_CALLS = calls({
  violationCase: {
    method: 'GET',
    path: '/users/notifications/{id}/case',
    summary:
      'All there is to say of one violation: why it came about, what was done about it, and how what is known changed.',
    access: 'session',
    params: object({ id: Id }),
    answer: ViolationCase,
  },
  closeCase: {
    method: 'POST',
    path: '/users/notifications/{id}/case/close',
    summary:
      'Sign that nothing is left to do about a violation that is over: with a reason, what it means (reviewed, investigated, approved) and the password again. 409 says who did already.',
    access: 'session',
    // a digest of the password is not kept beside a key
    repeatable: true,
    isChange: true,
    params: object({ id: Id }),
    body: SigningOff,
    answer: ViolationCase,
  },
  requestCase: {
    method: 'POST',
    path: '/users/notifications/{id}/case/report',
    summary:
      'Ask for the case of a violation as a PDF. It is in the report log, and has versions as reports have.',
    access: 'session',
    params: object({ id: Id }),
    answer: open({ _id: Id, message: string() }),
    status: 202,
  },
})
