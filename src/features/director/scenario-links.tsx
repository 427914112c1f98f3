import type { SimScenario } from '#machines/contracts/calls/sim-calls.ts'
import { counted } from '#machines/rules/figures.ts'

/** The scenarios there are, each with the address that opens it at its start. */
export function ScenarioLinks({ scenarios }: { scenarios: readonly SimScenario[] }) {
  return (
    <nav aria-label="Scenarios" className="flex flex-col gap-1">
      <p className="font-medium text-dense text-ink-soft">Scenarios there are</p>
      <ul className="flex flex-col gap-px">
        {scenarios.map(({ name, title, devices }) => (
          <li key={name}>
            {/* the page starts anew with what its address asks for */}
            <a
              href={`?scenario=${name}`}
              className="flex min-h-11 items-center gap-2 rounded-small bg-sunken px-3 py-1 text-dense hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
              <span className="tabular text-ink-faint">
                {name} · {counted(devices, 'device')}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
