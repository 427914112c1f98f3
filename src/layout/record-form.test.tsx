import { string, type } from 'superstruct'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { useRecordForm } from '../actors/record-form.ts'
import { leaveOnceConfirmed } from '../effects/leaving.ts'
import { createFleet } from '../read-model/fleet.ts'
import { TextField } from '../ui/text-field.tsx'
import { RecordFormView } from './record-form.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

type Named = { name: string }
type Props = { save: () => Promise<Named>; onClose: () => void }

/** A form of one field, closed when it is saved. */
function NameForm({ save, onClose }: Props) {
  const form = useRecordForm<Named, Named>({
    load: async () => ({ name: 'North' }),
    read: (fields) => ({ fields, version: '1' }),
    check: () => [],
    save,
    contract: type({ name: string() }),
    onClose,
  })
  return (
    <RecordFormView form={form} noun="group" labelOf={() => 'Name'} show={String}>
      {({ fields, edit }) => (
        <TextField label="Name" value={fields.name} onChange={(name) => edit({ name })} />
      )}
    </RecordFormView>
  )
}

/** The form while it is saved, and where the visitor went. */
async function saving() {
  const went: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Named>()
  const form = <NameForm save={() => promise} onClose={() => went.push('closed')} />
  harness = await mountPage(form, { at: '/', server: {}, fleet: createFleet((call) => call()) })
  await page.getByLabelText('Name').fill('Far north')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('button', { name: 'Saving…' })).toBeDisabled()
  return { went, resolve, reject, goTo: (where: string) => leaveOnceConfirmed(() => went.push(where)) }
}

test('who goes elsewhere while it is saved gets there once it is', async () => {
  const { went, resolve, goTo } = await saving()
  goTo('reports')
  expect(went).toEqual([])
  resolve({ name: 'Far north' })
  await expect.poll(() => went).toEqual(['reports'])
})

test('where it was not saved nobody goes, and Cancel leads where it always does', async () => {
  const { went, reject, goTo } = await saving()
  goTo('reports')
  reject(new Error('The store is full'))
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeEnabled()
  expect(went).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect.poll(() => went).toEqual(['closed'])
})
