import { hasCheckDigit } from '#machines/rules/imei.ts'
import { isImei, useNewDeviceForm } from '../../actors/device-forms.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { deviceField, deviceValue } from '../../format/device-words.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DeviceFieldset } from './device-fields.tsx'
import { ForWhoAdds } from './for-who-adds.tsx'

/** `/devices/add`: one device, at first of the visitor's group. */
export default function NewDevice() {
  return (
    <Page title="Add Device" description="It is on the map once its tracker has sent a first position.">
      <ForWhoAdds>
        <NewDeviceForm />
      </ForWhoAdds>
    </Page>
  )
}

function NewDeviceForm() {
  const { user } = useSignedIn()
  const form = useNewDeviceForm(user.groupId)
  return (
    <Panel className="w-full max-w-200 p-5">
      <RecordFormView
        form={form}
        noun="form"
        labelOf={(field) => deviceField(field) ?? field}
        show={deviceValue}
        saveWord="Add Device"
      >
        {(given) => (
          <div className="grid gap-x-4 tablet:grid-cols-2">
            <TextField
              label="IMEI"
              name="imei"
              inputMode="numeric"
              autoComplete="off"
              autoFocus
              value={given.fields.imei}
              onChange={(imei) => given.edit({ imei: imei.replaceAll(/[\s-]/g, '') })}
              message={given.messages.imei}
              hint={imeiHint(given.fields.imei)}
              isDisabled={given.isDisabled}
            />
            <DeviceFieldset {...given} />
          </div>
        )}
      </RecordFormView>
    </Panel>
  )
}

/** One that is odd is taken all the same: trackers with other numbers of digits are in the field. */
export const imeiHint = (imei: string): string =>
  isImei(imei) && !hasCheckDigit(imei)
    ? 'The check digit does not fit: please compare with the label'
    : '15 digits, on the label of the tracker'
