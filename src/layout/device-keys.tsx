import { Copy, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { COMPANY_CALLS, type NewKey } from '#machines/contracts/calls/company-calls.ts'
import {
  KEY_OVERLAP_HOURS,
  KEY_SCOPES,
  type KeyInfo,
  type KeyScope,
} from '#machines/contracts/entities/device-keys.ts'
import { copyFor } from '../actors/copy-for.ts'
import { useActing } from '../actors/use-acting.ts'
import { useKeptAnswer } from '../actors/use-kept-answer.ts'
import { useRoot } from '../actors/use-root.ts'
import { ActionDialog } from '../ui/action-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/clock-context.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { TextField } from '../ui/text-field.tsx'
import { KeptList } from './kept-list.tsx'
import { Panel } from './page.tsx'

type Opened =
  | { what: 'making' }
  | { what: 'rotating' | 'revoking'; of: KeyInfo }
  | { what: 'shown'; of: NewKey }

/** The keys other systems come with: listed, made, rotated, revoked. */
export function DeviceKeys({ companyId }: { companyId: string }) {
  const { answer, failure, ask } = useKeptAnswer(
    COMPANY_CALLS.deviceKeys,
    { params: { companyId } },
    { changes: ['keys'], id: companyId },
  )
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const show = (key: NewKey) => {
    ask()
    setOpened({ what: 'shown', of: key })
  }
  return (
    <Panel
      title="Keys for other systems"
      actions={<Button onPress={() => setOpened({ what: 'making' })}>New key</Button>}
      className="w-full max-w-200"
    >
      <KeptList
        what="The keys"
        isThere={answer !== undefined}
        failure={failure}
        onRetry={ask}
        skeletonRows={3}
      >
        {() =>
          answer === undefined || answer.length === 0 ? (
            <EmptyState title="No keys yet" icon={<KeyRound size={22} aria-hidden />}>
              A key sends readings, reads devices or follows events without anybody signed in.
            </EmptyState>
          ) : (
            <ul className="p-2">
              {answer.map((key) => (
                <KeyRow key={key._id} of={key} onOpen={setOpened} />
              ))}
            </ul>
          )
        }
      </KeptList>
      {opened?.what === 'making' && <MakeKey companyId={companyId} onMade={show} onClose={close} />}
      {opened?.what === 'rotating' && (
        <RotateKey companyId={companyId} of={opened.of} onMade={show} onClose={close} />
      )}
      {opened?.what === 'revoking' && (
        <RevokeKey companyId={companyId} of={opened.of} onDone={ask} onClose={close} />
      )}
      {opened?.what === 'shown' && <ShownKey of={opened.of} onClose={close} />}
    </Panel>
  )
}

const SCOPE_WORDS: Record<KeyScope, string> = {
  ingest: 'sends readings',
  read: 'reads devices and observations',
  events: 'follows events',
}

function KeyRow({ of: key, onOpen }: { of: KeyInfo; onOpen: (opened: Opened) => void }) {
  const { name, scopes, lastUsedAt, expiresAt, isGood } = key
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 rounded-small px-3 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          {!isGood && <Badge>Over</Badge>}
        </span>
        <span className="block text-dense text-ink-soft">
          {scopes.map((one) => SCOPE_WORDS[one]).join(', ')}
        </span>
        <span className="block text-dense text-ink-soft">
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              used <RelativeTime at={lastUsedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              {isGood ? ' · ends ' : ' · ended '}
              <RelativeTime at={expiresAt} />
            </>
          )}
        </span>
      </div>
      {isGood && (
        <div className="flex gap-1">
          <Button
            kind="quiet"
            aria-label={`Rotate ${name}`}
            onPress={() => onOpen({ what: 'rotating', of: key })}
          >
            Rotate
          </Button>
          <Button
            kind="quiet"
            aria-label={`Revoke ${name}`}
            onPress={() => onOpen({ what: 'revoking', of: key })}
          >
            Revoke
          </Button>
        </div>
      )}
    </li>
  )
}

const DAYS = [
  { id: '', text: 'Until it is revoked' },
  { id: '30', text: '30 days' },
  { id: '90', text: '90 days' },
  { id: '365', text: 'A year' },
]

type Making = { companyId: string; onMade: (key: NewKey) => void; onClose: () => void }

function MakeKey({ companyId, onMade, onClose }: Making) {
  const { http } = useRoot()
  const now = useNow()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['ingest'])
  const [days, setDays] = useState('')
  const { isActing, act } = useActing()
  const make = () =>
    act(async () => {
      const expiresAt = days === '' ? null : new Date(now + Number(days) * 86_400_000).toISOString()
      const body = { name, scopes: [...scopes], expiresAt }
      onMade(await http.ask(COMPANY_CALLS.createDeviceKey, { params: { companyId }, body }))
    })
  return (
    <ActionDialog
      title="New key"
      word="Make key"
      isActing={isActing}
      isReady={name.trim() !== '' && scopes.length > 0}
      onAct={make}
      onClose={onClose}
    >
      <TextField
        label="Name"
        maxLength={200}
        value={name}
        onChange={setName}
        hint="What comes with it, e.g. Gateway Lahore"
      />
      {KEY_SCOPES.map((scope) => (
        <Switch
          key={scope}
          label={SCOPE_WORDS[scope]}
          isOn={scopes.includes(scope)}
          onChange={(isOn) => setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
        />
      ))}
      <Select label="Good for" options={DAYS} value={days} onChange={setDays} />
    </ActionDialog>
  )
}

const OVERLAPS = [
  { id: '1', text: '1 hour' },
  { id: '24', text: '24 hours' },
  { id: '168', text: '7 days' },
]

function RotateKey({ companyId, of: key, onMade, onClose }: Making & { of: KeyInfo }) {
  const { http } = useRoot()
  const [hours, setHours] = useState('24')
  const { isActing, act } = useActing()
  const rotate = () =>
    act(async () => {
      const overlapHours = KEY_OVERLAP_HOURS.find((each) => String(each) === hours) ?? 24
      const params = { companyId, keyId: key._id }
      onMade(await http.ask(COMPANY_CALLS.rotateDeviceKey, { params, body: { overlapHours } }))
    })
  return (
    <ActionDialog
      title={`Rotate ${key.name}?`}
      word="Rotate"
      isActing={isActing}
      onAct={rotate}
      onClose={onClose}
    >
      <p className="pb-3 text-ink-soft">Another key takes its place; this one goes on for a while.</p>
      <Select label="The old key goes on for" options={OVERLAPS} value={hours} onChange={setHours} />
    </ActionDialog>
  )
}

type Revoking = { companyId: string; of: KeyInfo; onDone: () => void; onClose: () => void }

function RevokeKey({ companyId, of: key, onDone, onClose }: Revoking) {
  const { http } = useRoot()
  const { isActing, act } = useActing()
  const revoke = () =>
    act(async () => {
      await http.ask(COMPANY_CALLS.expireDeviceKey, { params: { companyId, keyId: key._id } })
      onDone()
      onClose()
    })
  return (
    <ActionDialog
      title={`Revoke ${key.name}?`}
      word="Revoke"
      isActing={isActing}
      onAct={revoke}
      onClose={onClose}
      isDanger
    >
      <p className="text-ink-soft">It opens nothing from now on. What still comes with it is refused.</p>
    </ActionDialog>
  )
}

/** The key itself, this once. */
function ShownKey({ of: { key, name }, onClose }: { of: NewKey; onClose: () => void }) {
  const root = useRoot()
  return (
    <Dialog
      title={name}
      isOpen
      closesBeside={false}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={
        <>
          <Button onPress={() => void copyFor(root, key, 'The key is copied')}>
            <Copy size={16} aria-hidden />
            Copy
          </Button>
          <Button kind="primary" onPress={onClose}>
            I have kept it
          </Button>
        </>
      }
    >
      <p className="pb-3 text-ink-soft">
        Keep this key now: it is not shown again. It goes into the header x-device-key.
      </p>
      <TextField label="Key" value={key} readOnly onFocus={(event) => event.target.select()} />
    </Dialog>
  )
}
