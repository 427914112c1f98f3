import { array, is, string, type } from 'superstruct'
import type { AnyStruct } from '#machines/contracts/calls/call.ts'
import { decode } from '#machines/contracts/decode.ts'
import { EditConflict, FieldFault } from '#machines/contracts/entities/changes.ts'
import type { FormRecord, SaveResult } from '#machines/record-form/record-form.machine.ts'
import { CallRefused, Unreachable } from '../effects/call-failures.ts'

const NO_ANSWER = 'No answer from the server. What you typed is still here: try again in a moment.'
const Faults = type({ message: string(), errors: array(FieldFault) })

/**
 * What became of saving. @throws Error whose message is for the visitor, where nothing was said of the record
 * @param entity contract of what somebody else made of it (`current` of a 412)
 */
export async function saveResultOf<E>(
  saving: Promise<E>,
  entity: AnyStruct,
  recordOf: (entity: E) => FormRecord,
): Promise<SaveResult> {
  try {
    return { kind: 'saved', record: recordOf(await saving) }
  } catch (error) {
    if (error instanceof Unreachable) throw new Error(NO_ANSWER, { cause: error })
    if (!(error instanceof CallRefused)) throw error
    if (error.status === 412) {
      const { current, by, at } = decode(error.body, EditConflict, 'edit conflict')
      return { kind: 'conflict', theirs: { ...recordOf(decode(current, entity)), by: by?.name ?? null, at } }
    }
    // 409: no fault of what was typed, somebody else has it already (an e-mail address, a name)
    if (error.status !== 422 && !(error.status === 409 && is(error.body, Faults))) throw error
    const { message, errors } = decode(error.body, Faults, 'refusal')
    return { kind: 'refused', message, faults: errors }
  }
}
