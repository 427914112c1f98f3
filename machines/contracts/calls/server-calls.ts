import { any, array, boolean, literal, type as open, optional, string } from 'superstruct'
import { EpochMs } from '../scalars.ts'
import { calls } from './call.ts'

export const SERVER_CALLS = calls({
  time: {
    method: 'GET',
    path: '/time',
    summary: "The server's clock, and the zone times are shown in where nobody is signed in.",
    access: 'anyone',
    answer: open({
      now: EpochMs,
      simulator: boolean(),
      timeZone: string(),
      /** nobody can set up a company yet: whoever runs the server makes the first administrator */
      needsAdministrator: optional(literal(true)),
      /** with it: one is made already, and has not chosen a password yet */
      hasNoPassword: optional(literal(true)),
    }),
  },
  demoAccounts: {
    method: 'GET',
    path: '/demo-accounts',
    summary: 'Accounts of the scenario, for the sign-in page; empty without a device world.',
    access: 'anyone',
    answer: array(open({ userName: string(), email: string(), password: string(), note: string() })),
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description.',
    access: 'anyone',
    answer: open({ openapi: string(), paths: any() }),
  },
})
