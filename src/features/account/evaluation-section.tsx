import { useEvaluationForm } from '../../actors/group-forms.ts'
import { EVALUATION_LABELS, evaluationValue } from '../../format/group-words.ts'
import { EvaluationFields } from '../../layout/evaluation-fields.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useUnfolded } from '../../layout/use-unfolded.ts'
import { Disclosure } from '../../ui/disclosure.tsx'

/** After how long beyond a limit there is a violation, and how far back inside ends it. */
export function EvaluationSection({ groupId }: { groupId: string }) {
  const form = useEvaluationForm(groupId)
  const [isOpen, setOpen] = useUnfolded('account evaluation', false)
  const { entity } = form
  const delay = entity && (entity.violationDelaySeconds ?? entity.companyEvaluation?.violationDelaySeconds)
  return (
    <Disclosure
      title="Delay and margins"
      summary={delay == null ? undefined : `after ${evaluationValue('violationDelaySeconds', delay)}`}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      <RecordFormView
        form={form}
        noun="delay and margins"
        labelOf={(field) => EVALUATION_LABELS[field]}
        show={evaluationValue}
        hasNoCancel
      >
        {({ fields, messages, edit, isDisabled }) => (
          <EvaluationFields
            fields={fields}
            company={entity?.companyEvaluation}
            messages={messages}
            edit={edit}
            isDisabled={isDisabled}
          />
        )}
      </RecordFormView>
    </Disclosure>
  )
}
