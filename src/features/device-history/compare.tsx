import { GitCompareArrows, X } from 'lucide-react'
import { MOST_COMPARED, type useCompared } from '../../actors/compared.ts'
import { useDevices } from '../../layout/device-options.ts'
import { DeviceChoices } from '../../layout/device-select.tsx'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PopUp } from '../../ui/pop-up.tsx'
import { LETTERS, LINES } from './other-lines.ts'

type Compared = ReturnType<typeof useCompared>

/** Another device beside this one: chosen by name, plate number or IMEI. */
export function CompareButton({ own, compared }: { own: string; compared: Compared }) {
  const isFull = compared.list.length >= MOST_COMPARED
  return (
    <PopUp
      label="Compare with"
      placement="bottom end"
      className="w-84"
      button={
        <IconButton
          aria-label={isFull ? `Compared with ${MOST_COMPARED}, the most` : 'Compare with another device'}
          isDisabled={isFull}
          className="print:hidden"
        >
          <GitCompareArrows size={16} aria-hidden />
        </IconButton>
      }
    >
      {({ close }) => (
        <DeviceChoices
          label="Devices"
          value={own}
          onPick={(imei) => {
            if (imei !== own) compared.add(imei)
            close()
          }}
        />
      )}
    </PopUp>
  )
}

/** Which line is whose; each is taken away with a press. */
export function Legend({ name, compared }: { name: string; compared: Compared }) {
  const { names } = useDevices().fleet
  if (compared.list.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-dense">
      <ul aria-label="Compared devices" className="flex flex-wrap items-center gap-x-4">
        <li className="flex items-center gap-2">
          <Line dash="" look="text-(--color-chart-line)" />
          {name}
        </li>
        {compared.list.map(({ imei, history }, i) => {
          const other = names.of(names.rowOf(imei), 'name') || imei
          return (
            <li key={imei} className="flex items-center gap-2">
              <Line dash={LINES[i] ?? ''} look="text-ink-soft" />
              {LETTERS[i]} {other}
              {history === undefined && compared.failure === null && (
                <span className="text-ink-faint">on its way…</span>
              )}
              {history?.points.length === 0 && <span className="text-ink-faint">nothing measured</span>}
              <IconButton
                aria-label={`Compare no more with ${other}`}
                onPress={() => compared.remove(imei)}
                className="print:hidden"
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          )
        })}
      </ul>
      {compared.failure && (
        <p role="alert" className="flex items-center gap-2 text-error">
          The others could not be loaded.
          <Button kind="quiet" onPress={compared.retry}>
            Try again
          </Button>
        </p>
      )}
    </div>
  )
}

const Line = ({ dash, look }: { dash: string; look: string }) => (
  <svg width="28" height="8" aria-hidden className={look}>
    <path d="M0 4h28" stroke="currentColor" strokeWidth="2" strokeDasharray={dash} />
  </svg>
)
