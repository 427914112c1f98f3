import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Redirect, useParams } from 'wouter'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import type { CompanyDetail, CompanyFigures } from '#machines/contracts/entities/companies.ts'
import { enterCompany } from '../../actors/companies.ts'
import { useCompanyForm, useInviteForm } from '../../actors/company-forms.ts'
import { mayEnterCompanies } from '../../actors/session-actor.ts'
import { useActing } from '../../actors/use-acting.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { formatBytes, formatCount } from '../../format/numbers.ts'
import { DeviceKeys } from '../../layout/device-keys.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CompanyFieldList, companyField, companyValue } from './company-fields.tsx'

/** `/admin/companies/{companyId}`: what is set of a company, who comes in, and its keys. */
export default function Company() {
  const { companyId = '' } = useParams()
  return mayEnterCompanies(useSignedIn()) ? (
    <One key={companyId} companyId={companyId} />
  ) : (
    <Redirect to="/" replace />
  )
}

type Opened = 'suspending' | 'resuming' | 'inviting' | null

function One({ companyId }: { companyId: string }) {
  const root = useRoot()
  const form = useCompanyForm(companyId)
  const { answer, ask } = useKeptAnswer(
    COMPANY_CALLS.company,
    { params: { companyId } },
    { changes: ['companies'], id: companyId, isBackground: true },
  )
  const [opened, setOpened] = useState<Opened>(null)
  return (
    <Page
      title={answer?.name ?? 'Company'}
      description={answer?.suspended && <Suspended {...answer} />}
      actions={
        answer && (
          <div className="flex flex-wrap gap-2">
            <Button onPress={() => setOpened('inviting')} isDisabled={answer.suspended}>
              Invite a manager
            </Button>
            {answer.suspended ? (
              <Button onPress={() => setOpened('resuming')}>Resume</Button>
            ) : (
              <Button onPress={() => setOpened('suspending')}>Suspend</Button>
            )}
            <Button
              kind="primary"
              isDisabled={answer.suspended}
              onPress={() => void enterCompany(root, companyId)}
            >
              Enter
              <ArrowRight size={16} aria-hidden />
            </Button>
          </div>
        )
      }
    >
      <Figures companyId={companyId} />
      <Panel className="w-full max-w-200 p-5">
        <RecordFormView form={form} noun="company" labelOf={companyField} show={companyValue} hasNoCancel>
          {(given) => <CompanyFieldList {...given} />}
        </RecordFormView>
      </Panel>
      <DeviceKeys companyId={companyId} />
      {(opened === 'suspending' || opened === 'resuming') && (
        <ChangeSuspension
          companyId={companyId}
          words={opened === 'suspending' ? SUSPENDING : RESUMING}
          onDone={ask}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'inviting' && <Invite companyId={companyId} onClose={() => setOpened(null)} />}
    </Page>
  )
}

const Suspended = ({ suspendedBecause }: CompanyDetail) => (
  <span className="flex items-center gap-2">
    <Badge>Suspended</Badge>
    {suspendedBecause}
  </span>
)

/** What it has, sends and takes. The page stands without it, and has its room: what is below does not move when it comes. */
function Figures({ companyId }: { companyId: string }) {
  const { answer, failure } = useKeptAnswer(
    COMPANY_CALLS.companyFigures,
    { params: { companyId } },
    { isBackground: true },
  )
  const words = answer && wordsOf(answer)
  return (
    <Panel className="w-full max-w-200 p-5">
      <dl className="grid grid-cols-2 gap-4 tablet:grid-cols-5">
        {FIGURES.map((name) => (
          <div key={name}>
            <dt className="text-dense text-ink-soft">{name}</dt>
            <dd className="tabular font-medium">
              {words?.[name] ?? (failure ? 'unknown' : <Skeleton className="my-1 h-3 w-16" />)}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const FIGURES = ['Devices', 'Users', 'Readings a minute', 'Storage', 'Last word'] as const

const wordsOf = ({
  devices,
  users,
  readingsAMinute,
  lastWordAt,
  storedBytes,
  isEstimated,
}: CompanyFigures): Record<(typeof FIGURES)[number], ReactNode> => ({
  Devices: formatCount(devices),
  Users: formatCount(users),
  'Readings a minute': formatCount(Math.round(readingsAMinute)),
  Storage: `${isEstimated ? 'about ' : ''}${formatBytes(storedBytes)}`,
  'Last word': lastWordAt === null ? 'no reading yet' : <RelativeTime at={lastWordAt} />,
})

const SUSPENDING = {
  call: COMPANY_CALLS.suspendCompany,
  title: 'Suspend this company?',
  word: 'Suspend',
  text: 'Everybody of it is out at once and its keys are refused. Its trackers are still listened to.',
}
const RESUMING = {
  call: COMPANY_CALLS.resumeCompany,
  title: 'Resume this company?',
  word: 'Resume',
  text: 'Its people may sign in again and its keys are good again.',
}

type Changing = {
  companyId: string
  words: typeof SUSPENDING | typeof RESUMING
  onDone: () => void
  onClose: () => void
}

/** Why, and what becomes of its people. */
function ChangeSuspension({ companyId, words: { call, title, word, text }, onDone, onClose }: Changing) {
  const { http } = useRoot()
  const [reason, setReason] = useState('')
  const { isActing, act } = useActing()
  const change = () =>
    act(async () => {
      await http.ask(call, { params: { companyId }, body: { reason } })
      onDone()
      onClose()
    })
  return (
    <ActionDialog
      title={title}
      word={word}
      isDanger={call === SUSPENDING.call}
      isActing={isActing}
      onAct={change}
      onClose={onClose}
    >
      <p className="pb-3 text-ink-soft">{text}</p>
      <TextField
        label="Reason"
        maxLength={200}
        value={reason}
        onChange={setReason}
        hint="Kept with who did it; its people do not see it"
        isDisabled={isActing}
      />
    </ActionDialog>
  )
}

/** A manager of the top group. */
function Invite({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const form = useInviteForm(companyId, onClose)
  const { fields, messages, edit } = form
  const words = { firstName: 'First name', lastName: 'Last name', email: 'E-mail', phone: 'Phone' } as const
  const names = Object.keys(words) as (keyof typeof words)[]
  return (
    <Dialog title="Invite a manager" isOpen onOpenChange={(isOpen) => !isOpen && form.leave()}>
      <RecordFormView
        form={form}
        noun="form"
        labelOf={(field) => words[field]}
        show={(_, value) => String(value ?? '')}
        saveWord="Invite"
      >
        {({ isDisabled }) =>
          names.map((name) => (
            <TextField
              key={name}
              label={words[name]}
              name={name}
              autoComplete="off"
              value={fields[name]}
              onChange={(value) => edit({ [name]: value })}
              message={messages[name]}
              {...(name === 'email' && { hint: 'The link to choose a password goes here' })}
              isDisabled={isDisabled}
            />
          ))
        }
      </RecordFormView>
    </Dialog>
  )
}
