import { useMemo } from 'react'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { DURATIONS, type ReportChoice } from '#machines/rules/report-request.ts'
import { allKindOf, type ReportRequest } from '../../actors/report-request.ts'
import { VIOLATION_WORDS } from '../../format/setting-words.ts'
import { zoneName } from '../../format/time.ts'
import { DeviceMultiSelect } from '../../layout/device-multi-select.tsx'
import { useTickTree } from '../../layout/use-tick-tree.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { useNow } from '../../ui/clock-context.ts'
import { DateRangeField } from '../../ui/date-range-field.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { MultiSelect } from '../../ui/multi-select.tsx'
import { findIn } from '../../ui/options.ts'
import { Select } from '../../ui/select.tsx'
import { TreeMultiSelect } from '../../ui/tree-multi-select.tsx'
import type { RequestKind } from './request-kinds.ts'

type FieldsProps = { kind: RequestKind; request: ReportRequest }

/** The fields of one of the five screens. */
export function RequestFields({ kind, request }: FieldsProps) {
  return kind === 'observation' ? (
    <ObservationFields request={request} />
  ) : (
    <RangeFields kind={kind} request={request} />
  )
}

const FIELDS = 'grid gap-x-3 gap-y-1 tablet:grid-cols-2'

function RangeFields({ kind, request: { choice, choose, messageOf, isSending } }: FieldsProps) {
  const groups = useChildGroups()
  const only = allKindOf({ kind })
  return (
    <div
      className={`${FIELDS} ${kind === 'event' ? 'desk:grid-cols-3 wall:grid-cols-5' : 'desk:grid-cols-4'}`}
    >
      <TreeMultiSelect
        isField
        label="Groups"
        noun="groups"
        nodes={groups}
        picked={choice.groups}
        // a group is as good as a device: what was said of the devices goes with it
        onChange={(picked) => choose({ groups: picked, devices: choice.devices })}
        isDisabled={isSending}
      />
      <DeviceMultiSelect
        isField
        kind={only}
        noun={only ? 'vehicles' : 'devices'}
        selection={choice.devices}
        onChange={(devices) => choose({ devices })}
        message={messageOf('devices')}
        isDisabled={isSending}
      />
      {kind === 'event' && (
        <MultiSelect
          isField
          label="Event types"
          noun="types"
          total={TYPES.length}
          find={findType}
          selection={choice.types}
          onChange={(types) => choose({ types: types as ReportChoice['types'] })}
          message={messageOf('types')}
          isDisabled={isSending}
        />
      )}
      <DateRangeField
        range={choice}
        onChange={({ from, to }) => choose({ from, to })}
        timeZone={zoneName}
        granularity="day"
        messages={{ from: messageOf('from'), to: messageOf('to') }}
        isDisabled={isSending}
      />
    </div>
  )
}

function ObservationFields({ request: { choice, choose, messageOf, isSending } }: Omit<FieldsProps, 'kind'>) {
  const now = useNow(60_000)
  return (
    <div className={`${FIELDS} desk:grid-cols-3`}>
      <DeviceMultiSelect
        isField
        selection={choice.devices}
        onChange={(devices) => choose({ devices })}
        message={messageOf('devices')}
        isDisabled={isSending}
      />
      <DateTimeField
        label="Date"
        value={choice.from}
        onChange={(from) => choose({ from })}
        timeZone={zoneName}
        latest={now}
        keepsLine
        message={messageOf('from')}
        isDisabled={isSending}
      />
      <Select
        label="Duration (Hours)"
        options={HOURS}
        value={choice.hours === null ? null : String(choice.hours)}
        onChange={(hours) => choose({ hours: Number(hours) })}
        message={messageOf('hours')}
        isDisabled={isSending}
      />
    </div>
  )
}

const HOURS = DURATIONS.map((hours) => ({ id: String(hours), text: String(hours) }))
const TYPES: readonly { id: ViolationType; text: string }[] = VIOLATION_WORDS.map(({ id, label }) => ({
  id,
  text: label,
}))
const findType = findIn(TYPES)

const groupsOf = (fleet: Fleet) => fleet.groups.list

/** The groups below the visitor's own, as a tree. */
function useChildGroups() {
  const groups = useFleet(groupsOf)
  const tree = useTickTree()
  return useMemo(() => {
    const own = new Set(groups.filter(({ parentId }) => parentId === null).map(({ _id }) => _id))
    return tree.flatMap((node) => (own.has(node.id) ? node.children : [node]))
  }, [groups, tree])
}
