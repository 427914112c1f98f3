import { DeviceLoad } from '../../layout/loads/device-load.tsx'
import { Panel } from '../../layout/page.tsx'

/** What the device carries now; opened and closed here. */
export default function LoadPanel({ imei, name }: { imei: string; name: string }) {
  return (
    <Panel className="px-4 py-2 print:hidden">
      <DeviceLoad imei={imei} name={name} className="flex min-h-control flex-col justify-center" />
    </Panel>
  )
}
