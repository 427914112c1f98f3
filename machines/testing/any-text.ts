import fc from 'fast-check'

type Lengths = { minLength?: number; maxLength: number }

/** Texts of any code points, well formed. `fc.string({ unit: 'binary' })` is the same, and lists all there are first: seconds. */
export function anyText({ minLength = 0, maxLength }: Lengths): fc.Arbitrary<string> {
  const points = fc.array(fc.nat(0x10_ffff), { minLength, maxLength })
  return points.map((some) => String.fromCodePoint(...some).toWellFormed())
}
