import { SEAL_CALLS } from '#machines/contracts/calls/seal-calls.ts'
import { HeadAddress } from '#machines/contracts/entities/seals.ts'
import { INVALID_EMAIL, isEmail } from '#machines/rules/schedule-form.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

const UPDATED = 'The address has been saved.'

export type HeadAddressFields = { address: string }

/** Who outside keeps the daily heads of the record for a company. It stays open when it is saved. */
export function useHeadAddressForm(companyId: string): RecordForm<HeadAddress, HeadAddressFields> {
  const { http, toasts } = useRoot()
  const form = useRecordForm<HeadAddress, HeadAddressFields>({
    name: 'head address',
    load: (options) => http.ask(SEAL_CALLS.headAddress, { params: { companyId } }, options),
    read: ({ address, version }) => ({ fields: { address }, version }),
    check: ({ address }) =>
      address.trim() === '' || isEmail(address) ? [] : [{ path: 'address', message: INVALID_EMAIL }],
    save: ({ address }, _, options) =>
      http.ask(
        SEAL_CALLS.updateHeadAddress,
        { params: { companyId }, body: { address: address.trim() } },
        options,
      ),
    contract: HeadAddress,
    onSaved: () => toasts.success(UPDATED),
  })
  useChanges(['settings'], form.changedElsewhere, companyId)
  return form
}
