import { Link } from 'wouter'
import type { ShiftChange } from '#machines/contracts/entities/shift.ts'
import { counted } from '#machines/rules/figures.ts'
import { deviceField, deviceValue } from '../../format/device-words.ts'
import { groupField, groupValue, withoutGroupValue } from '../../format/group-words.ts'
import { ChangeEntry } from '../../ui/change-list.tsx'
import { CountedPanel } from './counted-panel.tsx'

type ChangesPanelProps = { changes: readonly ShiftChange[]; hasMore: boolean }

/** Which groups and devices were changed, by whom, newest first. */
export function ChangesPanel({ changes, hasMore }: ChangesPanelProps) {
  return (
    <CountedPanel
      title="Changed"
      rows={changes}
      count={changes.length}
      hasUncounted={hasMore}
      empty="Nobody changed a group or a device."
    >
      {(rows) => (
        <ol aria-label="Changed" className="flex flex-col">
          {rows.map((change) => (
            <ChangeEntry
              key={`${change.at} ${change.of} ${change.id} ${change.action}`}
              change={change}
              subject={<Subject change={change} />}
              labelOf={WORDS[change.of].field}
              show={WORDS[change.of].value}
              withoutValue={WORDS[change.of].without}
            />
          ))}
        </ol>
      )}
    </CountedPanel>
  )
}

const WORDS = {
  groups: { field: groupField, value: groupValue, without: withoutGroupValue },
  devices: { field: deviceField, value: deviceValue, without: () => undefined },
}

/** «Reefer 12 and 19 more devices» */
function Subject({ change: { of, id, name, others } }: { change: ShiftChange }) {
  const rest = others === 0 ? '' : ` and ${counted(others, of === 'groups' ? 'more group' : 'more device')}`
  return (
    <>
      <Link
        href={of === 'groups' ? `/groups/${id}/update` : `/devices/${id}`}
        className="font-medium text-ink hover:underline"
      >
        {name}
      </Link>
      {rest}
    </>
  )
}
