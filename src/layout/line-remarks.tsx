import { RowTable } from '../ui/row-table.tsx'

/** What is said of a line of a list that was sent. */
export type LineRemark = { line: number; imei: string; reason: string }

const COLUMNS = 'desk:grid desk:grid-cols-[6rem_13rem_1fr] desk:items-center desk:gap-3'

/** Lines of a list that was sent, and what is said of each. */
export function LineRemarks({ label, remarks }: { label: string; remarks: readonly LineRemark[] }) {
  return (
    <RowTable
      label={label}
      heads={['LINE', 'IMEI', 'WHY']}
      columns={COLUMNS}
      rows={remarks}
      keyOf={({ line }) => String(line)}
      heights={{ line: 40, card: 72 }}
    >
      {({ line, imei, reason }) => (
        <>
          <td className="tabular font-medium">
            <span className="desk:hidden">Line </span>
            {line}
          </td>
          <td className="tabular truncate text-ink-soft max-desk:pl-2">{imei}</td>
          <td className="block">{reason}</td>
        </>
      )}
    </RowTable>
  )
}
