import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  object,
  type as open,
  optional,
  size,
  string,
} from 'superstruct'
import { CompanyDetail, CompanyFigures, CompanyRow } from '../entities/companies.ts'
import { KEY_OVERLAP_HOURS, KEY_SCOPES, KeyInfo } from '../entities/device-keys.ts'
import { Finite, Id, WritableInstant } from '../scalars.ts'
import { calls } from './call.ts'
import { UserCreated } from './user-calls.ts'

const ByCompany = object({ companyId: Id })
const ByKey = object({ companyId: Id, keyId: Id })
/** As it is typed: `machines/rules/company-form.ts` says what is wrong with it. */
const Typed = size(string(), 0, 254)
const Settings = {
  bam: optional(nullable(object({ firstName: Typed, lastName: Typed, email: Typed, phone: Typed }))),
  partner: optional(nullable(object({ emergencyHelpLineNumber: Typed, emergencyEmail: Typed }))),
  /** days that its readings are kept; null, and more than the store's: as long as the store keeps readings */
  retentionDays: optional(nullable(Finite)),
  managersAddDevices: optional(boolean()),
}

/** A key, and what it is, which is shown this once: only its hash is kept. */
export const NewKey = open({ ...KeyInfo.schema, key: string() })
export type NewKey = Infer<typeof NewKey>

export const COMPANY_CALLS = calls({
  companies: {
    method: 'GET',
    path: '/admin/companies',
    summary: 'All companies with what they have and send, for a super admin.',
    access: 'session',
    answer: array(CompanyRow),
  },
  company: {
    method: 'GET',
    path: '/admin/companies/{companyId}',
    summary: 'What is set of a company, for a super admin.',
    access: 'session',
    params: ByCompany,
    answer: CompanyDetail,
    versioned: true,
  },
  companyFigures: {
    method: 'GET',
    path: '/admin/companies/{companyId}/figures',
    summary: 'What a company has, sends and takes, for a super admin.',
    access: 'session',
    params: ByCompany,
    answer: CompanyFigures,
  },
  createCompany: {
    method: 'POST',
    path: '/admin/companies',
    summary: 'Create a company with its top group, for a super admin.',
    access: 'session',
    body: object({ name: Typed, timeZone: Typed, ...Settings }),
    answer: CompanyDetail,
    status: 201,
  },
  updateCompany: {
    method: 'PUT',
    path: '/admin/companies/{companyId}',
    summary: 'Change what is set of a company: what is given is changed; for a super admin.',
    access: 'session',
    params: ByCompany,
    body: object({ name: optional(Typed), timeZone: optional(Typed), ...Settings }),
    answer: CompanyDetail,
    versioned: true,
  },
  suspendCompany: {
    method: 'POST',
    path: '/admin/companies/{companyId}/suspend',
    summary: 'Keep everybody of a company out, at once, and refuse its keys; for a super admin.',
    access: 'session',
    setsState: true,
    params: ByCompany,
    body: object({ reason: Typed }),
    answer: CompanyDetail,
  },
  resumeCompany: {
    method: 'POST',
    path: '/admin/companies/{companyId}/resume',
    summary: 'Let a suspended company in again, for a super admin.',
    access: 'session',
    setsState: true,
    params: ByCompany,
    body: object({ reason: Typed }),
    answer: CompanyDetail,
  },
  inviteManager: {
    method: 'POST',
    path: '/admin/companies/{companyId}/managers',
    summary:
      'Create a manager of the top group of a company; an activation mail goes out. For a super admin.',
    access: 'session',
    params: ByCompany,
    body: object({ firstName: Typed, lastName: Typed, email: Typed, phone: Typed }),
    answer: UserCreated,
    status: 201,
  },
  handoff: {
    method: 'POST',
    path: '/admin/handoff/{companyId}',
    repeatable: true,
    summary: 'A link that enters a company as its top group, for a super admin.',
    access: 'session',
    params: ByCompany,
    /** the `/adminLogin` address with all it needs in its query: as good as a password */
    answer: open({ link: string() }),
  },
  deviceKeys: {
    method: 'GET',
    path: '/companies/{companyId}/keys',
    summary: 'Keys of other systems, newest first; for managers of the whole company.',
    access: 'session',
    params: ByCompany,
    answer: array(KeyInfo),
  },
  createDeviceKey: {
    method: 'POST',
    path: '/companies/{companyId}/keys',
    summary: 'Make a key; it is answered this once. For managers of the whole company.',
    access: 'session',
    params: ByCompany,
    body: object({
      name: Typed,
      scopes: size(array(enums(KEY_SCOPES)), 0, 3),
      /** null: until it is revoked */
      expiresAt: nullable(WritableInstant),
    }),
    answer: NewKey,
    status: 201,
  },
  rotateDeviceKey: {
    method: 'POST',
    path: '/companies/{companyId}/keys/{keyId}/rotate',
    summary:
      'Make a key in place of another, which goes on for the overlap. For managers of the whole company.',
    access: 'session',
    params: ByKey,
    body: object({ overlapHours: enums(KEY_OVERLAP_HOURS) }),
    answer: NewKey,
    status: 201,
  },
  expireDeviceKey: {
    method: 'DELETE',
    path: '/companies/{companyId}/keys/{keyId}',
    summary: 'Revoke a key: it opens nothing from now on. For managers of the whole company.',
    access: 'session',
    params: ByKey,
    answer: KeyInfo,
  },
})
