import { enums, type Infer, pattern, size, string } from 'superstruct'

/** What a link of a mail is good for: `activation`: the first password; `password`: another one. */
export const LinkPurpose = enums(['activation', 'password'])
export type LinkPurpose = Infer<typeof LinkPurpose>

/** How somebody who is not looking is notified of a violation. */
export const AlertChannel = enums(['email', 'sms'])
export type AlertChannel = Infer<typeof AlertChannel>

/** A phone number that can be reached from anywhere: E.164, e.g. +923001234567. */
export const PhoneNumber = pattern(string(), /^\+[1-9]\d{6,14}$/)
/** An address as facts hold it, whatever is asked of a new one (`Email`). */
export const KeptEmail = size(string(), 3, 254)
