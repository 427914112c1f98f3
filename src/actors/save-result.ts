import { array, is, string, type } from 'superstruct'
import type { AnyStruct } from '#machines/contracts/choice.ts'
import { decode } from '#machines/contracts/decode.ts'
import { EditConflict, FieldFault } from '#machines/contracts/entities/changes.ts'
import type { FormRecord, SaveResult } from '#machines/record-form/record-form.machine.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { CallRefused } from '../effects/call-failures.ts'

const Faults = type({ message: string(), errors: array(FieldFault) })
/** of a file, or where the server names one place alone */
const OneFault = type({ message: string(), path: string() })
/**
 * What was sent is at fault: wrong, too large a file, no picture; or somebody else has it already (an e-mail address).
 * Some answers with these say nothing of a field; they are told as they are.
 */
const AT_FAULT = [409, 413, 415, 422]

/**
 * What became of saving. @throws what the call threw, where nothing was said of the record
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
    if (!(error instanceof CallRefused)) throw error
    if (error.status === 412) {
      const { current, by, at } = decode(error.body, EditConflict, 'edit conflict')
      return { kind: 'conflict', theirs: { ...recordOf(decode(current, entity)), by: by?.name ?? null, at } }
    }
    const faults = AT_FAULT.includes(error.status) ? faultsOf(error.body) : []
    if (faults.length === 0) throw error
    return { kind: 'refused', message: error.message, faults }
  }
}

function faultsOf(body: unknown): readonly Fault[] {
  if (is(body, Faults)) return body.errors
  return is(body, OneFault) ? [{ path: body.path, message: body.message }] : []
}

/** What the server says is at fault in what was sent, the first of it; undefined: it said nothing of a field. */
export const faultAt = (error: unknown): Fault | undefined =>
  error instanceof CallRefused ? faultsOf(error.body)[0] : undefined
