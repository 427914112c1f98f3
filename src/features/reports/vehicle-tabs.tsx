import type { ReportChoice } from '#machines/rules/report-request.ts'
import { withGroups, withVehicles } from '../../actors/report-selection.ts'
import { useVehicleModels } from '../../actors/vehicle-models.ts'
import { DeviceChecklist } from '../../layout/device-checklist.tsx'
import { useTickTree } from '../../layout/use-tick-tree.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { CheckTree } from '../../ui/check-tree.tsx'
import { Tabs } from '../../ui/tabs.tsx'

export type VehicleTabsProps = {
  choice: Pick<ReportChoice, 'groups' | 'devices'>
  onChoose: (patch: Pick<ReportChoice, 'groups' | 'devices'>) => void
  message: string | undefined
  /** whether whole groups can be ticked */
  hasGroups: boolean
  hasSelectAll: boolean
  isDisabled: boolean
}

/** The vehicles of a report, one by one or by their groups: both tabs show the same ticks. */
export function VehicleTabs({ choice, onChoose, message, hasGroups, ...list }: VehicleTabsProps) {
  const fleet = useFleetItself()
  const tree = useTickTree()
  const modelOf = useVehicleModels(fleet)
  const vehicles = (
    <DeviceChecklist
      {...list}
      kind="vehicle"
      label="Vehicles"
      noun="vehicles"
      selection={choice.devices}
      onChange={(devices) => onChoose(withVehicles(fleet, choice, devices))}
      detailOf={modelOf}
      message={message}
    />
  )
  return (
    <Tabs
      aria-label="Choose by"
      tabs={[
        { id: 'vehicles', title: 'Vehicles', content: vehicles },
        hasGroups && {
          id: 'groups',
          title: 'Groups',
          content: (
            <fieldset
              disabled={list.isDisabled}
              data-invalid={message === undefined ? undefined : true}
              className="group/field flex min-w-0 flex-col"
            >
              <legend className="float-left w-full pb-1 font-medium text-dense text-ink-soft">Groups</legend>
              <div className="clear-both rounded-small bg-raised outline outline-1 -outline-offset-1 outline-edge focus-within:outline-2 focus-within:outline-focus group-data-invalid/field:outline-error">
                <CheckTree
                  aria-label="Groups"
                  nodes={tree}
                  picked={choice.groups}
                  onChange={(picked) => onChoose(withGroups(fleet, choice, picked))}
                  className="h-100 max-h-[60vh]"
                />
              </div>
              <div className="min-h-7 pt-1 text-dense text-error">{message}</div>
            </fieldset>
          ),
        },
      ].filter((tab) => tab !== false)}
    />
  )
}
