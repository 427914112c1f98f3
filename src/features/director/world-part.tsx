import { useState } from 'react'
import type { SimScenario } from '#machines/contracts/calls/sim-calls.ts'
import type { World } from '#machines/director/doings.ts'
import { counted } from '#machines/rules/figures.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { AskToLeave, OpenDialog } from './leave-dialogs.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDoing } from './use-doing.ts'

/** Which world this is, and the others there are. */
export function WorldPart({ world: { status, scenarios, actions } }: { world: World }) {
  const { act } = useDoing()
  const [confirming, setConfirming] = useState<'start-over' | SimScenario | null>(null)
  const done = actions.filter(({ undoneAt }) => undoneAt === null).length
  return (
    <div className="flex flex-col gap-3">
      <RefusalIn part="scenario" />
      <div className="flex flex-col gap-2 rounded-small bg-sunken p-3 text-dense">
        <p className="font-semibold text-body">{status.scenario}</p>
        {status.story !== '' && <p className="text-ink-soft">{status.story}</p>}
        <p className="tabular text-ink-soft">
          Seed {status.seed} · {counted(status.devices, 'device')} · {counted(status.facts, 'fact')}
        </p>
        <Button className="self-start" onPress={() => setConfirming('start-over')}>
          Start over
        </Button>
      </div>
      <h3 className="font-medium text-dense text-ink-soft">Scenarios</h3>
      <ul className="flex flex-col gap-px">
        {scenarios.map((scenario) => (
          <li key={scenario.name} className="flex items-start gap-2 rounded-small bg-sunken py-2 pr-1 pl-3">
            <div className="min-w-0 flex-1 text-dense">
              <p className="font-medium">
                {scenario.title}
                {scenario.name === status.scenarioName && <Badge className="ml-2">Open</Badge>}
              </p>
              {scenario.story !== '' && <p className="text-ink-soft">{scenario.story}</p>}
              <p className="tabular text-ink-faint">{counted(scenario.devices, 'device')}</p>
            </div>
            <Button
              kind="quiet"
              className="px-3"
              aria-label={`Open ${scenario.title}`}
              onPress={() => setConfirming(scenario)}
            >
              Open…
            </Button>
          </li>
        ))}
      </ul>
      {confirming === 'start-over' && (
        <AskToLeave
          title="Start over?"
          go="Start over"
          done={done}
          onGo={() => act({ kind: 'start-over' })}
          onClose={() => setConfirming(null)}
        >
          {status.scenario} begins anew.
        </AskToLeave>
      )}
      {confirming !== null && confirming !== 'start-over' && (
        <OpenDialog scenario={confirming} done={done} onClose={() => setConfirming(null)} />
      )}
    </div>
  )
}
