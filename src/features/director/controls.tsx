import { useState } from 'react'
import type { World } from '#machines/director/doings.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { ClockPart } from './clock-part.tsx'
import { DonePart } from './done-part.tsx'
import { FIRST_ORDER } from './fault-form.tsx'
import { FaultsPart } from './faults-part.tsx'
import { FIRST_LINK, NetworkFaultsPart } from './network-faults-part.tsx'
import { PeoplePart } from './people-part.tsx'
import { WorldPart } from './world-part.tsx'

/** All one can do to the world: the clock at the top, the rest a part at a time. What is chosen in one stays, and which part it is stays with the tab. */
export function Controls({ world }: { world: World }) {
  const { director } = useRoot()
  const { part = 'faults' } = useStore(director)
  const [fault, setFault] = useState(FIRST_ORDER)
  const [link, setLink] = useState(FIRST_LINK)
  return (
    <>
      <ClockPart world={world} />
      <div className="border-line border-t px-4 pt-2 pb-4">
        <Tabs
          aria-label="What to change"
          selected={part}
          onSelect={(next) => director.set({ ...director.get(), part: next })}
          tabs={[
            {
              id: 'faults',
              title: 'Faults',
              content: <FaultsPart world={world} order={fault} onOrder={setFault} />,
            },
            {
              id: 'links',
              title: 'Network',
              content: <NetworkFaultsPart world={world} order={link} onOrder={setLink} />,
            },
            { id: 'people', title: 'People', content: <PeoplePart world={world} /> },
            { id: 'done', title: 'Done', content: <DonePart world={world} /> },
            { id: 'world', title: 'World', content: <WorldPart world={world} /> },
          ]}
        />
      </div>
    </>
  )
}
