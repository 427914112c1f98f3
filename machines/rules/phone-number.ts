import { is } from 'superstruct'
import { PhoneNumber } from '../contracts/messages.ts'

/**
 * A phone number as it can be reached from anywhere (E.164), of one as people write it; undefined where it is none. Blanks,
 * hyphens, dots and brackets mean nothing, `00` stands for `+`, and eleven digits that begin with a 0 are of Pakistan,
 * whose country code the forms of users turn into that 0 (`normalPhone`).
 */
export function reachablePhone(written: string): string | undefined {
  const bare = written.replace(/[\s().\u2010-\u2015-]/g, '')
  const number = bare.replace(/^00/, '+').replace(/^0(?=[1-9]\d{9}$)/, '+92')
  return is(number, PhoneNumber) ? number : undefined
}
