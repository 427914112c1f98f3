import { LINK_FAULTS, type LinkFaultKind } from '#machines/contracts/scenario-script.ts'
import type { World } from '#machines/director/doings.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { InForce } from './in-force.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDoing } from './use-doing.ts'
import { LINK_WORDS, networkFaultWords, REAL_SPANS } from './words.ts'

export type LinkOrder = { fault: LinkFaultKind; seconds: string; milliseconds: string }
export const FIRST_LINK: LinkOrder = { fault: 'cut', seconds: '30', milliseconds: '1000' }

const DELAYS = [
  { id: '250', text: '¼ second' },
  { id: '1000', text: '1 second' },
  { id: '3000', text: '3 seconds' },
  { id: '8000', text: '8 seconds' },
]

type Props = { world: World; order: LinkOrder; onOrder: (order: LinkOrder) => void }

/** Makes the network between this portal and its server bad. The panel itself does not feel it. */
export function NetworkFaultsPart({ world: { links }, order, onOrder }: Props) {
  const { act, isDoing } = useDoing()
  const set = (part: Partial<LinkOrder>): void => onOrder({ ...order, ...part })
  const isDelay = order.fault === 'delay'
  return (
    <div className="flex flex-col gap-4">
      <form
        className="flex flex-col"
        onSubmit={(event) => {
          event.preventDefault()
          act({
            kind: 'link',
            fault: order.fault,
            forSeconds: Number(order.seconds),
            ...(isDelay && { milliseconds: Number(order.milliseconds) }),
          })
        }}
      >
        <div className="grid grid-cols-[3fr_2fr] gap-2">
          <Select
            label="What is wrong with the network"
            options={LINK_FAULTS.map((id) => ({ id, text: LINK_WORDS[id] }))}
            value={order.fault}
            onChange={(id) => set({ fault: id as LinkFaultKind })}
          />
          <Select
            label="For how long"
            options={REAL_SPANS}
            value={order.seconds}
            onChange={(seconds) => set({ seconds })}
          />
        </div>
        {isDelay && (
          <Select
            label="How much later everything comes"
            options={DELAYS}
            value={order.milliseconds}
            onChange={(milliseconds) => set({ milliseconds })}
          />
        )}
        <Button type="submit" kind="primary" isPending={isDoing('link')}>
          Make it so
        </Button>
        <p className="pt-2 text-dense text-ink-soft">
          All portals feel it, in real seconds. Devices and this panel do not.
        </p>
      </form>
      <RefusalIn part="links" />
      <InForce
        title="Wrong with the network now"
        nothing="The network is fine."
        rows={links.map(({ id, until, worldUntil, ...link }) => ({
          id,
          what: networkFaultWords(link),
          whom: null,
          until: worldUntil ?? until,
          isReal: worldUntil === undefined,
        }))}
        liftKind="link.lift"
        onLift={(id) => act({ kind: 'link.lift', id })}
      />
    </div>
  )
}
