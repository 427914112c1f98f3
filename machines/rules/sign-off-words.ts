import type { SignedOff, SignOff, SignOffMeaning } from '../contracts/entities/sign-off.ts'

/** What a signature means, as people read it. */
export const MEANING_WORDS: Record<SignOffMeaning, string> = {
  reviewed: 'Reviewed',
  investigated: 'Investigated',
  approved: 'Approved',
  released: 'Released for use',
  rejected: 'Rejected for use',
}

/** What closing a case can mean. */
export const CASE_MEANINGS: readonly SignOffMeaning[] = ['reviewed', 'investigated', 'approved']

/** A signature of the record, as an answer says it. */
export const signedOff = ({ at, ...signed }: SignOff): SignedOff => ({
  ...signed,
  at: new Date(at).toISOString(),
})
