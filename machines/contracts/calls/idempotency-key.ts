import { coerce, pattern, string } from 'superstruct'
import { saying } from '../scalars.ts'

/**
 * What a caller names a command by (header `Idempotency-Key`): sent again under the same key by the same user within a day, it is
 * answered as before, and not done again. With or without quotes around it.
 */
export const IdempotencyKey = saying(
  coerce(pattern(string(), /^[\x21-\x7e]{8,128}$/), string(), (text) => text.replace(/^"(.*)"$/, '$1')),
  { minLength: 8, maxLength: 130, pattern: '^[\\x21-\\x7e]+$' },
)
