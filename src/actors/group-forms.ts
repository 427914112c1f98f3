import { useEffect, useState } from 'react'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import { Group } from '#machines/contracts/entities/groups.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { Fields } from '#machines/record-form/merge.ts'
import { groupFaults } from '#machines/rules/group-form.ts'
import { imageFault } from '#machines/rules/image-file.ts'
import { type RecordForm, type RecordFormOptions, useRecordForm } from './record-form.ts'
import { useChanges } from './use-changes.ts'
import { useSecret } from './use-drafts.ts'
import { useRoot } from './use-root.ts'

const UPDATED = 'Group Updated Successfully!'

export type Quantity = 'Temperature' | 'Humidity'
export type BandFields = Partial<Thresholds>

/** Some fields of a group. It stays open when they are saved. */
function usePartOfGroup<F extends Fields>(
  groupId: string,
  { name, read }: Required<Pick<RecordFormOptions<Group, F>, 'name' | 'read'>>,
): RecordForm<Group, F> {
  const { http, toasts } = useRoot()
  const form = useRecordForm<Group, F>({
    name,
    load: (options) => http.ask(GROUP_CALLS.group, { params: { id: groupId } }, options),
    read,
    check: groupFaults,
    save: (body, _, options) => http.ask(GROUP_CALLS.renameGroup, { params: { id: groupId }, body }, options),
    contract: Group,
    onSaved: () => toasts.success(UPDATED),
  })
  useChanges(['groups'], form.changedElsewhere, groupId)
  return form
}

/** One band of thresholds of a group, °C or %. */
export const useBandForm = (groupId: string, quantity: Quantity): RecordForm<Group, BandFields> =>
  usePartOfGroup<BandFields>(groupId, {
    name: quantity,
    read: (group) => {
      const [low, high] = [`low${quantity}Threshold`, `high${quantity}Threshold`] as const
      return { fields: { [low]: group[low], [high]: group[high] }, version: group.version }
    },
  })

/** How the limits of a group are evaluated. */
export const useEvaluationForm = (groupId: string): RecordForm<Group, Evaluation> =>
  usePartOfGroup<Evaluation>(groupId, {
    name: 'evaluation',
    read: ({ violationDelaySeconds, clearMarginTemperature, clearMarginHumidity, version }) => ({
      fields: {
        violationDelaySeconds: violationDelaySeconds ?? null,
        clearMarginTemperature: clearMarginTemperature ?? null,
        clearMarginHumidity: clearMarginHumidity ?? null,
      },
      version,
    }),
  })

/** `file`: address of the picture, `blob:` while it is one that was chosen here; '' for none. */
export type FaceFields = { name: string; file: string }
export type FaceForm = RecordForm<Group, FaceFields> & {
  pick(file: File): void
  /** what is wrong with a picture, told as soon as it is picked; null where nothing is */
  faultOf(address: string): string | null
}

/** A group's name and picture. */
export function useFaceForm(groupId: string): FaceForm {
  const { http, toasts, goTo, session } = useRoot()
  const [picked] = useState(createPicked)
  useEffect(() => picked.forget, [picked])
  const form = useRecordForm<Group, FaceFields>({
    load: (options) => http.ask(GROUP_CALLS.group, { params: { id: groupId } }, options),
    read: ({ name, image, version }) => ({ fields: { name, file: image ?? '' }, version }),
    check: ({ name, file }, group) => [
      // that of a company's top group is the company's: it need not be one of a group
      ...(name === group.name ? [] : groupFaults({ name }, group)),
      ...withFault('file', picked.faultOf(file)),
    ],
    async save({ name, file }, group, options) {
      const params = { id: groupId }
      // The picture first: the server may find that it is none, and then nothing is changed.
      const now = await picked.sentOnce(file, group, (chosen) =>
        http.ask(GROUP_CALLS.updateGroupImage, { params }, { ...options, file: chosen }),
      )
      if (name.trim() === now.name) return now
      const on = now === group ? options : { ...options, ifMatch: now.version }
      return http.ask(GROUP_CALLS.renameGroup, { params, body: { name } }, on)
    },
    contract: Group,
    onSaved({ _id, name, image }) {
      toasts.success(UPDATED)
      if (_id === session.getSnapshot().context.session?.user.groupId)
        session.send({ type: 'group.told', name, groupImage: image })
    },
    onClose: () => goTo('/account'),
  })
  useChanges(['groups'], form.changedElsewhere, groupId)
  useSecret(picked.has(form.fields.file))
  return { ...form, pick: (file) => form.edit({ file: picked.add(file) }), faultOf: picked.faultOf }
}

/** Files chosen here, by the address under which they are shown. */
function createPicked() {
  const files = new Map<string, File>()
  /** the last that arrived: made of which state of the group, and the group with it */
  let sent: { address: string; of: Group; now: Group } | undefined
  return {
    add(file: File): string {
      const address = URL.createObjectURL(file)
      files.set(address, file)
      return address
    },
    has: (address: string): boolean => files.has(address),
    faultOf(address: string): string | null {
      const file = files.get(address)
      return file === undefined ? null : imageFault(file)
    },
    /** The group with the picture: as it is where none was chosen, or where it has arrived and only the name has not. */
    async sentOnce(address: string, of: Group, send: (file: File) => Promise<Group>): Promise<Group> {
      const file = files.get(address)
      if (file === undefined) return of
      if (sent?.address !== address || sent.of !== of) sent = { address, of, now: await send(file) }
      return sent.now
    },
    forget() {
      for (const address of files.keys()) URL.revokeObjectURL(address)
    },
  }
}

const withFault = (path: string, message: string | null) => (message === null ? [] : [{ path, message }])
