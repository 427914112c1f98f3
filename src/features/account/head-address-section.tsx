import type { HeadAddress } from '#machines/contracts/entities/seals.ts'
import { useHeadAddressForm } from '../../actors/head-address-form.ts'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Who outside the company gets a mail a day by which the record can be shown to be unchanged; managers at the top choose them. */
export function HeadAddressSection({ companyId }: { companyId: string }) {
  const form = useHeadAddressForm(companyId)
  const [isOpen, setOpen] = useUnfolded('account proof', true)
  const { entity } = form
  // it is nothing of those who may not choose
  if (entity !== undefined && !entity.mayChange) return null
  return (
    <Disclosure
      title="Who keeps the proof"
      summary={entity?.address || undefined}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      <p className="pb-2 text-ink-soft">
        Someone outside the company, your auditor or customer, gets a short mail each day. With any one of
        them they can show on the page Verify that nothing recorded before was changed since.
      </p>
      <RecordFormView
        form={form}
        noun="address"
        labelOf={() => LABEL}
        show={(_, value) => String(value ?? '') || 'nobody'}
        hasNoCancel
      >
        {({ fields, messages, edit, isDisabled, isDirty }) => (
          <>
            <TextField
              label={LABEL}
              type="email"
              inputMode="email"
              autoComplete="off"
              maxLength={254}
              value={fields.address}
              onChange={(address) => edit({ address })}
              message={messages.address}
              hint="Empty: nobody outside gets it"
              isDisabled={isDisabled}
            />
            {entity && !isDirty && entity.sends !== null && (
              <p role="status" className={entity.sends === 'sent' ? 'text-ink-soft' : 'text-caution'}>
                {WORDS[entity.sends](entity.address)}
              </p>
            )}
          </>
        )}
      </RecordFormView>
    </Disclosure>
  )
}

const LABEL = 'E-mail address'

const WORDS: Record<NonNullable<HeadAddress['sends']>, (address: string) => string> = {
  sent: (address) => `${address} gets it each day.`,
  confirm: (address) =>
    `${address} was asked by mail and has not said yes: nothing is sent before. It is asked again once a day, five times at most.`,
  unsubscribed: (address) =>
    `${address} said that it wants no mails of your company: nothing is sent. Only they can take that back, by the link in their mail.`,
}
