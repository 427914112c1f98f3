import { dashboardOf } from '../actors/dashboard-actor.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { toggled } from '../effects/director-memory.ts'
import { reportPath } from '../format/report-address.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { useFleetItself } from '../read-model/use-fleet.ts'
import type { Destination } from './destinations.ts'
import type { IncidentActions } from './incidents/use-incident-actions.ts'
import type { DeviceRequest } from './palette-device.tsx'
import type { Item } from './palette-items.tsx'
import { useOnlyNow } from './past/past-context.ts'

/** What has to be known before something is done: why, of an incident, or what a device's dialog asks. */
export type PaletteRequest = 'why' | DeviceRequest

type TakeProps = {
  actions: IncidentActions
  /** goes on with what is to be said after a word */
  onType: (query: string) => void
  onAsk: (what: PaletteRequest) => void
  onClose: () => void
}

/** Goes where an item of the palette leads, or does what it says. */
export function useTakeItem({ actions, onType, onAsk, onClose }: TakeProps): (item: Item) => void {
  const { goTo, director, live, preferences, toasts } = useRoot()
  const { user } = useSignedIn()
  const fleet = useFleetItself()
  const onlyNow = useOnlyNow()

  function toIncident({ act, incident }: Item & { kind: 'incident' }): void {
    if (act === 'take') {
      actions.take([incident], user._id)
      onClose()
    } else {
      actions.ask(act, [incident])
      onAsk('why')
    }
  }

  function toDevice({ act, imei }: Item & { kind: 'of device' }): void {
    if (act === 'move' && onlyNow !== undefined) {
      onClose()
      toasts.error(onlyNow)
    } else if (act === 'report') {
      onClose()
      goTo(reportPath([imei]))
    } else onAsk({ act, imei })
  }

  return (item) => {
    if (item.kind === 'act') return onType(`${item.act} `)
    if (item.kind === 'incident') return toIncident(item)
    if (item.kind === 'of device') return toDevice(item)
    onClose()
    if (item.kind === 'director') director.set(toggled(director.get(), true))
    else if (item.kind === 'theme') preferences.set({ ...preferences.get(), theme: item.theme })
    else if (item.kind === 'past') void live.get()?.lookBack()
    else goTo(pathTo(item, fleet))
  }
}

/** A group is picked on the dashboard, which is then where one goes. */
function pathTo(
  destination: Exclude<Destination, { kind: 'director' | 'past' | 'theme' }>,
  fleet: Fleet,
): string {
  switch (destination.kind) {
    case 'page':
      return destination.path
    case 'device':
      return `/temperature/${destination.imei}`
    case 'group':
      dashboardOf(fleet).send({
        type: 'groups.pick',
        groups: new Set(fleet.groups.within(destination.groupId)),
      })
      return '/'
  }
}
