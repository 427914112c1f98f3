import { enums, type Infer, object, size, string, type } from 'superstruct'
import { EpochMs, IsoInstant, Line } from '../scalars.ts'

/** What somebody says by signing, as 21 CFR 11.50 asks of a signature. Which of them can be said depends on what is signed. */
export const SignOffMeaning = enums(['reviewed', 'investigated', 'approved', 'released', 'rejected'])
export type SignOffMeaning = Infer<typeof SignOffMeaning>

/** That somebody signed: the meaning, their name then, when (the server's clock), and the company's time zone then (IANA). */
export const SignOff = object({ meaning: SignOffMeaning, name: Line, at: EpochMs, zone: Line })
export type SignOff = Infer<typeof SignOff>

/** The same in an answer. */
export const SignedOff = type({ meaning: SignOffMeaning, name: string(), at: IsoInstant, zone: string() })
export type SignedOff = Infer<typeof SignedOff>

/** What whoever signs gives: why, what it means, and their password once more. */
export const SigningOff = object({
  reason: size(string(), 1, 1000),
  meaning: SignOffMeaning,
  password: size(string(), 1, 1000),
})
export type SigningOff = Infer<typeof SigningOff>
