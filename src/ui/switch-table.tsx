import { Switch } from './switch.tsx'

export type SwitchTableProps<R extends string, C extends string> = {
  label: string
  rows: readonly { id: R; label: string }[]
  columns: readonly { id: C; label: string }[]
  isOn: (row: R, column: C) => boolean
  onChange: (row: R, column: C, isOn: boolean) => void
  isDisabled?: boolean
}

/** A switch for each row in each column. */
export function SwitchTable<R extends string, C extends string>({
  label,
  rows,
  columns,
  isOn,
  onChange,
  isDisabled = false,
}: SwitchTableProps<R, C>) {
  return (
    <table aria-label={label} className="w-full max-w-120">
      <thead>
        <tr className="text-dense text-ink-soft">
          <td />
          {columns.map((column) => (
            <th key={column.id} scope="col" className="w-20 font-medium">
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-line border-t first:border-t-0">
            <th scope="row" className="text-left font-normal">
              {row.label}
            </th>
            {columns.map((column) => (
              <td key={column.id}>
                <Switch
                  label={`${row.label}: ${column.label}`}
                  isLabelHidden
                  isOn={isOn(row.id, column.id)}
                  onChange={(on) => onChange(row.id, column.id, on)}
                  isDisabled={isDisabled}
                  className="justify-center"
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
