import { groupField, groupValue, withoutGroupValue } from '../format/group-words.ts'
import { HistoryPanel } from './history-panel.tsx'

/** The History of a group, in words. */
export const GroupHistory = ({ id }: { id: string }) => (
  <HistoryPanel
    subject="groups"
    id={id}
    labelOf={groupField}
    show={groupValue}
    withoutValue={withoutGroupValue}
  />
)
