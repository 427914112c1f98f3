import { useMemo } from 'react'
import type { Group } from '#machines/contracts/entities/groups.ts'
import { counted } from '#machines/rules/figures.ts'
import type { RecordForm } from '../../actors/record-form.ts'
import { EvaluationFields } from '../../layout/evaluation-fields.tsx'
import { groupTree } from '../../layout/group-tree.ts'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useFleet } from '../../read-model/use-fleet.ts'
import { RangeSlider } from '../../ui/range-slider.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TreeSelect } from '../../ui/tree-select.tsx'
import { idsBelow, type TreeNode } from '../../ui/tree-selection.ts'
import { deviceChanges } from './device-changes.ts'
import { DevicePicker } from './device-picker.tsx'
import { type GroupFields, LABELS } from './group-fields.ts'
import { useShownValue } from './shown-value.tsx'

export type GroupFormProps = {
  form: RecordForm<Group, GroupFields>
  /** of the group that is changed; left out for a new one */
  id?: string
  saveWord?: string
}

type Inside = Parameters<Parameters<typeof RecordFormView<Group, GroupFields>>[0]['children']>[0]

/** The fields of a group, with its devices and its thresholds. */
export function GroupForm({ form, id, saveWord = 'Save' }: GroupFormProps) {
  const show = useShownValue(form.entity?.things ?? [])
  return (
    <RecordFormView
      form={form}
      noun="group"
      labelOf={(field) => LABELS[field]}
      show={show}
      saveWord={saveWord}
    >
      {(inside) => (
        <>
          <Texts form={inside} id={id} />
          <DevicePicker
            chosen={inside.fields.things}
            before={id === undefined ? NOTHING : (inside.entity?.things ?? NOTHING)}
            onChange={(things) => inside.edit({ things })}
            hint={
              id === undefined
                ? 'A device is in one group: it leaves the one named beside it.'
                : 'A device that is taken leaves the group named beside it; one that is let go returns to the parent group.'
            }
            isDisabled={inside.isDisabled}
          />
          <Band
            form={inside}
            label="Temperature"
            unit="°C"
            low="lowTemperatureThreshold"
            high="highTemperatureThreshold"
          />
          <Band
            form={inside}
            label="Humidity"
            unit="%"
            low="lowHumidityThreshold"
            high="highHumidityThreshold"
          />
          <h3 className="font-medium">Delay and margins</h3>
          <EvaluationFields
            fields={inside.fields}
            company={inside.entity?.companyEvaluation}
            messages={inside.messages}
            edit={inside.edit}
            isDisabled={inside.isDisabled}
          />
          <Moves form={inside} isNew={id === undefined} />
        </>
      )}
    </RecordFormView>
  )
}

const NOTHING: readonly string[] = []

/** What Save does to devices, beside it: all of them are taken with one press. */
function Moves({ form, isNew }: { form: Inside; isNew: boolean }) {
  const before = isNew ? NOTHING : (form.entity?.things ?? NOTHING)
  const { things } = form.fields
  const { added, removed } = useMemo(() => deviceChanges(before, new Set(things)), [before, things])
  if (added + removed === 0) return null
  const parts = [
    added > 0 && `${counted(added, 'device')} to this group`,
    removed > 0 && `${counted(removed, 'device')} to its parent group`,
  ].filter(Boolean)
  return <p className="tabular rounded-small bg-sunken px-3 py-2">{`Saving moves ${parts.join(' and ')}.`}</p>
}

function Texts({ form, id }: { form: Inside; id: string | undefined }) {
  const groups = useFleet(groupsOf)
  const nodes = useMemo(() => without(groupTree(groups), id), [groups, id])
  const { fields, messages, edit, isDisabled } = form
  return (
    <>
      <TextField
        label={LABELS.name}
        value={fields.name}
        onChange={(name) => edit({ name })}
        message={messages.name}
        isDisabled={isDisabled}
        autoComplete="off"
        autoFocus={id === undefined}
      />
      <TextField
        label={LABELS.description}
        value={fields.description}
        onChange={(description) => edit({ description })}
        message={messages.description}
        isDisabled={isDisabled}
        autoComplete="off"
      />
      <TreeSelect
        label={LABELS.parentId}
        noun="groups"
        nodes={nodes}
        value={fields.parentId}
        onChange={(parentId) => edit({ parentId })}
        placeholder="Select a parent group"
        message={messages.parentId}
        isDisabled={isDisabled}
      />
    </>
  )
}

const groupsOf = (fleet: { groups: { list: Parameters<typeof groupTree>[0] } }) => fleet.groups.list

/** A tree without one group and all below it: nothing can be moved below itself. */
function without(nodes: readonly TreeNode[], id: string | undefined): TreeNode[] {
  return nodes
    .filter((node) => node.id !== id)
    .map((node) =>
      id !== undefined && idsBelow(node).includes(id)
        ? { ...node, children: without(node.children, id) }
        : node,
    )
}

type BandProps = {
  form: Inside
  label: 'Temperature' | 'Humidity'
  unit: string
  low: 'lowTemperatureThreshold' | 'lowHumidityThreshold'
  high: 'highTemperatureThreshold' | 'highHumidityThreshold'
}

function Band({ form, label, unit, low, high }: BandProps) {
  const { fields, messages, edit, entity, isDisabled } = form
  if (entity === undefined) return null
  const [min, max] = label === 'Temperature' ? [entity.tmin, entity.tmax] : [entity.hmin, entity.hmax]
  const isUnset = fields[low] === 0 && fields[high] === 0
  return (
    <div className="flex flex-col pb-2">
      <h3 className="font-medium">{`${label} thresholds`}</h3>
      <p className="pb-1 text-dense text-ink-faint">
        {isUnset
          ? 'Both at 0: nobody has set them yet.'
          : `Readings below the low or above the high threshold become violations.`}
      </p>
      <RangeSlider
        label={`${label} thresholds`}
        unit={unit}
        min={min}
        max={max}
        step={label === 'Temperature' ? 0.5 : 1}
        value={{ low: fields[low], high: fields[high] }}
        onChange={({ low: from, high: to }) => edit({ [low]: from, [high]: to })}
        lowLabel={LABELS[low]}
        highLabel={LABELS[high]}
        messages={{ low: messages[low], high: messages[high] }}
        isDisabled={isDisabled}
      />
    </div>
  )
}
