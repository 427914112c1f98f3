import { useRef } from 'react'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import { UserCreated } from '#machines/contracts/calls/user-calls.ts'
import { CompanyDetail } from '#machines/contracts/entities/companies.ts'
import { companyFaults } from '#machines/rules/company-form.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { newUserFaults, normalPhone } from '#machines/rules/user-form.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { COMPANIES_PATH } from './session-actor.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

/** A company as its form has it. */
export type CompanyFields = {
  name: string
  timeZone: string
  bamName: string
  bamEmail: string
  bamPhone: string
  helpLine: string
  helpEmail: string
  /** days; empty: as long as the server keeps readings */
  retentionDays: string
  managersAddDevices: boolean
}

type NewCompany = Partial<CompanyDetail>

const BLANK: CompanyFields = {
  name: '',
  timeZone: 'UTC',
  bamName: '',
  bamEmail: '',
  bamPhone: '',
  helpLine: '',
  helpEmail: '',
  retentionDays: '',
  managersAddDevices: false,
}

/** The form of a company that is not there yet; saved, it leads to its page. */
export function useNewCompanyForm(): RecordForm<NewCompany, CompanyFields> {
  const { http, toasts, goTo } = useRoot()
  const madeId = useRef<string>(undefined)
  return useRecordForm<NewCompany, CompanyFields>({
    load: async () => ({}),
    read: () => ({ fields: BLANK, version: null }),
    check: faultsOf,
    save: (fields, _, options) => http.ask(COMPANY_CALLS.createCompany, { body: bodyOf(fields) }, options),
    contract: CompanyDetail,
    onSaved({ _id, name }) {
      madeId.current = _id
      toasts.success(`${name} is there. Invite its first manager next.`)
    },
    onClose: () =>
      goTo(madeId.current === undefined ? COMPANIES_PATH : `${COMPANIES_PATH}/${madeId.current}`),
  })
}

/** What is set of a company. It stays open when it is saved. */
export function useCompanyForm(companyId: string): RecordForm<CompanyDetail, CompanyFields> {
  const { http, toasts } = useRoot()
  const params = { companyId }
  const form = useRecordForm<CompanyDetail, CompanyFields>({
    name: 'company',
    load: (options) => http.ask(COMPANY_CALLS.company, { params }, options),
    read: (company) => ({ fields: fieldsOf(company), version: company.version }),
    check: faultsOf,
    save: (fields, _, options) =>
      http.ask(COMPANY_CALLS.updateCompany, { params, body: bodyOf(fields) }, options),
    contract: CompanyDetail,
    onSaved: ({ name }) => toasts.success(`${name} is saved`),
  })
  useChanges(['companies'], form.changedElsewhere, companyId)
  return form
}

export type ManagerFields = { firstName: string; lastName: string; email: string; phone: string }
type Invited = { answer?: string }

/** The form by which a manager is invited to a company. */
export function useInviteForm(companyId: string, onClose: () => void): RecordForm<Invited, ManagerFields> {
  const { http, toasts } = useRoot()
  return useRecordForm<Invited, ManagerFields>({
    name: 'manager',
    load: async () => ({}),
    read: () => ({ fields: { firstName: '', lastName: '', email: '', phone: '' }, version: null }),
    check: (fields) =>
      newUserFaults({ ...fields, userName: 'new', type: 'Manager', role: 'admin', groupId: 'top' }),
    save: async (fields, _, options) => {
      const body = { ...fields, phone: normalPhone(fields.phone) }
      const { message } = await http.ask(
        COMPANY_CALLS.inviteManager,
        { params: { companyId }, body },
        options,
      )
      return { answer: message }
    },
    contract: UserCreated,
    onSaved: () => toasts.success('The link to choose a password is on its way'),
    onClose,
    isWindow: true,
  })
}

const faultsOf = (fields: CompanyFields): Fault[] => companyFaults(bodyOf(fields))

function bodyOf(fields: CompanyFields) {
  const [firstName = '', ...rest] = fields.bamName.trim().split(/\s+/)
  const hasManager = [fields.bamName, fields.bamEmail, fields.bamPhone].some((text) => text.trim() !== '')
  const hasHelp = [fields.helpLine, fields.helpEmail].some((text) => text.trim() !== '')
  return {
    name: fields.name,
    timeZone: fields.timeZone,
    bam: hasManager
      ? { firstName, lastName: rest.join(' '), email: fields.bamEmail.trim(), phone: fields.bamPhone.trim() }
      : null,
    partner: hasHelp
      ? { emergencyHelpLineNumber: fields.helpLine.trim(), emergencyEmail: fields.helpEmail.trim() }
      : null,
    retentionDays: fields.retentionDays.trim() === '' ? null : Number(fields.retentionDays),
    managersAddDevices: fields.managersAddDevices,
  }
}

const fieldsOf = (company: CompanyDetail): CompanyFields => ({
  name: company.name,
  timeZone: company.timeZone,
  bamName: company.bam ? `${company.bam.firstName} ${company.bam.lastName}`.trim() : '',
  bamEmail: company.bam?.email ?? '',
  bamPhone: company.bam?.phone ?? '',
  helpLine: company.partner?.emergencyHelpLineNumber ?? '',
  helpEmail: company.partner?.emergencyEmail ?? '',
  retentionDays: company.retentionDays === null ? '' : String(company.retentionDays),
  managersAddDevices: company.managersAddDevices,
})
